"""interleave(): lists as often as the exact fractions say, for every method, and the same for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, get_args

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.options.interleaving import Method
from plumbline.truth.interleaving.drawing import NOBODY
from plumbline.truth.interleaving.lottery import lottery
from plumbline.truth.interleaving.methods.probabilistic import lists_of_softmax
from plumbline.truth.interleaving.methods.team_draft import lists_of_teams
from plumbline.truth.interleaving.rankings import arranged
from plumbline.truth.interleaving.registry import exact_methods, interleaving_methods, names_where
from tests.helpers.command_line import plumbline as program
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.truth.interleaving.exact import Ranking, Shown

WORLDS: list[tuple[list[Ranking], int]] = [
    ([(0, 1, 2, 3), (1, 2, 3, 0)], 4),
    ([(0, 1, 2), (1, 2, 0)], 2),
    ([(0, 1), (2, 3)], 3),
    ([(0, 1, 2), (3, 0)], 4),
]
SEVERAL: list[tuple[list[Ranking], int]] = [([(0, 1, 2), (2, 1, 0), (1, 0, 3)], 3)]
DRAWS = 20_000
METHODS = interleaving_methods()


def drawn(method: str, rankings: list[Ranking], length: int, seed: int = 7) -> Counter[Shown]:
    """How often each list is drawn; teams only where the exact form has them."""
    names = tuple(f"s{number}" for number in range(len(rankings)))
    one = arranged([[[str(item) for item in ranking] for ranking in rankings]], names, ("q",))
    many = one.of(np.zeros(DRAWS, dtype=np.int64))
    made = METHODS[method].draw(many, length, np.random.default_rng(seed), 3.0)
    labels = np.array([*map(int, one.items[0]), NOBODY])
    has_teams = method in {"team-draft", "balanced"}
    counted: Counter[Shown] = Counter()
    for items, teams in zip(labels[made.items].tolist(), made.teams.tolist(), strict=True):
        listed = tuple(item for item in items if item != NOBODY)
        counted[listed, tuple(teams[: len(listed)]) if has_teams else (None,) * len(listed)] += 1
    return counted


def test_the_option_names_every_method_and_each_is_declared_in_full() -> None:
    assert tuple(METHODS) == get_args(Method)
    for name, method in METHODS.items():
        assert method.name == name
        assert method.title
        assert (method.draw.__doc__ or "").endswith(".")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("rankings", "length"), WORLDS)
def test_lists_are_as_frequent_as_the_fractions_say(method: str, rankings: list[Ranking], length: int) -> None:
    exact = exact_methods()[method].lists(rankings, length)
    counted = drawn(method, rankings, length)
    assert set(counted) <= set(exact)
    assert sum(exact.values()) == 1
    for shown, chance in exact.items():
        spread = np.sqrt(DRAWS * float(chance) * (1 - float(chance)))
        assert abs(counted[shown] - DRAWS * float(chance)) <= 5 * spread + 1e-9, shown


@pytest.mark.parametrize("method", names_where(lambda method: not method.pairs_only))
@pytest.mark.parametrize(("rankings", "length"), SEVERAL)
def test_lists_of_several_systems(method: str, rankings: list[Ranking], length: int) -> None:
    exact = exact_methods()[method].lists(rankings, length)
    counted = drawn(method, rankings, length)
    assert set(counted) <= set(exact)
    for shown, chance in exact.items():
        assert counted[shown] / DRAWS == pytest.approx(float(chance), abs=5 * np.sqrt(float(chance) / DRAWS))


def test_the_first_item_of_a_softmax() -> None:
    golden = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))["interleaving"]
    alone = lists_of_softmax([(0, 1, 2)], 1)
    assert [float(alone[(item,), (None,)]) for item in range(3)] == pytest.approx(
        golden["probabilistic_tau3_first_of_three"], abs=5e-6
    )
    both = lists_of_softmax([(0, 1), (1, 2)], 1)
    assert [float(both[(item,), (None,)]) for item in range(3)] == pytest.approx(
        golden["probabilistic_first_of_01_and_12"], abs=5e-6
    )


def test_team_draft_by_hand() -> None:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert lists_of_teams([(0, 1), (0, 2)], 2) == {
        ((0, 2), (0, 1)): half,
        ((0, 1), (1, 0)): half,
    }
    assert lists_of_teams([(0, 1, 2), (0, 1, 2)], 3)[(0, 1, 2), (0, 1, 0)] == quarter


def test_the_possible_lists_of_pairwise_preference_are_those_of_its_authors_kin() -> None:
    """The lists that the tests of github.com/mpkato/interleaving expect."""
    possible = {shown[0] for shown in exact_methods()["pairwise"].lists([(1, 2), (2, 3)], 3)}
    assert possible == {(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1)}
    possible = {shown[0] for shown in exact_methods()["pairwise"].lists([(1, 2), (2, 3), (3, 4)], 2)}
    assert possible == {(1, 2), (1, 3), (1, 4), (2, 1), (2, 3), (2, 4), (3, 1), (3, 2), (3, 4)}


def test_a_lottery_is_fair_at_every_depth() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        first, second = rng.permutation(8)[:6], rng.permutation(8)[:6]
        result = lottery(first, second, 6)
        assert result.fair
        ranks = [{item: place for place, item in enumerate(ranking.tolist(), 1)} for ranking in (first, second)]
        for depth in range(1, 7):
            ahead = sum(
                chance * sum(1 / ranks[0].get(item, 7) - 1 / ranks[1].get(item, 7) for item in shown[:depth])
                for shown, chance in zip(result.lists, result.probability, strict=True)
            )
            assert ahead == pytest.approx(0, abs=1e-8)


RUNS = {
    "old": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 2.0, "e": 1.0}},
    "new": {"q1": {"b": 3.0, "d": 2.0}, "q2": {"d": 2.0, "e": 1.0}, "q3": {"x": 1.0}},
}


def test_lists_as_a_table() -> None:
    made = plumbline.interleave(RUNS, length=2, lists_per_case=3, seed=5)
    table = made.to_polars()
    assert table.columns == ["case", "list", "position", "item", "team"]
    assert table.group_by("case", "list").len()["len"].to_list() == [2] * 6
    assert set(table["team"]) == {"old", "new"}
    assert made.alike == 1
    assert table.equals(plumbline.interleave(RUNS, length=2, lists_per_case=3, seed=5).to_polars())
    assert not table.equals(plumbline.interleave(RUNS, length=2, lists_per_case=3, seed=6).to_polars())
    assert [notice.code for notice in made.notices] == ["N566"]


def test_a_list_is_no_longer_than_what_there_is() -> None:
    for method in METHODS:
        shown = plumbline.interleave(RUNS, method=method, length=9).to_polars().group_by("case").len()  # type: ignore[arg-type]
        assert dict(shown.rows()) == {"q1": 4, "q2": 2}, method


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"softness": 2.0}, "E339"),
        ({"method": "optimized", "length": 13}, "E574"),
        ({"method": "balance"}, "E"),
    ],
)
def test_what_cannot_be_made(options: dict[str, object], code: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.interleave(RUNS, **options)  # type: ignore[arg-type]
    assert caught.value.code.startswith(code)


def test_too_many_systems_and_too_few_cases() -> None:
    with pytest.raises(
        plumbline.BadUsage, match=r'(?s)E573 balanced takes two rankings, not 3.*method="team-draft" takes more'
    ):
        plumbline.interleave({**RUNS, "third": RUNS["old"]}, method="balanced")
    with pytest.raises(
        plumbline.BadUsage, match=r"(?s)E573 team-draft takes two rankings or more, not 1.*give another ranking"
    ):
        plumbline.interleave({"old": RUNS["old"]})
    with pytest.raises(plumbline.BadData, match="E576"):
        plumbline.interleave({"old": {"q1": {"a": 1.0}}, "new": {"q2": {"a": 1.0}}})


def test_the_command_writes_lists(tmp_path: Path) -> None:
    for name, run in RUNS.items():
        lines = [f"{case} Q0 {item} 0 {score} {name}" for case, items in run.items() for item, score in items.items()]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "lists.jsonl"
    done = program("interleave", str(tmp_path / "old.run"), str(tmp_path / "new.run"), "--seed", "3", "-o", str(out))
    assert done.code == 0
    assert pl.read_ndjson(out)["team"].drop_nulls().unique().sort().to_list() == ["new", "old"]
