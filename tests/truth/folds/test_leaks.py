"""check_folds(): what is on both sides is found, by a second look that compares every pair."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from plumbline.truth.folds.near_texts import near_pairs, normalised
from tests.helpers.command_line import plumbline as program
from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = pl.DataFrame({"id": list("abcdef"), "user": [1, 1, 2, 2, 3, 3], "day": [1, 2, 3, 4, 5, 6], "y": list("ppppnn")})


def folds(**parts: list[int | str]) -> pl.DataFrame:
    return pl.DataFrame({"item": list("abcdef"), **parts})


def test_groups_on_both_sides() -> None:
    result = plumbline.check_folds(ITEMS, folds(fold=[1, 2, 1, 1, 2, 2]), group="user")
    assert not result.ok
    assert result.table.rows() == [("group", 1, 1, "a", "1: b"), ("group", 1, 2, "b", "1: a")]
    assert plumbline.check_folds(ITEMS, folds(fold=[1, 1, 2, 2, 2, 2]), group="user").ok


def test_the_future() -> None:
    parts = pl.DataFrame({"item": list("abcd"), "fold": [1, 1, 1, 1], "part": ["train", "train", "test", "train"]})
    assert plumbline.check_folds(ITEMS, parts, time="day").table.rows() == [("future", 1, 1, "c", "d")]
    assert plumbline.check_folds(ITEMS, parts.head(3), time="day").ok


def test_an_item_that_is_trained_on_and_tested() -> None:
    parts = pl.DataFrame({"item": list("aab"), "fold": [1, 1, 1], "part": ["train", "test", "test"]})
    assert plumbline.check_folds(ITEMS, parts).table["kind"].to_list() == ["same item"]


def test_items_that_are_tested_twice_or_never_do_not_leak() -> None:
    parts = pl.DataFrame({"item": list("aabcde"), "fold": [1, 2, 1, 1, 2, 2]})
    result = plumbline.check_folds(ITEMS, parts)
    assert result.ok
    assert result.table.select("kind", "item").rows() == [("tested twice", "a"), ("never tested", "f")]


def test_a_class_that_is_missing_is_a_notice() -> None:
    result = plumbline.check_folds(ITEMS, folds(fold=[1, 1, 1, 1, 2, 2]), stratify="y")
    (notice,) = result.notices
    assert (notice.code, notice.help) == ("N480", "spread the classes with stratify=COLUMN, or make fewer folds")


def test_folds_of_other_items() -> None:
    with pytest.raises(plumbline.BadData, match="E487"):
        plumbline.check_folds(ITEMS, pl.DataFrame({"item": ["a", "z"], "fold": [1, 2]}))


texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join), min_size=2, max_size=14)


def _triples(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[place : place + 3]) for place in range(max(len(words) - 2, 1))} if words else set()


@settings(max_examples=some_of(40))
@given(texts)
def test_reported_pairs_are_near_and_equal_ones_are_all_reported(given_texts: list[str]) -> None:
    first, second, same = near_pairs(normalised(pl.Series(given_texts, dtype=pl.String)), 0.9)
    actual = {(a, b): equal for a, b, equal in zip(first.tolist(), second.tolist(), same.tolist(), strict=True)}
    near = {
        (a, b): given_texts[a] == given_texts[b]
        for a, b in combinations(range(len(given_texts)), 2)
        if (one := _triples(given_texts[a]))
        and (other := _triples(given_texts[b]))
        and len(one & other) >= 0.9 * len(one | other)
    }
    assert actual == near


def test_texts_on_both_sides() -> None:
    long = "the quick brown fox jumps over the lazy dog and runs away from it as fast as a fox can run in the dark " * 2
    other = [f"{word} has nothing to do with foxes at all" for word in ("this", "that")]
    frame = pl.DataFrame({"id": list("abcd"), "text": [long, f"{long.upper()}!", f"{long} indeed", other[0]]})
    parts = pl.DataFrame({"item": list("abcd"), "fold": [1, 2, 2, 1]})
    result = plumbline.check_folds(frame, parts, text="text")
    assert sorted(set(result.table.select("kind", "item", "other").rows())) == [
        ("same text", "a", "b"),
        ("same text", "b", "a"),
        ("similar text", "a", "c"),
        ("similar text", "c", "a"),
    ]


def test_the_command_splits_and_checks(tmp_path: Path) -> None:
    items, made = tmp_path / "items.csv", tmp_path / "folds.csv"
    ITEMS.write_csv(items)
    ended = program("split", items, "--folds", "3", "--group", "user", "-o", made)
    assert ended.code == 0, ended.err
    assert made.read_text().startswith("repeat,fold,item,part\n1,1,")
    checked = program("split", items, "--check", made, "--group", "user")
    assert (checked.code, "Nothing leaks." in checked.out) == (0, True)
    leaking = program("split", items, "--check", made, "--group", "y")
    assert (leaking.code, "scores would be too high" in leaking.out) == (1, True)
    assert program("split", items, "--text", "y").code == 2
    assert program("split", items, "--check", made, "--folds", "3").code == 2


@pytest.mark.parametrize("word", ["dev", "Test", "", None])
def test_a_part_that_is_neither_train_nor_test_is_refused(word: str | None) -> None:
    parts = pl.DataFrame({"item": list("abc"), "fold": [1, 1, 1], "part": ["train", word, "test"]})
    with pytest.raises(plumbline.BadData, match="E479 row 2: the part"):
        plumbline.check_folds(ITEMS, parts)
    gold = {"a": "x", "b": "y", "c": "x"}
    with pytest.raises(plumbline.BadData, match="E479 row 2: the part"):
        plumbline.evaluate(gold, {"mine": gold}, "Accuracy", task="classification", folds=parts)


@pytest.mark.parametrize("name", ["", None])
def test_an_item_without_a_name_is_foreign(name: str | None) -> None:
    with pytest.raises(plumbline.BadData, match=r"E487.*empty"):
        plumbline.check_folds(ITEMS, pl.DataFrame({"item": ["a", name], "fold": [1, 2]}))
