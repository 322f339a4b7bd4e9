"""split(): folds that do not leak, as a small table."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, folds, usage
from plumbline.errors.faces import option
from plumbline.options.folds import SplitOptions
from plumbline.options.option import checked, documented
from plumbline.schema import ITEM
from plumbline.truth.folds import splitters
from plumbline.truth.folds.items import Items, duration, read_items
from plumbline.truth.folds.like_sklearn import like_sklearn
from plumbline.truth.folds.result import Split
from plumbline.truth.folds.splitters import FOLDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.folds.result import Parts

MOST_SETS: Final = 100_000
"""More tests than this are a mistake, not a plan."""
_WAYS: Final = ("hold_out", "leave_out", "leave_group_out", "bootstrap")
_CLASHES: Final = {
    "time": ("stratify", "group", "repeats", "nested"),
    "leave_out": ("stratify", "group", "repeats"),
    "leave_group_out": ("stratify", "repeats"),
    "bootstrap": ("stratify", "group", "repeats"),
    "label_separator": ("group",),
}
"""What each option does not respect."""


@documented(SplitOptions)
def split(items: Any, **options: Unpack[SplitOptions]) -> Split:
    """Say which items a learner is tested on, and which it may see.

    Args:
        items: A table with a row for each item: a path or a data frame; or a sequence of names.
        **options: See `plumbline.options.folds.SplitOptions`.

    Returns:
        The folds as a small table. They are the same for the same seed.

    Raises:
        BadData: If the file cannot be read, or an item is named twice.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline
        >>> folds = plumbline.split(["a", "b", "c", "d"], folds=2)
        >>> [len(test) for _, test in folds.indices()]
        [2, 2]
    """
    given = checked(options, SplitOptions, "split")
    _check(given)
    table = read_items(items, given.get("item"))
    parts = list(like_sklearn(table, given) if given.get("as_") else _parts(table, given))
    nested = given.get("nested")
    inner = [] if nested is None else [_inner(table, given, train, number) for number, (_, _, train, _) in enumerate(parts)]
    return Split(
        _frame(table, parts, inner), table.names, _way(given), given.get("seed", 0), tuple(_notices(table, given, parts))
    )


def _check(given: dict[str, Any]) -> None:
    """One way to split at a time; what would change nothing is refused."""
    if given.get("hold_out") in (0, 1):
        raise BadUsage(folds.bad_share(given["hold_out"]))
    ways = [name for name in _WAYS if given.get(name)]
    clashes = [*ways, *(name for name in ("folds", "time") if ways and name in given)]
    if len(clashes) > 1:
        raise BadUsage(folds.contradiction([option(name) for name in clashes]))
    for way, others in _CLASHES.items():
        if given.get(way) and (clash := [name for name in others if name in given]):
            raise BadUsage(folds.contradiction([option(way), *map(option, clash)]))
    if given.get("leave_group_out") and "group" not in given:
        raise BadUsage(usage.goes_with(option("leave_group_out"), option("group")))
    for name, needed in (("gap", "time"), ("label_separator", "stratify")):
        if name in given and needed not in given:
            raise BadUsage(usage.goes_with(option(name), option(needed)))


def _way(given: dict[str, Any]) -> str:
    """How items were split, in words."""
    left = given.get("leave_out")
    ways = {
        "hold_out": f"{given.get('hold_out')} held out",
        "leave_out": "each item left out once" if left == 1 else f"every set of {left} items left out",
        "leave_group_out": f"each {given.get('group')} left out once",
        "bootstrap": f"{given.get('bootstrap')} bootstrap draws",
        "time": f"{given.get('folds', FOLDS)} blocks of {given.get('time')}",
    }
    way = next((text for name, text in ways.items() if given.get(name)), f"{given.get('folds', FOLDS)} folds")
    kept = [f"stratified by {given['stratify']}"] if "stratify" in given else []
    kept += [f"no {given['group']} in two of them"] if "group" in given else []
    alike = ", as scikit-learn" if given.get("as_") else ""
    return ", ".join([way, *([] if given.get("leave_group_out") else kept)]) + alike


def _parts(items: Items, given: dict[str, Any]) -> Iterator[Parts]:
    """Repeat, fold, what is trained on (how often each item) and what is tested."""
    rng = np.random.default_rng(given.get("seed", 0))
    if given.get("leave_out"):
        yield from _leaving_out(len(items), given["leave_out"])
    elif given.get("leave_group_out"):
        yield from _of_folds(0, items.codes(given["group"])[0])
    elif given.get("bootstrap"):
        for number in range(given["bootstrap"]):
            times = splitters.drawn_with_replacement(len(items), rng)
            yield number, 0, times, times == 0
    elif "time" in given:
        yield from _in_time(items, given)
    elif given.get("hold_out") is not None:
        for repeat in range(given.get("repeats", 1)):
            yield from _held_out(items, given, repeat, rng)
    else:
        for repeat in range(given.get("repeats", 1)):
            yield from _of_folds(repeat, fold_of(items, given, given.get("folds", FOLDS), rng))


def fold_of(items: Items, given: dict[str, Any], number: int, rng: Generator) -> NDArray[np.int64]:
    """The fold that tests each item."""
    if "group" in given:
        groups, names = items.codes(given["group"])
        _require(given["group"], len(names), number)
        if "stratify" not in given:
            return splitters.grouped(groups, number, rng)
        return splitters.grouped_stratified(groups, items.codes(given["stratify"])[0], number, rng)
    _require("item", len(items), number)
    if "stratify" not in given:
        return splitters.plain(len(items), number, rng)
    if "label_separator" in given:
        return splitters.label_stratified(items.memberships(given["stratify"], given["label_separator"])[0], number, rng)
    return splitters.stratified(items.codes(given["stratify"])[0], number, rng)


def _require(what: str, number: int, wanted: int) -> None:
    if number < wanted:
        raise BadUsage(folds.too_few(what, number, wanted))


def _of_folds(repeat: int, fold: NDArray[np.int64]) -> Iterator[Parts]:
    for number in range(int(fold.max()) + 1):
        yield repeat, number, (fold != number).astype(np.int64), fold == number


def _leaving_out(items: int, left_out: int) -> Iterator[Parts]:
    _require("item", items, left_out + 1)
    if comb(items, left_out) > MOST_SETS:
        raise BadUsage(folds.too_many_sets(comb(items, left_out), items, left_out, MOST_SETS))
    for number, chosen in enumerate(combinations(range(items), left_out)):
        test = np.zeros(items, dtype=np.bool_)
        test[list(chosen)] = True
        yield 0, number, (~test).astype(np.int64), test


def _held_out(items: Items, given: dict[str, Any], repeat: int, rng: Generator) -> Iterator[Parts]:
    """The first of as many small folds as are needed for the share; with groups as near to it as whole groups come."""
    share = given["hold_out"]
    pieces = max(round(1 / share), 2) if share <= 1 / 2 else max(round(1 / (1 - share)), 2)
    fine = fold_of(items, given, min(pieces * 10, _units(items, given)), rng)
    sizes = np.bincount(fine)
    wanted = round(share * len(items))
    taken = np.flatnonzero(np.cumsum(sizes) - sizes / 2 <= wanted)
    test = np.isin(fine, taken if len(taken) else [0])
    yield repeat, 0, (~test).astype(np.int64), test


def _units(items: Items, given: dict[str, Any]) -> int:
    return len(items.codes(given["group"])[1]) if "group" in given else len(items)


def _in_time(items: Items, given: dict[str, Any]) -> Iterator[Parts]:
    """Each block is tested with what came before it, less the gap."""
    moments, dates = items.moments(given["time"])
    number, gap = given.get("folds", FOLDS), duration(given.get("gap"), dates=dates)
    _require(given["time"], len(np.unique(moments)), number + 1)
    block = splitters.blocks_of_time(moments, number)
    for fold, tested in enumerate(sorted(set(block.tolist()) - {0})):
        test = block == tested
        train = moments < moments[test].min() - gap if gap else moments < moments[test].min()
        if not train.any():
            raise BadUsage(folds.nothing_to_train_on(fold + 1, str(given["gap"])))
        yield 0, fold, train.astype(np.int64), test


def _inner(items: Items, given: dict[str, Any], train: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """The fold in which each training item is tuned on; -1 for the others."""
    seen = np.flatnonzero(train)
    part = Items(items.label, items.frame[seen], [items.names[place] for place in seen.tolist()], items.named_by)
    rng = np.random.default_rng([given.get("seed", 0), number + 1])
    fold = np.full(len(items), -1, dtype=np.int64)
    fold[seen] = fold_of(part, given, given["nested"], rng)
    return fold


def _frame(items: Items, parts: list[Parts], inner: list[NDArray[np.int64]]) -> pl.DataFrame:
    """`repeat, fold, item, part, times` and `inner`: training rows only where they are not simply all other items."""
    names, frames = pl.Series(ITEM, items.names, dtype=pl.String), []
    for number, (repeat, fold, train, test) in enumerate(parts):
        implied = bool(((train == 1) == ~test).all()) and not inner
        rows = np.flatnonzero(test) if implied else np.concatenate([np.flatnonzero(train), np.flatnonzero(test)])
        frames.append(
            pl.DataFrame(
                {
                    "repeat": np.full(len(rows), repeat + 1),
                    "fold": np.full(len(rows), fold + 1),
                    ITEM: names[rows],
                    "part": np.where(test[rows], "test", "train"),
                    "times": np.where(test[rows], 1, train[rows]),
                    "inner": np.where(test[rows], -1, inner[number][rows]) if inner else np.full(len(rows), -1),
                }
            )
        )
    table = pl.concat(frames)
    unused = [name for name, idle in (("times", (table["times"] == 1).all()), ("inner", not inner)) if idle]
    shown = table.drop(unused)
    return shown.with_columns(inner=pl.when(pl.col("inner") >= 0).then(pl.col("inner") + 1)) if inner else shown


def _notices(items: Items, given: dict[str, Any], parts: list[Parts]) -> Iterator[Diagnostic]:
    sizes = [int(test.sum()) for *_, test in parts]
    if max(sizes) > 1.5 * min(sizes) and not given.get("bootstrap") and not given.get("leave_group_out"):
        kept = given.get("group") or given.get("time") or given.get("stratify")
        yield folds.uneven(min(sizes), max(sizes), f"every {kept} is kept whole")
    tested = np.any([test for *_, test in parts], axis=0)
    if not tested.all() and given.get("hold_out") is None:
        reason = ", the oldest block is only trained on" if "time" in given else ""
        yield folds.untested(int((~tested).sum()), [items.names[row] for row in np.flatnonzero(~tested)[:5].tolist()], reason)
    if "stratify" in given and "label_separator" not in given:
        yield from items.missing_classes(
            given["stratify"], ((fold + 1, train > 0, test) for _, fold, train, test in parts), stratified=True
        )
