"""Folds: every item is tested once, classes are spread, groups stay whole, the past comes first; and scikit-learn's."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline import Split

rows = st.lists(st.tuples(st.sampled_from("aaabc"), st.integers(0, 9), st.integers(0, 20)), min_size=12, max_size=60)
seeds = st.integers(0, 5)


def table(given_rows: list[tuple[str, int, int]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"i{place}" for place in range(len(given_rows))],
            "y": [one for one, *_ in given_rows],
            "user": [user for _, user, _ in given_rows],
            "day": [day for *_, day in given_rows],
        }
    )


def items_by_test(split: Split) -> dict[tuple[int, int], list[str]]:
    tested = split.table.filter(pl.col("part") == "test")
    return {
        (repeat, fold): part["item"].to_list()
        for (repeat, fold), part in tested.group_by("repeat", "fold", maintain_order=True)
        if isinstance(repeat, int) and isinstance(fold, int)
    }


@settings(max_examples=some_of(30))
@given(rows, seeds, st.integers(2, 5), st.sampled_from([{}, {"stratify": "y"}]))
def test_every_item_is_tested_once_in_every_repeat(made: Any, seed: int, folds: int, by: dict[str, str]) -> None:
    frame = table(made)
    split = plumbline.split(frame, folds=folds, repeats=2, seed=seed, **by)  # type: ignore[arg-type]  # columns
    for repeat in (1, 2):
        parts = [items for (one, _), items in items_by_test(split).items() if one == repeat]
        assert sorted(sum(parts, [])) == sorted(frame["id"].to_list())  # noqa: RUF017 - few lists
        sizes = [len(part) for part in parts]
        assert max(sizes) - min(sizes) <= 1
    for train, test in split.indices():
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(len(frame)))


@settings(max_examples=some_of(30))
@given(rows, seeds, st.integers(2, 5))
def test_classes_differ_by_one_at_most(made: Any, seed: int, folds: int) -> None:
    frame = table(made)
    label = dict(frame.select("id", "y").rows())
    counts = [
        Counter(label[item] for item in items)
        for items in items_by_test(plumbline.split(frame, folds=folds, stratify="y", seed=seed)).values()
    ]
    for name in "abc":
        of_class = [count[name] for count in counts]
        assert max(of_class) - min(of_class) <= 1


@settings(max_examples=some_of(30))
@given(rows, seeds, st.booleans())
def test_groups_are_never_in_two_folds(made: Any, seed: int, stratified: bool) -> None:  # noqa: FBT001 - drawn
    frame = table(made)
    folds = min(3, frame["user"].n_unique())
    if folds < 2:
        return
    by = {"stratify": "y"} if stratified else {}
    split = plumbline.split(frame, folds=folds, group="user", seed=seed, **by)  # type: ignore[arg-type]  # columns
    user = dict(frame.select("id", "user").rows())
    places = [{user[item] for item in items} for items in items_by_test(split).values()]
    assert not any(one & other for one, other in combinations(places, 2))
    assert sorted(sum(items_by_test(split).values(), [])) == sorted(frame["id"].to_list())  # noqa: RUF017 - few lists
    assert plumbline.check_folds(frame, split, group="user").ok


def test_groups_of_one_size_make_folds_of_one_size() -> None:
    frame = pl.DataFrame({"id": list(range(60)), "user": [place % 12 for place in range(60)]})
    assert {len(items) for items in items_by_test(plumbline.split(frame, folds=4, group="user")).values()} == {15}


@settings(max_examples=some_of(30))
@given(rows, st.integers(0, 3))
def test_only_the_past_is_trained_on(made: Any, gap: int) -> None:
    frame = table(made)
    folds = min(3, frame["day"].n_unique() - 1)
    if folds < 2:
        return
    days = sorted(frame["day"].to_list())
    if days[0] + gap >= days[len(days) // (folds + 1)]:
        return  # nothing may be left to train on, which is refused
    split = plumbline.split(frame, folds=folds, time="day", gap=gap)
    day = frame["day"].to_numpy()
    for train, test in split.indices():
        assert day[train].max(initial=-99) < day[test].min() - gap or (
            gap == 0 and day[train].max(initial=-99) < day[test].min()
        )
    assert plumbline.check_folds(frame, split, time="day").ok


def test_dates_and_durations() -> None:
    frame = pl.DataFrame({"id": list("abcdef"), "when": [f"2026-03-{day:02d}" for day in (1, 2, 3, 10, 11, 12)]})
    split = plumbline.split(frame, folds=2, time="when", gap="12h")
    assert [(train.tolist(), test.tolist()) for train, test in split.indices()] == [([0, 1], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    with pytest.raises(plumbline.BadUsage, match="E489"):
        plumbline.split(frame, folds=2, time="when", gap="3d")
    typed = frame.with_columns(pl.col("when").str.to_date())
    assert plumbline.split(typed, folds=2, time="when", gap="12h").table.equals(split.table)


def test_labels_of_items_with_several_are_spread() -> None:
    rng = np.random.default_rng(3)
    labels = ["|".join(sorted(rng.choice(list("vwxyz"), rng.integers(0, 4), replace=False))) for _ in range(300)]
    frame = pl.DataFrame({"id": range(300), "tags": labels})
    split = plumbline.split(frame, folds=5, stratify="tags", label_separator="|")
    for label in "vwxyz":
        total = sum(label in text for text in labels)
        counts = [sum(label in labels[place] for place in test) for _, test in split.indices()]
        assert all(abs(count - total / 5) <= 4 for count in counts), (label, counts)
    plain = plumbline.split(frame, folds=5)
    assert _unevenness(labels, split) < _unevenness(labels, plain)


def _unevenness(labels: list[str], split: Split) -> float:
    return sum(
        float(np.std([sum(label in labels[place] for place in test) for _, test in split.indices()])) for label in "vwxyz"
    )


def test_a_share_is_held_out() -> None:
    frame = pl.DataFrame({"id": range(200), "y": ["a"] * 150 + ["b"] * 50})
    ((train, test),) = plumbline.split(frame, hold_out=0.2, stratify="y").indices()
    assert (len(train), len(test), sum(test >= 150)) == (160, 40, 10)
    assert len(list(plumbline.split(frame, hold_out=0.3, repeats=4).indices())) == 4


def test_every_set_is_left_out_once() -> None:
    split = plumbline.split(list("abcde"), leave_out=2)
    assert {tuple(test.tolist()) for _, test in split.indices()} == set(combinations(range(5), 2))
    with pytest.raises(plumbline.BadUsage, match="E481"):
        plumbline.split(range(100), leave_out=5)


def test_a_bootstrap_draws_as_many_as_there_are_and_tests_the_others() -> None:
    split = plumbline.split(range(40), bootstrap=20)
    for train, test in split.indices():
        assert len(train) == 40
        assert set(test.tolist()) == set(range(40)) - set(train.tolist())
    assert split.table["times"].max() > 1  # type: ignore[operator]  # numbers


def test_training_parts_are_split_again() -> None:
    split = plumbline.split(range(30), folds=3, nested=4)
    for _, part in split.table.group_by("fold"):
        assert part.filter(pl.col("part") == "test")["inner"].is_null().all()
        sizes = part.filter(pl.col("part") == "train")["inner"].value_counts()["count"]
        assert (len(sizes), sizes.sum()) == (4, 20)


def test_the_same_seed_gives_the_same_folds_and_another_one_others() -> None:
    frame = table([("a", place % 5, place) for place in range(40)])
    first, again, other = (plumbline.split(frame, folds=4, seed=seed).table for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


SPLITTERS_OF_SKLEARN = pytest.mark.parametrize(
    ("options", "name", "arguments"),
    [
        ({"folds": 4}, "KFold", {"n_splits": 4, "shuffle": True, "random_state": 7}),
        ({"folds": 4, "stratify": "y"}, "StratifiedKFold", {"n_splits": 4, "shuffle": True, "random_state": 7}),
        ({"folds": 4, "group": "user"}, "GroupKFold", {"n_splits": 4}),
        (
            {"folds": 3, "group": "user", "stratify": "y"},
            "StratifiedGroupKFold",
            {"n_splits": 3, "shuffle": True, "random_state": 7},
        ),
        ({"folds": 3, "repeats": 2}, "RepeatedKFold", {"n_splits": 3, "n_repeats": 2, "random_state": 7}),
        (
            {"folds": 3, "repeats": 2, "stratify": "y"},
            "RepeatedStratifiedKFold",
            {"n_splits": 3, "n_repeats": 2, "random_state": 7},
        ),
        ({"leave_out": 1}, "LeaveOneOut", {}),
        ({"leave_out": 2}, "LeavePOut", {"p": 2}),
        ({"hold_out": 0.3}, "ShuffleSplit", {"n_splits": 1, "test_size": 0.3, "random_state": 7}),
        ({"hold_out": 0.3, "repeats": 3}, "ShuffleSplit", {"n_splits": 3, "test_size": 0.3, "random_state": 7}),
        ({"hold_out": 0.3, "group": "user"}, "GroupShuffleSplit", {"n_splits": 1, "test_size": 0.3, "random_state": 7}),
        ({"leave_group_out": True, "group": "user"}, "LeaveOneGroupOut", {}),
        ({"hold_out": 0.25, "stratify": "y"}, "StratifiedShuffleSplit", {"n_splits": 1, "test_size": 0.25, "random_state": 7}),
        ({"time": "day", "folds": 3}, "TimeSeriesSplit", {"n_splits": 3}),
    ],
)
"""Our options, and the splitter of scikit-learn that they stand for."""


@SPLITTERS_OF_SKLEARN
def test_the_folds_of_scikit_learn(options: dict[str, Any], name: str, arguments: dict[str, Any]) -> None:
    frame = table([("aab"[place % 3], place % 8, place) for place in range(48)])
    assert_same_as_sklearn(frame, frame, options, name, arguments)


@SPLITTERS_OF_SKLEARN
@pytest.mark.parametrize("numbers", [False, True])
def test_the_folds_of_scikit_learn_where_values_do_not_first_occur_in_their_order(
    tmp_path: Path, options: dict[str, Any], name: str, arguments: dict[str, Any], *, numbers: bool
) -> None:
    rng = np.random.default_rng(len(name) + numbers)
    classes, users = rng.choice(3, 48, p=[0.2, 0.5, 0.3]), rng.integers(2, 14, 48)
    days = rng.permutation(48).tolist()
    rows = [(one if numbers else "cab"[one], two, day) for one, two, day in zip(classes, users, days, strict=True)]
    frame = table(rows) if numbers else table(rows).with_columns(pl.col("user").cast(pl.String) + "x")
    file = tmp_path / "items.csv"
    frame.write_csv(file)
    in_time = frame.with_row_index("row").sort("day") if "time" in options else frame.with_row_index("row")
    assert_same_as_sklearn(file, in_time, options, name, arguments)


def assert_same_as_sklearn(
    items: pl.DataFrame | Path, frame: pl.DataFrame, options: dict[str, Any], name: str, arguments: dict[str, Any]
) -> None:
    """The frame is what scikit-learn sees; its rows are those of the items, or say in a column `row` which they are."""
    model_selection = pytest.importorskip("sklearn.model_selection")
    split = plumbline.split(items, as_="sklearn", seed=7, **options)
    row = frame["row"].to_numpy() if "row" in frame.columns else np.arange(len(frame))
    splitter = getattr(model_selection, name)(**arguments)
    groups = frame["user"].to_numpy() if "group" in options else None
    expected = splitter.split(np.zeros((48, 1)), frame["y"].to_numpy(), groups)
    for (train, test), (their_train, their_test) in zip(split.indices(), expected, strict=True):
        assert (train.tolist(), test.tolist()) == (sorted(row[their_train].tolist()), sorted(row[their_test].tolist()))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"folds": 9}, "E480"),
        ({"folds": 2, "hold_out": 0.5}, "E485"),
        ({"time": "day", "stratify": "y"}, "E485"),
        ({"group": "nobody"}, "E482"),
        ({"time": "y", "folds": 2}, "E483"),
        ({"time": "day", "folds": 2, "gap": "soon"}, "E484"),
        ({"leave_group_out": True}, "E3"),
        ({"gap": 3}, "E3"),
        ({"hold_out": 1.0}, "E490"),
        ({"as_": "sklearn", "bootstrap": 3}, "E485"),
        ({"bootstrap": 3, "group": "user"}, "E485"),
        ({"bootstrap": 3, "stratify": "y"}, "E485"),
        ({"leave_out": 1, "group": "user"}, "E485"),
        ({"leave_group_out": True, "group": "user", "stratify": "y"}, "E485"),
        ({"folds": 2, "group": "user", "stratify": "y", "label_separator": "|"}, "E485"),
    ],
)
def test_what_cannot_be_split_is_refused(options: dict[str, Any], code: str) -> None:
    frame = table([("abcd"[place], place, place) for place in range(4)])
    with pytest.raises(plumbline.PlumblineError, match=code):
        plumbline.split(frame, **options)


def test_an_item_needs_a_name_of_its_own() -> None:
    with pytest.raises(plumbline.BadData, match="E486 item a occurs in rows 1 and 3"):
        plumbline.split(["a", "b", "a"], folds=2)


def test_odd_folds_are_noticed() -> None:
    frame = pl.DataFrame({"id": range(12), "user": [0] * 9 + [1, 2, 3], "y": ["a"] * 11 + ["b"]})
    uneven, missing = plumbline.split(frame, folds=3, group="user", stratify="y").notices
    assert (uneven.code, missing.code, missing.help) == ("N481", "N480", "make fewer folds")
