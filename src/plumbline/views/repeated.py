"""Priority of documents that occur several times: how often one is above another counts, on both sides.

Against documents that occur once, a document with levels x1 <= x2 <= ... asserts "above" as often as it has levels above the
other one, so the plane of both orders falls into rectangles in which the counts stay the same. The sum over rectangles is
turned into one over their corners, and what lies beyond a corner is a dominance sum. Among themselves they are counted pair
by pair, unless one side has few levels; documents with the same levels on both sides are one class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.align.sides import summed
from plumbline.lazily import pl
from plumbline.views.dominance import dominance
from plumbline.views.occurrences import Occurrences, Padded
from plumbline.views.repeated_levels import among_few_levels, has_few_levels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.sides import Sides
    from plumbline.views.weighing import Weighted

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

MOST_TOGETHER: Final = 60_000
"""Numbers in one table that is worked on: so many stay in the cache of a processor."""
FEW: Final = 256
"""Classes of small lists that are looked at together."""


@dataclass(frozen=True)
class OfDocuments:
    """What the occurrence of each document weighs, and what it shares out; 0 where it does not occur."""

    w: Numbers
    shared: Numbers


@dataclass(frozen=True)
class Several:
    """Sums for each list over relations with documents that occur several times, and what lies around each single point."""

    pairs: tuple[Numbers, Numbers]
    around: Numbers


@dataclass(frozen=True)
class _Classes:
    """Documents with the same levels on both sides: their list, how many they are, and one's occurrences on each side."""

    home: Integers
    size: Numbers
    sides: tuple[Occurrences, Occurrences]


def repeated(
    sides: Sides,
    weighted: tuple[Weighted, Weighted],
    per_doc: list[OfDocuments],
    levels: tuple[Integers, ...],
    points: Integers,
    several: NDArray[np.bool_],
) -> Several:
    """All relations of the documents that occur `several` times, with each other and with the `points`, which occur once."""
    classes = _classes(sides, weighted, several, (int(levels[0].max(initial=0)), int(levels[1].max(initial=0))))
    around, with_points = _with_points(sides, per_doc, levels, points, classes)
    among = _among(sides.count, classes)
    return Several((with_points[0] + among[0], with_points[1] + among[1]), around)


def _classes(sides: Sides, weighted: tuple[Weighted, Weighted], several: NDArray[np.bool_], last: tuple[int, int]) -> _Classes:
    tables = []
    for side, weighted_side, below in zip((sides.x, sides.g), weighted, last, strict=True):
        mine = several[side.doc]
        rows = pl.DataFrame(
            {"doc": side.doc[mine], "level": side.level[mine], "w": weighted_side.w[mine], "shared": weighted_side.shared[mine]}
        ).sort("doc", "level")
        absent = np.setdiff1d(np.flatnonzero(several), side.doc)  # below all levels, where it weighs nothing
        tables.append(pl.concat([rows, _below_all(absent, below)]))
    signed = pl.DataFrame({"doc": np.flatnonzero(several)})
    for table, name in zip(tables, "xg", strict=True):
        sets = table.group_by("doc", maintain_order=True).agg(pl.col("level").cast(pl.String).str.join(" ").alias(name))
        signed = signed.join(sets, on="doc", how="left", maintain_order="left")
    groups = (
        signed.with_columns(pl.Series("home", sides.home[several]))
        .group_by("home", "x", "g", maintain_order=True)
        .agg(pl.len().cast(pl.Float64).alias("size"), pl.col("doc").first())
        .sort("home", maintain_order=True)
        .with_row_index("class")
    )
    return _Classes(
        groups["home"].to_numpy(), groups["size"].to_numpy(), (_of_classes(groups, tables[0]), _of_classes(groups, tables[1]))
    )


def _below_all(docs: Integers, level: int) -> pl.DataFrame:
    zero = np.zeros(len(docs))
    return pl.DataFrame({"doc": docs, "level": np.full(len(docs), level), "w": zero, "shared": zero})


def _of_classes(groups: pl.DataFrame, table: pl.DataFrame) -> Occurrences:
    rows = groups.select("class", "doc").join(table, on="doc", how="inner", maintain_order="left")
    rows = rows.sort("class", "level", maintain_order=True)
    return Occurrences(
        rows["class"].to_numpy().astype(np.int64), rows["level"].to_numpy(), rows["w"].to_numpy(), rows["shared"].to_numpy()
    )


def _with_points(
    sides: Sides, per_doc: list[OfDocuments], levels: tuple[Integers, ...], points: Integers, classes: _Classes
) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """Dominance sums at the single points, and relations of classes with single points as sums over corners."""
    x, g = (_ranked(occurrences) for occurrences in classes.sides)
    corners = x.join(g, on="class", how="inner", maintain_order="left", suffix="_g").rename({"level": "x", "level_g": "g"})
    home = classes.home[corners["class"].to_numpy()]
    weights = np.stack([column[points] for one in per_doc for column in (one.w, one.shared)])
    before, after = dominance(
        np.concatenate((sides.home[points], home)),
        np.concatenate((levels[0][points], corners["x"].to_numpy())),
        np.concatenate((levels[1][points], corners["g"].to_numpy())),
        np.concatenate((weights, np.zeros((len(weights), len(corners)))), axis=1),
        apart=True,
    )
    around = (before + after)[::2, : len(points)]
    size = classes.size[corners["class"].to_numpy()]
    sums_of_sides = []
    for at, (one, other) in enumerate((("", "_g"), ("_g", ""))):
        above = _corner_weights(corners, f"from_top{one}", f"from_top{other}", f"w_top{one}", f"shared_top{one}")
        below = _corner_weights(corners, f"from_end{one}", f"from_end{other}", f"w_end{one}", f"shared_end{one}")
        total = np.zeros(len(corners))
        for (by_w, by_shared), sums in ((above, after), (below, before)):
            at_corners = sums[2 * at : 2 * at + 2, len(points) :]
            total += by_shared * at_corners[0] + by_w * at_corners[1]
        sums_of_sides.append(summed(home, size * total, sides.count))
    return around, (sums_of_sides[0], sums_of_sides[1])


def _ranked(occurrences: Occurrences) -> pl.DataFrame:
    """Occurrences with their rank in the class from both ends, and sums up to them from both ends."""
    rows = pl.DataFrame({"class": occurrences.of, "level": occurrences.level, "w": occurrences.w, "shared": occurrences.shared})
    rank = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).cast(pl.Float64)
    return rows.select(
        "class",
        "level",
        rank.over("class").alias("from_top"),
        rank.reverse().over("class").alias("from_end"),
        *(pl.col(name).cum_sum().over("class").alias(f"{name}_top") for name in ("w", "shared")),
        *(pl.col(name).cum_sum(reverse=True).over("class").alias(f"{name}_end") for name in ("w", "shared")),
        pl.col("w").alias("own_w"),
        pl.col("shared").alias("own_shared"),
    )


def _corner_weights(corners: pl.DataFrame, i: str, j: str, w: str, shared: str) -> tuple[Numbers, Numbers]:
    """How much the sum changes beyond this corner: F(i,j) - F(i-1,j) - F(i,j-1) + F(i-1,j-1).

    F is min(i,j)/i, the chance that a relation is right, times the sum over the first i occurrences.
    """
    first, second = corners[i].to_numpy(), corners[j].to_numpy()
    suffix = "_g" if w.endswith("_g") else ""
    made = []
    for name, last in ((w, f"own_w{suffix}"), (shared, f"own_shared{suffix}")):
        until = corners[name].to_numpy()
        without = until - corners[last].to_numpy()
        here = (_share(first, second) - _share(first, second - 1)) * until
        made.append(here - (_share(first - 1, second) - _share(first - 1, second - 1)) * without)
    return made[0], made[1]


def _share(i: Numbers, j: Numbers) -> Numbers:
    return np.divide(np.minimum(i, j), i, out=np.zeros_like(i), where=i > 0)


def _among(count: int, classes: _Classes) -> tuple[Numbers, Numbers]:
    """Every class with every class of its list, itself included: a document may be above itself."""
    sums = (np.zeros(count), np.zeros(count))
    for chosen in _batches(classes.home):
        home, size = classes.home[chosen], classes.size[chosen]
        x, g = (Padded.of(occurrences, chosen) for occurrences in classes.sides)
        one_list = len(home) > FEW and home[0] == home[-1]  # one list
        if one_list and has_few_levels(g, x):
            in_g, in_x = among_few_levels(size, g, x)
        elif one_list and has_few_levels(x, g):
            in_x, in_g = among_few_levels(size, x, g)
        else:
            _pair_by_pair(sums, home, size, x, g)
            continue
        sums[0][home[0]] += in_x
        sums[1][home[0]] += in_g
    return sums


def _pair_by_pair(sums: tuple[Numbers, Numbers], home: Integers, size: Numbers, x: Padded, g: Padded) -> None:
    """Add the relations of all pairs of classes to the sums of their lists."""
    alike = np.unique(np.stack((x.times, g.times)), axis=1, return_inverse=True)[1].ravel()
    groups = [np.flatnonzero(alike == number) for number in range(int(alike.max(initial=-1)) + 1)]
    for first in groups:
        for second in groups:
            step = max(1, MOST_TOGETHER // len(second))
            for start in range(0, len(first), step):
                rows = first[start : start + step]
                same = home[rows, None] == home[second]
                by_x, by_g = x.above(rows, second), g.above(rows, second)
                for total, mine, other in ((sums[0], by_x, by_g), (sums[1], by_g, by_x)):
                    rightly = mine.worth(_share(mine.times, other.times) * same * size[second])
                    np.add.at(total, home[rows], size[rows] * rightly)


def _batches(home: Integers) -> Iterator[slice]:
    """Blocks of full lists, small ones together."""
    starts = np.flatnonzero(np.diff(home, prepend=-1))
    ends = np.append(starts[1:], len(home))
    first = 0
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - first > FEW and start > first:
            yield slice(first, start)
            first = start
    yield slice(first, len(home))
