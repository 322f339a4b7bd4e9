"""The folds of scikit-learn, made by scikit-learn itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, folds, usage
from plumbline.errors.faces import option
from plumbline.truth.folds.splitters import FOLDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.truth.folds.items import Items
    from plumbline.truth.folds.result import Parts


def like_sklearn(items: Items, given: dict[str, Any]) -> Iterator[Parts]:
    """Repeat, fold, what is trained on and what is tested, as scikit-learn's own splitter draws it for the seed."""
    if idle := [name for name in ("bootstrap", "label_separator", "gap") if given.get(name)]:
        raise BadUsage(folds.contradiction([option("as_"), option(idle[0])]))
    splitter = _splitter(given)
    classes = _ordered_codes(items, given["stratify"]) if "stratify" in given else None
    groups = _ordered_codes(items, given["group"]) if "group" in given else None
    order = np.argsort(items.moments(given["time"])[0], kind="stable") if "time" in given else np.arange(len(items))
    number = given.get("folds", FOLDS) if "hold_out" not in given else 1
    try:
        drawn = list(splitter.split(np.zeros((len(items), 1)), classes, groups))
    except ValueError as error:
        raise BadUsage(usage.bad_object(f"these items: {error}", "other options")) from None
    for place, (train, test) in enumerate(drawn):
        times, tested = np.zeros(len(items), dtype=np.int64), np.zeros(len(items), dtype=np.bool_)
        times[order[train]], tested[order[test]] = 1, True
        yield (place // number, place % number, times, tested) if given.get("repeats") else (0, place, times, tested)


def _ordered_codes(items: Items, name: str) -> NDArray[np.int64]:
    """A number for each value, in the order in which NumPy sorts them: its draws depend on it.

    Values that are all numbers are sorted as numbers, also in a text file, as they are where pandas reads it.
    """
    codes, values = items.codes(name)
    texts = pl.DataFrame({"text": values}, schema={"text": pl.String})
    numbers = texts["text"].cast(pl.Float64, strict=False)
    by = [pl.lit(numbers), "text"] if not numbers.null_count() else ["text"]
    return np.argsort(texts.select(pl.arg_sort_by(by)).to_series().to_numpy())[codes]


def _splitter(given: dict[str, Any]) -> Any:  # noqa: PLR0911 - a splitter of scikit-learn for each way
    try:
        from sklearn import model_selection as sk  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadUsage(usage.needs_extra("the folds of scikit-learn", "cluster")) from None
    seed, number, repeats = given.get("seed", 0), given.get("folds", FOLDS), given.get("repeats")
    by = ("Stratified" if "stratify" in given else "") + ("Group" if "group" in given else "")
    if given.get("leave_out"):
        return sk.LeavePOut(given["leave_out"])
    if given.get("leave_group_out"):
        return sk.LeaveOneGroupOut()
    if "time" in given:
        return sk.TimeSeriesSplit(number)
    if "hold_out" in given:
        if by == "StratifiedGroup":
            raise BadUsage(folds.contradiction([option("as_"), option("hold_out"), option("stratify"), option("group")]))
        return getattr(sk, f"{by}ShuffleSplit")(repeats or 1, test_size=given["hold_out"], random_state=seed)
    if repeats:
        if "group" in given:
            raise BadUsage(folds.contradiction([option("as_"), option("repeats"), option("group")]))
        return getattr(sk, f"Repeated{by}KFold")(n_splits=number, n_repeats=repeats, random_state=seed)
    if by == "Group":
        return sk.GroupKFold(number)
    return getattr(sk, f"{by}KFold")(number, shuffle=True, random_state=seed)
