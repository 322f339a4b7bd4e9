"""inspect_pool(): by hand, against slow loops, and on the pool of TREC-COVID."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.truth.pools.depths import fitted_curve
from tests.helpers import covid_pool
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

Table = dict[str, dict[str, float]]


def ranked(text: str) -> dict[str, float]:
    """Letters, best first, as an output."""
    return {letter: -float(place) for place, letter in enumerate(text)}


GOLD: Table = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0, "e": 1}, "q2": {"k": 1, "l": 0, "m": 1}}
RUNS: dict[str, Table] = {
    "one": {"q1": ranked("abx"), "q2": ranked("kl")},
    "two": {"q1": ranked("acy"), "q2": ranked("kmz")},
    "three": {"q1": ranked("cd"), "q2": ranked("lk")},
}
TEAMS = {"one": "A", "two": "B", "three": "A"}


def test_the_depth_is_read_off_the_data() -> None:
    pool = plumbline.inspect_pool(GOLD, RUNS)
    assert pool.depth == 2
    assert pool.depths.select("depth", "pooled", "judged", "relevant", "new").rows() == [
        (1, 4, 4, 3, 3),
        (2, 7, 7, 4, 1),
        (3, 10, 7, 4, 0),
    ]
    assert pool.facts["explained"] == 7  # e is judged and nobody has it
    assert "The pool is 2 deep" in pool.sentences[1]
    assert {notice.code for notice in pool.notices} >= {"N441", "N446"}


def test_nothing_is_inferred_where_first_items_are_not_judged() -> None:
    pool = plumbline.inspect_pool({"q1": {"b": 1}}, {"one": {"q1": ranked("ab")}})
    assert pool.depth is None
    assert "No depth can be read off" in pool.sentences[1]


def test_shares_by_system_and_rank() -> None:
    pool = plumbline.inspect_pool(GOLD, RUNS)
    assert pool.systems.select("system", "judged", "judged@10", "first_unjudged").rows() == [
        ("one", 4 / 5, 4 / 5, 3.0),
        ("two", 4 / 6, 4 / 6, 3.0),
        ("three", 1.0, 1.0, 3.0),
    ]
    shares = {(system, rank): (lists, judged) for system, rank, lists, judged in pool.by_rank.iter_rows()}
    assert shares["two", 3] == (2, 0.0)
    assert shares["one", 1] == (2, 1.0)
    assert ("three", 3) not in shares


def test_what_was_pooled_and_not_judged_is_unjudged() -> None:
    gold = {"q1": {**GOLD["q1"], "x": -1.0}, "q2": GOLD["q2"]}
    assert plumbline.inspect_pool(gold, RUNS).systems["judged"].to_list() == [4 / 5, 4 / 6, 1.0]


def slowly_left_out(metric: str, owner: dict[str, str]) -> dict[str, tuple[int, float | None]]:
    """For each system: what its group alone has in its first two items, and its mean without that."""
    made = {}
    for name, group in owner.items():
        gold: Table = {}
        unique = 0
        for case, judged in GOLD.items():
            of_others = {item for other in RUNS if owner[other] != group for item in list(RUNS[other][case])[:2]}
            pooled = {item for other in RUNS if owner[other] == group for item in list(RUNS[other][case])[:2]}
            gone = (pooled - of_others) & set(judged)
            unique += len(gone)
            gold[case] = {item: grade for item, grade in judged.items() if item not in gone}
        made[name] = (unique, plumbline.evaluate(gold, {name: RUNS[name]}, metric).mean["value"][0])
    return made


@pytest.mark.parametrize("metric", ["AP", "nDCG@10", "ERR@2", "P@2"])
def test_leaving_out_is_evaluating_with_a_smaller_gold(metric: str) -> None:
    pool = plumbline.inspect_pool(GOLD, RUNS, metric, teams=TEAMS)
    for kind, owner in (("system", {name: name for name in RUNS}), ("team", TEAMS)):
        expected = slowly_left_out(metric, owner)
        rows = pool.left_out.filter(pl.col("left_out") == kind)
        assert {name: (count, value) for name, count, value in rows.select("system", "unique", "without").iter_rows()} == {
            name: (count, pytest.approx(value)) for name, (count, value) in expected.items()
        }


def test_only_contributing_systems_are_left_out() -> None:
    pool = plumbline.inspect_pool(GOLD, RUNS, "AP", contributing=["one", "two"])
    assert pool.left_out["system"].to_list() == ["one", "two"]
    assert pool.systems["contributed"].to_list() == [True, True, False]


def test_words_say_whether_a_pool_can_be_reused() -> None:
    gold, runs = pooled_alike(10, 5)
    pool = plumbline.inspect_pool(gold, runs, "AP")
    assert pool.sentences[-1] == (
        "The pool can be reused: a system that was not pooled loses next to nothing. "
        "This rests on 10 cases, 5 systems and 50 judged items that one system alone has."
    )
    apart = {"one": {"q1": ranked("ab")}, "two": {"q1": ranked("cd")}}
    assert "Usable for these systems" in plumbline.inspect_pool({"q1": GOLD["q1"]}, apart).sentences[-1]


def pooled_alike(cases: int, systems: int) -> tuple[Table, dict[str, Table]]:
    """All systems find the same relevant items, and then one irrelevant item of their own."""
    names = [f"s{number}" for number in range(systems)]
    gold = {f"q{case}": {"a": 1.0, "b": 1.0, **dict.fromkeys(names, 0.0)} for case in range(cases)}
    return gold, {name: {case: {"a": 3.0, "b": 2.0, name: 1.0} for case in gold} for name in names}


@pytest.mark.parametrize(
    ("cases", "systems", "teams", "evidence"),
    [
        (9, 5, None, "9 cases, 5 systems and 45 such items"),
        (10, 4, None, "10 cases, 4 systems and 40 such items"),
        (10, 6, 2, "10 cases, 2 teams and 60 such items"),
    ],
)
def test_a_small_loss_of_few_systems_is_no_sign_that_a_pool_can_be_reused(
    cases: int, systems: int, teams: int | None, evidence: str
) -> None:
    gold, runs = pooled_alike(cases, systems)
    options: dict[str, Any] = {} if teams is None else {"teams": {name: f"t{place % teams}" for place, name in enumerate(runs)}}
    last = plumbline.inspect_pool(gold, runs, "AP", **options).sentences[-1]
    assert last.startswith("There is too little data to say whether the pool can be reused: that takes at least 10 cases, 5 ")
    assert last.endswith(f"and there are {evidence}.")


def test_copies_of_one_system_do_not_show_that_a_pool_can_be_reused() -> None:
    gold, runs = pooled_alike(10, 1)
    copies = {f"copy{number}": runs["s0"] for number in range(9)}
    assert "and there are 10 cases, 9 systems and 0 such items" in plumbline.inspect_pool(gold, copies, "AP").sentences[-1]


# --- Zobel's curve ----------------------------------------------------------------------------------------------------


def test_the_curve_is_found_again() -> None:
    """Counts that follow the curve of TREC-5, as a research note quotes it: C = 396.3, s = -0.6304."""
    ranks = np.arange(1, 51)
    curve = fitted_curve(np.asarray(396.3 * ranks**-0.6304 - 1, dtype=np.float64))
    assert curve.scale == pytest.approx(396.3)
    assert curve.slope == pytest.approx(-0.6304)
    assert curve.missing == pytest.approx(sum(396.3 * rank**-0.6304 - 1 for rank in range(51, 101)))
    assert 1250 < curve.missing < 1300  # 1,350 were found


def test_the_interval_of_the_curve_covers_what_comes() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for seed in range(60):
        expected = 300 * np.arange(1, 41) ** -0.7
        counts = np.exp(np.log(expected + 1) + rng.normal(0, 0.2, 40)) - 1
        curve = fitted_curve(counts[:20], seed)
        covered += curve.low <= expected[20:].sum() <= curve.high
    assert covered >= 50  # 95 % promised, of 60


def test_a_deep_pool_has_an_estimate_of_what_is_missing() -> None:
    items = [f"d{number:02}" for number in range(24)]
    gold = {"q": {item: float(number % 3 == 0) for number, item in enumerate(items)}}
    pool = plumbline.inspect_pool(gold, {"one": {"q": {item: -float(at) for at, item in enumerate(items)}}})
    assert pool.depth == 24
    assert "Ranks 25 to 48 would add about" in pool.sentences[2]


# --- bounds, ranges, fewer judgements, condensed lists ----------------------------------------------------------------


def drawn(text: str) -> tuple[Table, dict[str, Table]]:
    """`$` is relevant, `-` is not, `?` is not judged."""
    items = [f"d{number:02}" for number in range(len(text))]
    gold = {"q": {item: float(sign == "$") for item, sign in zip(items, text, strict=True) if sign != "?"}}
    return gold, {"run": {"q": {item: -float(at) for at, item in enumerate(items)}}}


def test_bounds_of_rbp_are_those_of_moffat_and_zobel() -> None:
    gold, run = drawn("$$---$----$-??--?---")
    expected = {"RBP(p=0.5)": (0.7661, 0.7663), "RBP": (0.4470, 0.4889), "RBP(p=0.95)": (0.1661, 0.5993)}
    table = plumbline.inspect_pool(gold, run, list(expected), show="bounds").tables["bounds"]
    for metric, low, high in table.select("metric", "low", "high").iter_rows():
        assert (low, high) == (pytest.approx(expected[metric][0], abs=5e-5), pytest.approx(expected[metric][1], abs=5e-5))


def test_bounds_of_precision_and_gain() -> None:
    gold, run = drawn("$?-?")
    table = plumbline.inspect_pool(gold, run, ["P@4", "DCG@2", "ERR", "AP"], show="bounds").tables["bounds"]
    bounds = {metric: (low, high) for _, metric, low, high in table.iter_rows()}
    assert set(bounds) == {"P@4", "DCG@2", "ERR"}  # AP has none
    assert bounds["P@4"] == (0.25, 0.75)
    assert bounds["DCG@2"] == (1.0, pytest.approx(1 + 1 / np.log2(3)))


def test_ap_may_fall_when_an_unjudged_item_is_relevant() -> None:
    """0.75, and at most 0.5909 if any of the ten unjudged items is relevant: so 0.75 is no lower bound."""
    gold, run = drawn("$--$------" + "?" * 10)
    pool = plumbline.inspect_pool(gold, run, "AP", show=["ranges", "bounds"])
    [row] = pool.tables["ranges"].rows(named=True)
    every = [(1 + 1 / 2 + sum((2 + n) / (10 + n) for n in range(1, more + 1))) / (2 + more) for more in range(11)]
    assert every[1] == pytest.approx(0.5909090909090909)
    assert (row["value"], row["smallest"], row["largest"]) == (0.75, pytest.approx(min(every)), 0.75)
    assert pool.tables["bounds"].is_empty()
    shown = str(pool)
    assert "range" in shown


def test_condensed_lists_are_those_without_unjudged_items() -> None:
    pool = plumbline.inspect_pool(GOLD, RUNS, ["AP", "P@2"], show="condensed")
    expected = plumbline.evaluate(GOLD, RUNS, ["AP", "P@2"], judged_only=True).mean
    values = {(system, metric): value for system, metric, value in expected.select("system", "metric", "value").iter_rows()}
    table = pool.tables["condensed"]
    assert {(system, metric): value for system, metric, _, value in table.iter_rows()} == {
        key: pytest.approx(value) for key, value in values.items()
    }


def test_with_all_judgements_nothing_moves_and_with_few_it_may() -> None:
    rng = np.random.default_rng(1)
    gold = {f"q{case}": {f"d{item}": float(rng.random() < 0.4) for item in range(30)} for case in range(12)}
    runs = {
        f"s{n}": {case: {item: rng.normal() + n * grade / 3 for item, grade in items.items()} for case, items in gold.items()}
        for n in range(6)
    }
    table = plumbline.inspect_pool(gold, runs, "AP", show="thinned").tables["thinned"]
    assert set(table["of"]) == {"judgements", "cases", "depth"}
    tau = {(of, kept): value for of, kept, value in table.select("of", "kept", "tau").iter_rows()}
    assert tau["judgements", "90%"] >= tau["judgements", "5%"] - 0.2
    assert all(-1 <= value <= 1 for value in tau.values())
    again = plumbline.inspect_pool(gold, runs, "AP", show="thinned").tables["thinned"]
    assert table.equals(again)


# --- what is refused, and the command ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"teams": {"one": "A"}}, "E453"),
        ({"contributing": "nobody"}, "E306"),
        ({"show": "all"}, "E306"),
        ({"judged_only": True}, "E445"),
    ],
)
def test_what_cannot_be_followed_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(plumbline.PlumblineError) as caught:
        plumbline.inspect_pool(GOLD, RUNS, **options)
    assert caught.value.code == code


def test_a_gold_without_common_items_is_refused() -> None:
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.inspect_pool({"q1": {"zz": 1}, "q2": {"zz": 1}}, RUNS)
    assert caught.value.code == "E452"


def test_the_command_inspects_when_a_gold_comes_first(tmp_path: Path) -> None:
    gold = tmp_path / "qrels.txt"
    gold.write_text("".join(f"{case} 0 {item} {grade:g}\n" for case, items in GOLD.items() for item, grade in items.items()))
    paths = []
    for name, cases in RUNS.items():
        path = tmp_path / f"{name}.run"
        path.write_text(
            "".join(f"{case} Q0 {item} 1 {score} t\n" for case, items in cases.items() for item, score in items.items())
        )
        paths.append(str(path))
    teams = tmp_path / "teams.csv"
    teams.write_text("system,team\none,A\ntwo,B\nthree,A\n")
    shown = program("pool", str(gold), *paths, "--teams", str(teams), "-m", "AP", "--show", "condensed")
    assert shown.code == 0, shown.err
    assert "The pool is 2 deep" in shown.out
    assert "condensed" in shown.out
    alone = program("pool", str(gold), *paths, "-m", "AP", "--show", "condensed", "--format", "csv", "-q")
    assert alone.out.splitlines()[0] == "system,metric,value,condensed"
    refused = program("pool", str(gold), *paths, "--depth", "3")
    assert refused.code == 2
    assert "makes a pool" in refused.err
    assert program("pool", *paths, "--teams", str(teams)).code == 2


# --- TREC-COVID, round 1 ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pool_of_trec_covid() -> None:
    """Depth 7 can be read off; leaving its team out costs a run 23.6 % of nDCG@10; 1,068 relevant items are of one team.

    Of AP it costs 16.9 %. A note has 12.0 %, which no reading gives that was tried by loops: relevant from grade 1 or 2 on,
    depths of 7, 10, 20 and 100, with all relevant items as divisor or with those that are left, means of shares or shares of
    means.
    """
    teams = covid_pool.leaderboard().rename({"run": "system"})
    pool = plumbline.inspect_pool(covid_pool.qrels(), covid_pool.runs(), ["nDCG@10", "AP"], teams=teams)
    assert pool.depth == 7
    assert pool.depths.row(6)[1:3] == (6959, 6953)
    assert pool.depths["share"][9] == pytest.approx(0.743, abs=5e-4)
    assert pool.facts["explained"] / pool.facts["judged"] == pytest.approx(0.800, abs=5e-4)
    losses = pool.losses.filter(pl.col("left_out") == "team")
    assert losses["systems"].to_list() == [56, 56]
    assert dict(losses.select("metric", "loss").iter_rows()) == {
        "nDCG@10": pytest.approx(0.236, abs=5e-4),
        "AP": pytest.approx(0.169, abs=5e-4),
    }
    alone = pool.left_out.filter(pl.col("left_out") == "team").unique("team")
    assert (alone["unique_relevant"].sum(), pool.facts["relevant"]) == (1068, 2352)
    judged = dict(pool.systems.group_by("contributed").agg(pl.col("judged@10").mean()).iter_rows())
    assert judged == {True: pytest.approx(0.845, abs=2e-3), False: pytest.approx(0.646, abs=2e-3)}
    assert "loses about 24% of nDCG@10 by not having been pooled" in pool.sentences[-1]
