"""`clicks` and `simulate_clicks`: logs in every form, bad logs, splits, golds, propensities, metrics of rankings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from plumbline.truth.clicks.uncertainty import wilson
from tests.helpers import click_oracles as slow
from tests.helpers.command_line import plumbline
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ["session", "case", "item", "position", "clicked"]
GOLD = {f"q{case}": {f"d{item}": item % 3 for item in range(6)} for case in range(8)}


def lists(order: list[int]) -> dict[str, dict[str, float]]:
    return {case: {f"d{item}": float(len(order) - place) for place, item in enumerate(order)} for case in GOLD}


SYSTEMS = {"up": lists([2, 5, 1, 4, 0, 3]), "down": lists([3, 0, 4, 1, 5, 2]), "mixed": lists([1, 2, 3, 5, 4, 0])}


def log(sessions: int = 4000, model: str = "pbm", seed: int = 1) -> pl.DataFrame:
    return pb.simulate_clicks(GOLD, SYSTEMS, model=model, sessions=sessions, seed=seed).log


def rows(*shown: tuple[Any, ...], columns: list[str] | None = None) -> pl.DataFrame:
    return pl.DataFrame(list(shown), schema=columns or COLUMNS, orient="row")


def codes(result: pb.Result) -> list[str]:
    return [notice.code for notice in result.notices]


# --- forms ----------------------------------------------------------------------------------------------------------------


def test_a_log_is_the_same_in_every_form(tmp_path: Path) -> None:
    table = rows(("1", "q", "a", 1, 1), ("1", "q", "b", 2, 0), ("2", "q", "b", 1, 0), ("2", "q", "a", 2, 1))
    table.write_csv(tmp_path / "log.csv")
    table.write_csv(tmp_path / "log.tsv", separator="\t")
    table.write_ndjson(tmp_path / "log.jsonl")
    table.write_parquet(tmp_path / "log.parquet")
    (tmp_path / "log.txt").write_text("q\ta,b : a ; q\tb, a : a , a;\n", encoding="utf-8")
    queries = [
        {"query_id": "1", "user_query": "q", "query_response_hit_ids": ["a", "b"], "timestamp": "2026-01-01T00:00:00Z"},
        {"query_id": "2", "user_query": "q", "query_response_hit_ids": ["b", "a"], "timestamp": "2026-01-02T00:00:00Z"},
    ]
    events = [
        {"query_id": one, "action_name": "click", "event_attributes": {"object": {"object_id": "a"}}} for one in ("1", "2")
    ]
    events.append({"query_id": "1", "action_name": "add_to_cart", "event_attributes": {"object": {"object_id": "b"}}})
    for name, records in (("queries", queries), ("events", events)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    expected = pb.clicks(table, model="item-ctr", hold_out=0).gold
    for sources in (["log.csv"], ["log.tsv"], ["log.jsonl"], ["log.parquet"], ["log.txt"], ["queries.jsonl", "events.jsonl"]):
        result = pb.clicks([tmp_path / name for name in sources], model="item-ctr", hold_out=0)
        assert result.gold.equals(expected), sources


def test_other_names_of_columns_are_understood() -> None:
    table = rows(
        (7, "shoes", "a", 0, "true"), (7, "shoes", "b", 1, "false"), columns=["query_id", "query", "url", "pos", "click"]
    )
    result = pb.clicks(table, model="item-ctr", hold_out=0, positions_from=0)
    assert result.gold.select("case", "item", "clicks").rows() == [("shoes", "a", 1), ("shoes", "b", 0)]
    named = rows(("1", "q", "a", 1, 1), columns=["who", "q", "thing", "place", "hit"])
    columns = "session=who,case=q,item=thing,position=place,clicked=hit"
    assert pb.clicks(named, model="item-ctr", hold_out=0, columns=columns).gold["clicks"].to_list() == [1]


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (rows(("1", "q", "a", 0, 1)), "E801"),
        (rows(("1", "q", "a", -3, 1)), "E801"),
        (rows(("1", "q", "a", 1.5, 1)), "E802"),
        (rows(("1", "q", "a", 1, 2)), "E803"),
        (rows(("1", "q", "a", 1, None)), "E803"),
        (rows(("1", "q", "a", 1, 0), ("1", "q", "a", 2, 0)), "E804"),
        (rows(("1", "q", "a", 1, 0), ("1", "q", "b", 1, 0)), "E805"),
        (rows(("1", "q", "a", 100000, 0)), "E807"),
        (rows(("1", "q", "a", 1), columns=COLUMNS[:4]), "E800"),
        (pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String)), "E806"),
        (rows((None, "q", "a", 1, 0)), "E114"),
    ],
)
def test_bad_logs_are_refused(table: pl.DataFrame, code: str) -> None:
    with pytest.raises(pb.PlumblineError) as caught:
        pb.clicks(table, hold_out=0)
    assert caught.value.code == code


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("session,case,item,position,clicked\n1,q,a,1,0\n1,q,b,2,maybe\n", encoding="utf-8")
    with pytest.raises(pb.BadData, match=r"log\.csv:3: E803 clicked 'maybe'"):
        pb.clicks(path)
    (tmp_path / "pages.txt").write_text("q\ta,b : a;\nnonsense;\n", encoding="utf-8")
    with pytest.raises(pb.BadData, match="E808 page 2"):
        pb.clicks(tmp_path / "pages.txt")
    (tmp_path / "events.jsonl").write_text('{"query_id": "1", "action_name": "click"}\n', encoding="utf-8")
    with pytest.raises(pb.BadData, match="E809"):
        pb.clicks(tmp_path / "events.jsonl")


def test_gaps_and_clicks_elsewhere_are_noticed(tmp_path: Path) -> None:
    gap = pb.clicks(rows(("1", "q", "a", 1, 0), ("1", "q", "b", 3, 1)), model="sdbn", hold_out=0)
    assert "N801" in codes(gap)
    assert gap.gold["shown"].to_list() == [1, 1]
    (tmp_path / "log.txt").write_text("q\ta,b : z ; q\tb, a : a, z, z;\n", encoding="utf-8")
    result = pb.clicks(tmp_path / "log.txt", model="item-ctr", hold_out=0)
    assert any(notice.text.startswith("2 clicks on items") for notice in result.notices)


# --- parts ----------------------------------------------------------------------------------------------------------------


def test_the_latest_sessions_are_held_out() -> None:
    table = log(400).with_columns((1000 - pl.col("session").cast(pl.Int64)).alias("when"))
    by_time = pb.clicks(table, model="rank-ctr", hold_out=0.5)
    assert "N806" not in codes(by_time)
    by_order = pb.clicks(table.drop("when"), model="rank-ctr", hold_out=0.5)
    assert "N806" in codes(by_order)
    assert by_time.scores["log_likelihood"][0] != by_order.scores["log_likelihood"][0]
    dates = table.with_columns((pl.date(2026, 1, 1) + pl.duration(days=pl.col("when"))).alias("when"))
    assert pb.clicks(dates, model="rank-ctr", hold_out=0.5).scores.equals(by_time.scores)
    one, same, other = (pb.clicks(table, model="rank-ctr", split="session", seed=seed).scores for seed in (1, 1, 2))
    assert one.equals(same)
    assert not one.equals(other)
    with pytest.raises(pb.BadData, match="E813"):
        pb.clicks(table.with_columns(pl.lit("soon").alias("when")))


def test_cases_that_were_not_fitted_are_scored_apart() -> None:
    table = log(400).sort(pl.col("case") == "q7", maintain_order=True)
    result = pb.clicks(table, model=["ctr", "pbm"], hold_out=0.3)
    assert "N804" in codes(result)
    row = result.scores.row(0, named=True)
    assert row["new_sessions"] == table.filter(pl.col("case") == "q7")["session"].n_unique()
    assert row["log_likelihood_of_new_cases"] < 0
    assert row["sessions"] + row["new_sessions"] == round(0.3 * 400)


def test_a_log_that_is_sorted_by_case_says_why_models_are_not_compared() -> None:
    table = log(400).sort("case", maintain_order=True)
    last = table.filter(pl.col("case") == table["case"][-1])["session"].n_unique()
    result = pb.clicks(table, model=["ctr", "pbm"], hold_out=last / 400 / 2)
    assert "N810" in codes(result)
    assert len(result.summary) == 1
    assert "N810" not in codes(pb.clicks(table, model=["ctr", "pbm"], split="session"))


def test_without_a_prior_unknown_items_are_not_scored_and_the_impossible_is_said() -> None:
    fitted = [("1", "q", "a", 1, 1), ("1", "q", "b", 2, 0), ("2", "q", "a", 1, 1), ("2", "q", "b", 2, 0)]
    table = rows(*fitted, ("3", "q", "a", 1, 0), ("3", "q", "b", 2, 0), ("4", "q", "new", 1, 0), ("4", "q", "b", 2, 0))
    result = pb.clicks(table, model="item-ctr", hold_out=0.5, prior=0)
    assert {"N802", "N807"} <= set(codes(result))
    row = result.scores.row(0, named=True)
    assert (row["sessions"], row["impossible"], row["log_likelihood"]) == (1, 1, -np.inf)
    assert json.loads(result.to_json())["scores"][0]["log_likelihood"] == "-inf"


def test_the_cascade_model_says_what_it_cannot_explain() -> None:
    path = shared("data", "pyclick_yandex", "trainSample.xz")
    result = pb.clicks(path, model=["ctr", "cascade"], hold_out=0)
    texts = [notice.text for notice in result.notices]
    assert "8,938 of 35,064 sessions (25.5 %) have two clicks or more: the cascade model cannot explain them" in texts
    assert "369 clicks on items that their page did not show, dropped" in texts
    assert "538 of 1,024 items were shown at two ranks or more" in result.summary[0]


def test_ranks_that_no_item_links_are_noticed() -> None:
    fixed = rows(*((f"{one}", "q", item, place, one % 2) for one in range(8) for place, item in enumerate("abc", 1)))
    result = pb.clicks(fixed, model=["pbm", "sdbn"], hold_out=0)
    assert any("3 groups that no item links: pbm cannot" in notice.text for notice in result.notices)
    assert "N803" not in codes(pb.clicks(log(200), model="pbm", hold_out=0))


def test_models_are_compared_in_the_words_of_compare() -> None:
    result = pb.clicks(log(), model=["ctr", "rank-ctr", "pbm"])
    assert result.summary[1].startswith("pbm has the best log-likelihood")
    again = pb.compare(result.cases, lower=["perplexity", "conditional perplexity"])
    assert set(again.systems) == {"ctr", "rank-ctr", "pbm"}
    gain = dict(result.scores.select("model", "gain").iter_rows())
    worse, better = (dict(result.scores.select("model", "perplexity").iter_rows())[name] for name in ("ctr", "pbm"))
    assert gain["ctr"] is None
    assert gain["pbm"] == pytest.approx((worse - better) / (worse - 1))


# --- what comes out -------------------------------------------------------------------------------------------------------


def test_intervals_of_shares_are_those_of_wilson() -> None:
    low, high = wilson(np.array([100.0, 9000.0, 1.0]), np.array([100.0, 10000.0, 1.0]), 1.959963984540054)
    assert low == pytest.approx([0.9630, 0.8940, 0.2065], abs=1e-4)
    assert high == pytest.approx([1.0, 0.9057, 1.0], abs=1e-4)


def test_a_cautious_gold_grades_by_the_lower_limit() -> None:
    plain, cautious = (pb.clicks(log(400), model="cascade", hold_out=0, cautious=one) for one in (False, True))
    assert cautious.gold["grade"].equals(plain.gold["low"].alias("grade"))
    assert (cautious.gold["grade"] < plain.gold["grade"]).all()


def test_from_a_log_to_err(tmp_path: Path) -> None:
    """The chain of the slides: R by maximum likelihood on a log, then ERR."""
    log(3000, "cascade").write_ndjson(tmp_path / "log.jsonl")
    gold = tmp_path / "gold.qrels"
    done = plumbline(
        "clicks", str(tmp_path / "log.jsonl"), "--model", "cascade", "--prior", "0", "--hold-out", "0", "-o", str(gold)
    )
    assert done.code == 0, done.err
    relevance = {(case, item): float(grade) for case, _, item, grade in map(str.split, gold.read_text().splitlines())}
    scores = pb.evaluate(gold, SYSTEMS, "ERR(prob=given)@3")
    by_hand = []
    for case in GOLD:
        reading, total = 1.0, 0.0
        for rank, item in enumerate(["d2", "d5", "d1"], 1):
            total += reading * relevance[case, item] / rank
            reading *= 1 - relevance[case, item]
        by_hand.append(total)
    mean = scores.mean.filter(pl.col("system") == "up")["value"][0]
    assert mean == pytest.approx(np.mean(by_hand), abs=1e-9)
    assert scores.mean.sort("value", descending=True)["system"][0] == "up"
    assert pb.clicks(tmp_path / "log.jsonl", model="cascade", prior=0.0, hold_out=0).to_gold()["q0"]["d2"] == pytest.approx(
        relevance["q0", "d2"]
    )


def test_a_gold_comes_from_one_model_that_tells_items_apart(tmp_path: Path) -> None:
    result = pb.clicks(log(200), model=["ctr", "pbm"], hold_out=0)
    with pytest.raises(pb.BadUsage, match="E812"):
        result.to_gold()
    with pytest.raises(pb.BadUsage, match="E811"):
        result.to_gold("ctr")
    with pytest.raises(pb.BadUsage, match="dbn"):
        result.propensities("dbn")
    with pytest.raises(pb.BadUsage, match="E3"):
        pb.clicks(log(200), model="nonsense")
    log(200).write_csv(tmp_path / "log.csv")
    assert plumbline("clicks", str(tmp_path / "log.csv"), "-o", str(tmp_path / "gold.qrels")).code == 2


def test_propensities_of_the_position_based_model_are_recovered(tmp_path: Path) -> None:
    log(20_000).write_csv(tmp_path / "log.csv")
    path = tmp_path / "positions.csv"
    done = plumbline("clicks", str(tmp_path / "log.csv"), "--model", "pbm", "--propensities", "-o", str(path), "--quiet")
    assert done.code == 0, done.err
    relative = pl.read_csv(path)["relative"].to_numpy()
    assert relative == pytest.approx(1 / np.arange(1, 7), abs=0.03)


def test_a_simulated_log_is_the_same_for_a_seed_and_knows_its_parameters(tmp_path: Path) -> None:
    one, same, other = (pb.simulate_clicks(GOLD, SYSTEMS, model="dbn", sessions=50, seed=seed) for seed in (1, 1, 2))
    assert one.log.equals(same.log)
    assert not one.log.equals(other.log)
    truth = one.parameters
    assert truth.filter(parameter="persistence")["value"].to_list() == [0.9]
    assert truth.filter(parameter="attraction", case="q0", item="d2")["value"].to_list() == [pytest.approx(0.95)]
    assert truth.filter(parameter="attraction", case="q0", item="d0")["value"].to_list() == [pytest.approx(0.05)]
    assert (pb.simulate_clicks(GOLD, SYSTEMS, model="ubm", sessions=5).parameters["value"] <= 1).all()
    (tmp_path / "q.qrels").write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    (tmp_path / "x.run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\n", encoding="utf-8")
    files = ["--simulate", str(tmp_path / "q.qrels"), str(tmp_path / "x.run")]
    done = plumbline("clicks", *files, "--sessions", "20", "-o", str(tmp_path / "log.jsonl"))
    assert done.code == 0, done.err
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 40
    assert plumbline("clicks", *files, "--prior", "2").code == 2
    assert plumbline("clicks", str(tmp_path / "log.jsonl"), "--sessions", "3").code == 2


@pytest.mark.parametrize(
    ("model", "metrics"),
    [
        ("pbm", ["uPBM"]),
        ("ubm", ["uUBM"]),
        ("dbn", ["EBU", "rrDBN"]),
        ("sdbn", ["uSDBN", "rrSDBN"]),
        ("dcm", ["uDCM"]),
        ("ccm", ["uCCM"]),
    ],
)
def test_metrics_of_rankings_are_those_of_the_definition(model: str, metrics: list[str]) -> None:
    """Utility: what is clicked times its relevance. Effort: 1/rank of the place that is examined and satisfies."""
    fitted = pb.clicks(log(600), {"up": SYSTEMS["up"], "down": SYSTEMS["down"]}, model=model, hold_out=0, rounds=30)
    grades = {
        item: grade for case, item, grade in fitted.relevance().select("case", "item", "grade").iter_rows() if case == "q0"
    }
    values: dict[Any, float] = {("satisfaction", item): 0.5 for item in grades}  # of items that were never clicked
    for row in fitted.parameters.filter(pl.col("case").is_null() | (pl.col("case") == "q0")).iter_rows(named=True):
        keys = [one for one in (row["item"], row["rank"], row["last_click"]) if one is not None]
        values[(row["parameter"], *keys)] = row["value"]
    shown = ["d2", "d5", "d1", "d4", "d0", "d3"]
    for metric in metrics:
        result = fitted.systems.filter(system="up", case="q0", metric=metric)["value"][0]
        terms = []
        for rank, item in enumerate(shown, 1):
            clicked = slow.alone(model, values, shown, rank)
            gain = clicked * grades[item]
            terms.append(gain if not metric.startswith("rr") else clicked * values["satisfaction", item] / rank)
        assert result == pytest.approx(sum(terms), abs=1e-9)
    means = fitted.systems.group_by("system", "metric").agg(pl.col("value").mean())
    assert (means.filter(system="up")["value"].to_numpy() > 0).all()
    assert pb.compare(fitted.systems).leaderboard["system"][0] == "up"


def test_items_that_were_never_shown_are_noticed() -> None:
    systems = {"new": {"q0": {"d2": 2.0, "elsewhere": 1.0}}}
    result = pb.clicks(log(200), systems, model="pbm", hold_out=0)
    assert any("50.0% of the items of new were never shown" in notice.text for notice in result.notices)
    with pytest.raises(pb.BadUsage, match="E814"):
        pb.clicks(log(200), {"new": {"q0": {"elsewhere": 1.0}}}, model="pbm", hold_out=0)
    with pytest.raises(pb.BadUsage, match="E811"):
        pb.clicks(log(200), systems, model="ctr", hold_out=0)


def test_the_order_of_rows_changes_nothing() -> None:
    table = log(300)
    one = pb.clicks(table, model=["pbm", "dbn"], hold_out=0)
    other = pb.clicks(table.sort("position", "item", maintain_order=True), model=["pbm", "dbn"], hold_out=0)
    keys = ["model", "case", "item"]
    result = one.gold.sort(keys)["grade"].to_numpy()
    assert result == pytest.approx(other.gold.sort(keys)["grade"].to_numpy(), abs=1e-9)


def test_everything_can_be_saved_and_reported(tmp_path: Path) -> None:
    log(200).write_csv(tmp_path / "log.csv")
    path = tmp_path / "models.parquet"
    done = plumbline("clicks", str(tmp_path / "log.csv"), "--model", "all", "-o", str(path), "--quiet")
    assert done.code == 0, done.err
    loaded = pb.load(path)
    assert isinstance(loaded, pb.ClickModels)
    assert len(loaded.models) == 10
    for name in ("parameters", "cases"):
        other = tmp_path / f"{name}.csv"
        assert plumbline("clicks", str(tmp_path / "log.csv"), "--model", "pbm", f"--{name}", str(other), "--quiet").code == 0
        assert len(pl.read_csv(other)) > 5


# --- exact fits -----------------------------------------------------------------------------------------------------------


def test_an_exact_fit_of_sdbn_on_the_command_line(tmp_path: Path) -> None:
    log(300, "sdbn").write_csv(tmp_path / "log.csv")
    for name, given in (("sdbn", ("--fit", "exact")), ("dbn", ("--gamma", "1"))):
        done = program_clicks(tmp_path, "--model", name, *given, "--parameters", tmp_path / f"{name}.csv")
        assert done.code == 0, done.err
    exact, persistent = (pl.read_csv(tmp_path / f"{name}.csv") for name in ("sdbn", "dbn"))
    both = exact.join(persistent, on=["parameter", "case", "item"], suffix="_dbn")
    assert len(both) == len(exact)
    assert both["value"].to_list() == pytest.approx(both["value_dbn"].to_list(), abs=1e-4)
    assert both["low"].to_list() == pytest.approx(both["low_dbn"].to_list(), abs=1e-3)


def program_clicks(folder: Path, *given: Any) -> Any:
    return plumbline("clicks", folder / "log.csv", "--split", "session", *given)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"model": "pbm", "fit": "exact"}, "E815"),
        ({"model": ["ctr", "cascade"], "fit": "exact"}, "E815"),
        ({"model": "dbn", "no_click": "skip"}, "E815"),
        ({"model": "sdbn", "gamma": 0.9}, "E815"),
        ({"model": "sdbn", "fit": "exact", "no_click": "skip"}, "E816"),
    ],
)
def test_options_that_would_change_nothing_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(pb.BadUsage) as caught:
        pb.clicks(log(50), **options)
    assert caught.value.code == code


def test_all_models_take_an_exact_fit_where_they_have_one() -> None:
    counted, exact = (pb.clicks(log(200), fit=way, split="session").scores for way in ("counted", "exact"))
    changed = [one for one, other in zip(counted.rows(), exact.rows(), strict=True) if one != other]
    assert [row[0] for row in changed] == ["dcm", "sdbn"]


def test_a_judgement_that_is_repeated_counts_once_in_a_simulation() -> None:
    lists = {"mine": {"q": {"a": 2.0, "b": 1.0}}}
    gold = pl.DataFrame({"case": ["q", "q"], "item": ["a", "b"], "grade": [1.0, 0.0]})
    twice = pb.simulate_clicks(pl.concat([gold, gold.head(1)]), lists, sessions=50, seed=1)
    assert twice.log.equals(pb.simulate_clicks(gold, lists, sessions=50, seed=1).log)
    assert len(twice.parameters.filter(pl.col("item") == "a")) == len(twice.parameters.filter(pl.col("item") == "b"))
    assert "N208" in [notice.code for notice in twice.notices]
    with pytest.raises(pb.BadData):
        pb.simulate_clicks(pl.concat([gold, gold.head(1).with_columns(grade=pl.lit(0.0))]), lists, sessions=50)
