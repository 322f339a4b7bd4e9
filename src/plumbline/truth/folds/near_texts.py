"""Texts that are the same, or nearly: by the share of word triples that they have in common.

Candidates are found by min-wise hashes in bands (Broder 1997), and then compared exactly, so that what is reported is
true. Equal texts are always found, pairs that share 90 % of their triples practically always, and those that share half
of them in two cases of three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS: Final = 3
_BANDS, _ROWS = 32, 5
_MOST: Final = 50
"""Members of one bucket that are compared with each other; a bucket of more is compared with its first ones."""


def normalised(texts: pl.Series) -> pl.Series:
    """Lower case, and words with one space between them: punctuation and spacing make no other text."""
    return texts.str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]+", " ").str.strip_chars()


def near_pairs(texts: pl.Series, similar: float) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Two places for each pair of texts that are equal or nearly so, and whether they are equal; empty texts are left out."""
    rows, shingles = _shingles(texts)
    if not len(rows):
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, np.zeros(0, dtype=np.bool_)
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    owners = rows[starts]
    pairs = _candidates(_signatures(shingles, starts), owners)
    first, second = pairs[:, 0], pairs[:, 1]
    values = texts.to_numpy()
    same = values[first] == values[second]
    ends = dict(zip(owners.tolist(), zip(starts.tolist(), [*starts[1:].tolist(), len(rows)], strict=True), strict=True))
    near = np.array(
        [
            equal or _jaccard(shingles[slice(*ends[one])], shingles[slice(*ends[other])]) >= similar
            for one, other, equal in zip(first.tolist(), second.tolist(), same.tolist(), strict=True)
        ],
        dtype=np.bool_,
    )
    return first[near], second[near], same[near]


def _shingles(texts: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The distinct word triples of each text as numbers, with its place; short texts are one shingle."""
    words = (
        pl.DataFrame({"row": np.arange(len(texts)), "word": texts.str.split(" ")}).explode("word").filter(pl.col("word") != "")
    )
    shifted = [pl.col("word").shift(-ahead).over("row").fill_null("") for ahead in range(WORDS)]
    counted = words.with_columns(pl.len().over("row").alias("words"), pl.int_range(pl.len()).over("row").alias("place"))
    kept = counted.with_columns(pl.concat_str(shifted, separator=" ").hash(seed=1).alias("shingle")).filter(
        (pl.col("place") + WORDS <= pl.col("words")) | (pl.col("place") == 0)
    )
    distinct = kept.select("row", "shingle").unique(maintain_order=True).sort("row", maintain_order=True)
    return distinct["row"].to_numpy(), distinct["shingle"].to_numpy()


def _signatures(shingles: NDArray[np.uint64], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The smallest of many hashes of the shingles of each text."""
    rng = np.random.default_rng(0)
    odd = rng.integers(0, 2**63, _BANDS * _ROWS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = shingles ^ (shingles >> np.uint64(31))
    return np.stack([np.minimum.reduceat(_mix(mixed * one), starts) for one in odd], axis=1)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = values ^ (values >> np.uint64(29))
    values = values * np.uint64(0xBF58476D1CE4E5B9)
    return values ^ (values >> np.uint64(32))


def _candidates(signatures: NDArray[np.uint64], owners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs that agree in a whole band of hashes."""
    pairs = [np.zeros((0, 2), dtype=np.int64)]
    for band in range(_BANDS):
        part = signatures[:, band * _ROWS : (band + 1) * _ROWS]
        _, bucket = np.unique(part, axis=0, return_inverse=True)
        order = np.argsort(bucket.reshape(-1), kind="stable")
        sorted_buckets = bucket.reshape(-1)[order]
        for ahead in range(1, _MOST):
            if ahead >= len(order):
                break
            equal = sorted_buckets[ahead:] == sorted_buckets[:-ahead]
            if not equal.any():
                break
            pairs.append(np.stack([owners[order[:-ahead][equal]], owners[order[ahead:][equal]]], axis=1))
    together = np.sort(np.concatenate(pairs), axis=1)
    return np.unique(together, axis=0)


def _jaccard(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
