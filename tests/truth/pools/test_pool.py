"""pool(): budgets, strata, stopping rules, what is refused, and the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.io.table import ReadOptions
from plumbline.truth.pools.lists import read_lists
from plumbline.truth.pools.stopping import Stop, knee, parse_rule, quiet, target, targets_needed
from plumbline.truth.pools.strata import draw, parse_strata
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

RUNS = {
    "one": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 1.0}},
    "two": {"q1": {"b": 2.0, "d": 1.0}, "q2": {"y": 2.0, "x": 1.0}},
}
WIDE = {
    "wide": {f"q{case}": {f"d{item:03}": -float(item) for item in range(100)} for case in range(4)},
    "back": {f"q{case}": {f"d{item:03}": float(item) for item in range(100)} for case in range(4)},
}


def made(systems: Any = None, **options: Any) -> plumbline.Pool:
    """A pool, which is no replay."""
    result = plumbline.pool(RUNS if systems is None else systems, **options)
    assert isinstance(result, plumbline.Pool)
    return result


def pairs(pool: plumbline.Pool) -> list[tuple[str, str]]:
    """Case and item of each row."""
    return pool.items.select("case", "item").rows()


def test_a_pool_knows_who_found_what() -> None:
    pool = made()
    assert pool.items.columns == ["case", "item", "order", "found_by"]
    assert pool.items.rows()[0] == ("q1", "b", 1, "one\ttwo")
    assert pairs(pool) == [("q1", "b"), ("q1", "a"), ("q1", "d"), ("q1", "c"), ("q2", "x"), ("q2", "y")]


def test_a_budget_goes_round_the_cases() -> None:
    assert pairs(made(budget=3)) == [("q1", "b"), ("q1", "a"), ("q2", "x")]
    assert pairs(made(per_case=1)) == [("q1", "b"), ("q2", "x")]
    assert len(made(budget=99).items) == 6


def test_what_is_judged_is_not_asked_again() -> None:
    pool = made(judged={"q1": {"b": 1, "a": 0, "zz": 1}})
    assert pairs(pool) == [("q1", "d"), ("q1", "c"), ("q2", "x"), ("q2", "y")]
    assert pool.judged == 2
    assert [notice.code for notice in pool.notices] == ["N442"]


def test_an_item_that_was_pooled_and_not_judged_is_asked() -> None:
    assert ("q1", "b") in pairs(made(judged={"q1": {"b": -1, "a": 0}}))


def test_lists_that_are_shorter_than_the_pool_are_told_of() -> None:
    codes = [(notice.code, notice.headline()) for notice in made(depth=3).notices]
    assert codes == [("N440", "two: N440 2 deep, the pool 3: counted as far as it goes")]


def test_a_system_that_lacks_a_case_is_told_of() -> None:
    pool = made({"one": RUNS["one"], "two": {"q1": {"b": 1.0}}})
    assert [notice.code for notice in pool.notices] == ["N201"]


# --- strata -----------------------------------------------------------------------------------------------------------


def test_strata_are_drawn_with_their_probabilities() -> None:
    pool = made(WIDE, strata="1-5:1 6-20:0.3 21-40:0.05", seed=3)
    counts = pool.items.group_by("case", "stratum", maintain_order=True).agg(
        pl.len(), pl.col("order").count().alias("drawn"), pl.col("probability").unique().alias("p")
    )
    for _, stratum, size, drawn, probability in counts.iter_rows():
        assert size == {1: 10, 2: 30, 3: 40}[stratum]
        assert drawn == {1: 10, 2: 9, 3: 2}[stratum]
        assert probability == [pytest.approx(drawn / size)]
    for _, orders in pool.to_judge.group_by("case").agg("order").iter_rows():
        assert sorted(orders) == list(range(1, 22))


def test_a_draw_depends_on_the_seed_and_not_on_the_order_of_systems() -> None:
    strata = "1-5:0.5 6-40:0.2"
    one, again, other = (made(WIDE, strata=strata, seed=seed) for seed in (1, 1, 2))
    backwards = made(dict(reversed(WIDE.items())), strata=strata, seed=1)
    assert one.items.equals(again.items)
    assert one.to_judge["item"].to_list() == backwards.to_judge["item"].to_list()
    assert one.to_judge["item"].to_list() != other.to_judge["item"].to_list()


def test_every_item_of_a_stratum_is_drawn_as_often_as_its_probability_says() -> None:
    lists = read_lists({"one": {"q": {item: -float(at) for at, item in enumerate("abcdefghij")}}}, ReadOptions())
    strata = parse_strata("1-4:0.5 5-10:0.34")
    share = np.mean([draw(lists, strata, seed).drawn for seed in range(600)], axis=0)
    assert share == pytest.approx([0.5] * 4 + [1 / 3] * 6, abs=0.09)  # 4.4 standard errors


def test_a_sample_that_was_judged_is_a_gold_for_estimates() -> None:
    """Drawn, judged, given back: the estimate is near the truth, and exact where everything is drawn."""
    truth = {case: {item: float(int(item[1:]) % 3 == 0) for item in items} for case, items in WIDE["wide"].items()}
    exact = plumbline.evaluate(truth, WIDE, "AP").mean["value"][0]
    for strata, tolerance in (("1-100:1", 1e-4), ("1-20:1 21-100:0.5", 0.08)):
        pool = made(WIDE, strata=strata, seed=5)
        judged: dict[str, dict[str, float]] = {}
        for case, item in pool.to_judge.select("case", "item").iter_rows():
            judged.setdefault(case, {})[item] = truth[case][item]
        value = plumbline.evaluate(pool.with_grades(judged), WIDE, "xinfAP").mean["value"][0]
        assert value == pytest.approx(exact, abs=tolerance)


@pytest.mark.parametrize("strata", ["", "2-5:1", "1-5:1 7-9:1", "1-5:1 4-9:1", "1-5:0", "1-5:1.5", "1-5", "5-1:1", "x"])
def test_wrong_strata_are_refused(strata: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        made(WIDE, strata=strata or " ")
    assert caught.value.code == "E441"


# --- stopping rules ---------------------------------------------------------------------------------------------------


def flags(drawn: str) -> Any:
    """R for relevant, N for not."""
    return np.array([letter == "R" for letter in drawn])


def test_quiet_stops_after_a_row_of_irrelevant_items() -> None:
    assert quiet(flags("RNNRNNNR"), 3) == Stop(7)
    assert quiet(flags("NNN"), 3) == Stop(3)
    assert quiet(flags("RNNR"), 3) is None


def test_the_knee_needs_a_bend_that_is_steep_enough() -> None:
    """Of 10 relevant items at first, the curve must bend 146 times: (10 / 10) / (1 / (judged - 10)) >= 146."""
    assert knee(flags("R" * 10 + "N" * 300)) == Stop(156)
    assert knee(flags("R" * 200 + "N" * 100)) == Stop(206)
    assert knee(flags("RN" * 100)) is None


def test_a_target_is_the_binomial_bound() -> None:
    assert [targets_needed(recall) for recall in (0.7, 0.8, 0.9)] == [9, 14, 29]
    assert 0.7**9 <= 0.05 < 0.7**8
    assert target(flags("R" * 5 + "N" * 20), 0.8, 0) is None  # fewer than 14 relevant items


def test_a_target_reaches_its_recall_as_often_as_promised() -> None:
    """The recall is below the target in at most 5 % of many worlds, up to chance."""
    rng = np.random.default_rng(5)
    low = 0
    for seed in range(300):
        relevant = rng.random(400) < np.linspace(0.6, 0.05, 400)
        stop = target(relevant, 0.8, seed)
        assert stop is not None
        low += relevant[: stop.after].sum() < 0.8 * relevant.sum()
    assert low <= 300 * 0.05 + 3 * (300 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize("text", ["quiet", "quiet:0", "quiet:x", "target:1.5", "knee:3", ""])
def test_unknown_rules_are_refused(text: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        parse_rule(text)
    assert caught.value.code == "E444"


def test_a_case_that_is_done_is_not_asked_for() -> None:
    judged = {"q1": {"b": 0, "a": 0}, "q2": {"x": 1}}
    pool = made(judged=judged, stop="quiet:2")
    assert pairs(pool) == [("q2", "y")]
    assert "N444" in {notice.code for notice in pool.notices}


def test_a_replay_tells_what_rules_cost() -> None:
    replay = plumbline.pool(RUNS, simulate={"q1": {"b": 1, "a": 0, "d": 0, "c": 1}, "q2": {"x": 1}}, stop=["quiet:2", "knee"])
    assert isinstance(replay, plumbline.Replay)
    assert replay.stops.rows() == [("rrf", "quiet:2", 1, 5, 2, 2 / 3), ("rrf", "knee", 0, 6, 3, 1.0)]
    assert replay.curve.rows()[:2] == [("rrf", 1, 2, 2, 2 / 3), ("rrf", 2, 4, 2, 2 / 3)]
    assert [notice.code for notice in replay.notices] == ["N443"]


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"method": "bandit"}, "E442"),
        ({"method": ["rrf", "borda"]}, "E443"),
        ({"method": "best"}, "E306"),
        ({"forget": 0.5}, None),
        ({"stop": "quiet:3"}, None),
        ({"judged_only": True}, None),
        ({"strata": "1-5:1", "depth": 3}, "E445"),
        ({"judged": {"q1": {"a": 1}}, "simulate": {"q1": {"a": 1}}}, "E445"),
        ({"judged": {"q1": {"a": 1}}, "stop": "target:0.8"}, "E445"),
        ({"simulate": {"q9": {"a": 1}}}, "E452"),
        ({"deep": 3}, None),
    ],
)
def test_what_cannot_be_followed_is_refused(options: dict[str, Any], code: str | None) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.pool(RUNS, **options)
    assert code is None or caught.value.code == code


def test_bad_outputs_are_refused_as_everywhere(tmp_path: Path) -> None:
    twice = tmp_path / "twice.run"
    twice.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\n")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.pool(str(twice))
    assert caught.value.diagnostics[0].place is not None
    assert caught.value.diagnostics[0].place.line == 2
    assert len(made(str(twice), on_duplicate="first").items) == 1
    broken = tmp_path / "nan.run"
    broken.write_text("q1 Q0 a 1 nan t\n")
    with pytest.raises(plumbline.BadData):
        plumbline.pool(str(broken))


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    """The two systems as TREC runs."""
    paths = []
    for name, cases in RUNS.items():
        path = tmp_path / f"{name}.run"
        rows = [f"{case} Q0 {item} 1 {score} {name}" for case, items in cases.items() for item, score in items.items()]
        path.write_text("\n".join(rows) + "\n")
        paths.append(str(path))
    return paths


def test_the_command_prints_and_writes_a_pool(runs: list[str], tmp_path: Path) -> None:
    shown = program("pool", *runs, "--depth", "2", "-q")
    assert shown.code == 0
    assert "5 items to judge in 2 cases: the pool has 5 items." in shown.out
    written = tmp_path / "pool.jsonl"
    assert program("pool", *runs, "--depth", "2", "-o", str(written)).code == 0
    rows = [json.loads(line) for line in written.read_text().splitlines()]
    assert rows[0] == {"case": "q1", "item": "b", "order": 1, "found_by": "one\ttwo"}


def test_the_command_replays(runs: list[str], tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 b 1\nq1 0 a 0\nq2 0 x 1\n")
    shown = program("pool", *runs, "--simulate", str(qrels), "--method", "rrf", "--method", "bandit", "--stop", "quiet:2")
    assert shown.code == 0
    assert "2 of them relevant" in shown.out
    assert "quiet:2" in shown.out


def test_results_can_be_saved(tmp_path: Path) -> None:
    pool = made(depth=2)
    pool.save(tmp_path / "pool.parquet")
    again = plumbline.load(tmp_path / "pool.parquet")
    assert isinstance(again, plumbline.Pool)
    assert again.items.equals(pool.items)
    assert again.systems == ("one", "two")


@pytest.mark.parametrize("way", ["judged", "simulate"])
def test_a_judgement_that_is_repeated_counts_once(way: str) -> None:
    gold = pl.DataFrame({"case": ["q1", "q1"], "item": ["a", "b"], "grade": [1.0, 0.0]})

    def of(judged: pl.DataFrame) -> Any:
        options: dict[str, Any] = {way: judged}
        return plumbline.pool(RUNS, depth=2, **options)

    once, twice = of(gold), of(pl.concat([gold, gold.head(1)]))
    assert {notice.code for notice in twice.notices} - {notice.code for notice in once.notices} == {"N208"}
    assert twice.to_polars().equals(once.to_polars())
    with pytest.raises(plumbline.BadData):
        of(pl.concat([gold, gold.head(1).with_columns(grade=pl.lit(0.0))]))


def test_contradictions_among_judgements_are_refused_with_their_places(tmp_path: Path) -> None:
    pool = plumbline.pool({"one": {"q": {"a": 3.0, "b": 2.0}}}, depth=2)
    assert isinstance(pool, plumbline.Pool)
    path = tmp_path / "qrels.txt"
    path.write_text("q 0 a 1\nq 0 b 0\nq 0 a 1\n")
    assert pool.with_grades(path).rows() == [("q", "a", 1.0), ("q", "b", 0.0)]
    path.write_text("q 0 a 1\nq 0 b 0\nq 0 a 2\n")
    with pytest.raises(plumbline.BadData, match=r"qrels.txt:3:5: E105 .*line 1"):
        pool.with_grades(path)
    assert pool.with_grades(path, on_duplicate="last").rows() == [("q", "a", 2.0), ("q", "b", 0.0)]
    runs = {"one": {"q": {"a": 3.0, "b": 2.0}}}
    with pytest.raises(plumbline.BadData, match="E105"):
        plumbline.pool(runs, judged=path)
    judged = plumbline.pool(runs, judged=path, on_duplicate="first")
    assert isinstance(judged, plumbline.Pool)
    assert judged.to_judge["item"].to_list() == []
