"""Agreement of assessors and labels from votes against loops and scikit-learn; values are compared first.

python benchmarks/judging.py               all
python benchmarks/judging.py --rounds 1    the same, but quicker

Processor time is measured, which depends less on what else the machine does. Judgements are made with a seed: grades 0 to 3 of
assessors who are right in 60 % and miss by one otherwise. A difference of values ends the benchmark. Dawid-Skene is compared
with a loop over assessors and labels, as its formulas are written; the same number of rounds is run by both.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import plumbline
from plumbline.io.judgements.read import read_judgements
from plumbline.truth.agreement.intervals import interval_of
from plumbline.truth.agreement.labels import Labelled
from plumbline.truth.agreement.pairs import pair_table
from plumbline.truth.agreement.ratings import Ratings
from plumbline.truth.agreement.reading import reading
from plumbline.truth.crowd.methods import Settings, methods
from plumbline.truth.crowd.votes import Votes
from plumbline.truth.judges.leaderboards import boards_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ROUNDS = 3
EM_ROUNDS = 100


def judged(items: int, assessors: int, *, gaps: float = 0.0, votes: int | None = None) -> Ratings:
    """Grades of assessors; `votes` is how many of them judge each item, if not all."""
    draw = np.random.default_rng(1)
    truth = draw.choice(4, items, p=[0.5, 0.25, 0.15, 0.1])
    if votes is None:
        unit, assessor = np.nonzero(draw.random((items, assessors)) >= gaps)
    else:
        unit = np.repeat(np.arange(items), votes)
        assessor = draw.random((items, assessors)).argpartition(votes, axis=1)[:, :votes].ravel()
    slip = draw.choice([-1, 0, 1], len(unit), p=[0.2, 0.6, 0.2])
    grade = np.clip(truth[unit] + slip, 0, 3)
    names = tuple(f"a{one}" for one in range(assessors))
    return Ratings(
        unit, assessor, grade, names, ("0", "1", "2", "3"), np.arange(4.0), np.zeros(items, dtype=np.int64), ("all",)
    )


def timed(work: Callable[[], object], rounds: int) -> tuple[float, object]:
    """The median of the processor time, and what came out."""
    times, result = [], None
    for _ in range(rounds):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return median(times), result


def pairwise(rounds: int) -> Iterator[str]:
    """Cohen's kappa of all pairs of 34 judges."""
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415 - a peer, slow to import

    ratings = judged(4_423, 34)
    grades = np.empty((34, 4_423), dtype=np.int64)
    grades[ratings.assessor, ratings.unit] = ratings.category
    labelled = Labelled(ratings, "nominal")

    def all_pairs() -> object:
        return pair_table(ratings, labelled.scale)["kappa"].to_numpy()

    ours, table = timed(all_pairs, rounds)
    pairs = [(a, b) for a in range(34) for b in range(a + 1, 34)]
    theirs, values = timed(lambda: [cohen_kappa_score(grades[a], grades[b]) for a, b in pairs], 1)
    np.testing.assert_allclose(np.asarray(table, dtype=np.float64), np.asarray(values, dtype=np.float64), atol=1e-12)
    yield line("kappa of all pairs, 34 judges x 4,423 items", "scikit-learn", theirs, ours)


def alpha_loop(grades: NDArray[np.int64]) -> float:
    """Ordinal alpha from the counts of each item, in one pass over a matrix of assessors and items, -1 for a gap."""
    counts = np.stack([(grades == grade).sum(axis=0) for grade in range(4)], axis=1).astype(np.float64)
    counts = counts[counts.sum(axis=1) > 1]
    judged_by = counts.sum(axis=1)
    together = np.zeros((4, 4))
    for c in range(4):
        for k in range(4):
            together[c, k] = (counts[:, c] * (counts[:, k] - (c == k)) / (judged_by - 1)).sum()
    chosen = together.sum(axis=1)
    middle = np.cumsum(chosen) - chosen / 2
    distance = (middle[:, None] - middle[None, :]) ** 2
    return float(1 - (chosen.sum() - 1) * (together * distance).sum() / (chosen @ distance @ chosen))


def alpha(rounds: int) -> Iterator[str]:
    """Alpha of three million ratings, and of 1,000 draws."""
    ratings = judged(1_000_000, 3, gaps=0.1)
    grades = np.full((3, 1_000_000), -1)
    grades[ratings.assessor, ratings.unit] = ratings.category

    def ours() -> float:
        labelled = Labelled(ratings, "ordinal", names=("alpha",))
        (one,) = labelled.wanted
        return float(one.compute(labelled.tallied.all_units(), labelled.scale)[0])

    seconds, value = timed(ours, rounds)
    peers: dict[str, Callable[[], object]] = {"NumPy on a matrix": lambda: alpha_loop(grades)}
    if find_spec("krippendorff") is not None:
        peer = import_module("krippendorff")
        gaps = np.where(grades < 0, np.nan, grades.astype(np.float64))
        peers["krippendorff"] = lambda: peer.alpha(gaps, level_of_measurement="ordinal")
    for name, work in peers.items():
        taken, expected = timed(work, rounds)
        np.testing.assert_allclose(np.asarray(value, dtype=np.float64), np.asarray(expected, dtype=np.float64), rtol=1e-9)
        yield line("alpha, 3 x 1,000,000 ratings with gaps", name, taken, seconds)
    labelled = Labelled(judged(4_423, 34), "ordinal", names=("alpha",))
    labelled.tallied.patterns  # noqa: B018 - made once, as for the coefficient itself

    def draws() -> object:
        how = {"method": "bootstrap", "over": "items", "confidence": 0.95, "resamples": 1000, "seed": 0}
        return interval_of(labelled.tallied, labelled.scale, labelled.wanted, **how)  # type: ignore[arg-type]

    seconds, _ = timed(draws, rounds)
    yield line("alpha with 1,000 draws, 34 x 4,423", "", None, seconds)


def dawid_skene_loop(votes: Votes, rounds: int) -> Numbers:
    """The formulas, with a loop over assessors and labels."""
    q = votes.shares.copy()
    votes_of = [(votes.item[votes.assessor == w], votes.label[votes.assessor == w]) for w in range(votes.assessors)]
    for _ in range(rounds):
        logs = np.tile(np.log(q.mean(axis=0)), (votes.items, 1))
        for items, labels in votes_of:
            counts = np.stack([q[items][labels == label].sum(axis=0) for label in range(votes.labels)], axis=1) + 0.01
            rates = np.log(counts / counts.sum(axis=1, keepdims=True))
            np.add.at(logs, items, rates[:, labels].T)
        q = np.exp(logs - logs.max(axis=1, keepdims=True))
        q /= q.sum(axis=1, keepdims=True)
    return q


def crowd(rounds: int) -> Iterator[str]:
    """Labels from as many votes as the product data have."""
    ratings = judged(8_315, 176, votes=3)
    votes = Votes.of(ratings)
    settings = Settings(ratings.values, rounds=EM_ROUNDS)
    name = f"Dawid-Skene, {len(votes.item):,} votes"
    seconds, fit = timed(lambda: methods()["dawid-skene"].fit(Votes.of(ratings), settings), rounds)
    used = fit.rounds  # type: ignore[attr-defined]
    loop, posterior = timed(lambda: dawid_skene_loop(votes, used), 1)
    np.testing.assert_allclose(fit.posterior, np.asarray(posterior, dtype=np.float64), atol=1e-8)  # type: ignore[attr-defined]
    yield line(f"{name}, {used} rounds", "loop over assessors", loop, seconds)
    for method in ("one-coin", "glad", "mace"):
        seconds, _ = timed(lambda method=method: methods()[method].fit(Votes.of(ratings), Settings(ratings.values)), 1)  # type: ignore[misc]
        yield line(f"{methods()[method].title}, the same votes", "", None, seconds)


def crowd_kit(rounds: int) -> Iterator[str]:
    """The same votes by crowd-kit, where it is installed."""
    if find_spec("crowdkit") is None:
        return
    peers, pandas = import_module("crowdkit.aggregation"), import_module("pandas")
    ratings = judged(8_315, 176, votes=3)
    votes = Votes.of(ratings)
    frame = pandas.DataFrame({"task": votes.item, "worker": votes.assessor, "label": votes.label})
    for name, peer in (("dawid-skene", peers.DawidSkene(n_iter=EM_ROUNDS, tol=0.0)), ("glad", peers.GLAD())):
        method, settings = methods()[name], Settings(ratings.values, smooth=0.0, rounds=EM_ROUNDS)
        ours, fit = timed(lambda method=method, settings=settings: method.fit(Votes.of(ratings), settings), rounds)  # type: ignore[misc]
        theirs, _ = timed(lambda peer=peer: peer.fit_predict(frame), 1)  # type: ignore[misc]
        posterior = peer.probas_.reindex(columns=range(votes.labels)).sort_index().to_numpy()
        expected = fit.posterior  # type: ignore[attr-defined]
        if name == "glad":  # both stop early, and not at the same round
            same = float((posterior.argmax(axis=1) == expected.argmax(axis=1)).mean())
            assert same > 0.99, same  # noqa: S101 - as above
        else:
            np.testing.assert_allclose(posterior, expected, atol=1e-6)
        yield line(f"{method.title}, {len(votes.item):,} votes, 4 labels", "crowd-kit", theirs, ours)


def leaderboards(rounds: int) -> Iterator[str]:
    """37 systems under each of 33 judges, by two metrics."""
    draw = np.random.default_rng(3)
    cases, items = [f"t{number:02}" for number in range(43)], [f"d{number:03}" for number in range(100)]
    places = {"case": np.repeat(cases, len(items)), "item": np.tile(items, len(cases))}
    truth = draw.integers(0, 4, len(cases) * len(items)).astype(np.float64)
    runs = {
        f"s{number:02}": pl.DataFrame({**places, "score": truth + draw.normal(size=len(truth)) * (2 + number / 18)})
        for number in range(37)
    }
    golds = {
        f"j{number:02}": pl.DataFrame({**places, "grade": np.clip(truth + draw.integers(-1, 2, len(truth)), 0, 3)})
        for number in range(33)
    }
    together = pl.concat([gold.with_columns(pl.lit(judge).alias("assessor")) for judge, gold in golds.items()])
    table, metrics = read_judgements(together, reading({})), ["nDCG@10", "AP"]
    ours, boards = timed(lambda: boards_of(table, runs, metrics, None), rounds)
    theirs, means = timed(
        lambda: {judge: plumbline.evaluate(gold, runs, metrics).mean for judge, gold in golds.items()}, rounds
    )
    assert isinstance(boards, list)  # noqa: S101 - as it was made
    assert isinstance(means, dict)  # noqa: S101 - as it was made
    for board in boards:
        expected = means[board.judge].sort("metric", "system", descending=[True, False])["value"].to_numpy()
        np.testing.assert_allclose(board.cube.means.ravel(), expected, rtol=1e-12)
    yield line("33 judges x 37 systems x 43 cases, two metrics", "a loop over evaluate", theirs, ours)


def line(what: str, peer: str, theirs: float | None, ours: float) -> str:
    """A row of the table."""
    other = ("", "") if theirs is None else (f"{theirs:.2f} s", f"{theirs / ours:.1f}x")
    return f"| {what} | {peer} | {other[0]} | {ours:.2f} s | {other[1]} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    print("| work | peer | peer takes | plumbline takes | ratio |\n| --- | --- | ---: | ---: | ---: |")
    for part in (pairwise, alpha, leaderboards, crowd, crowd_kit):
        for row in part(rounds):
            print(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
