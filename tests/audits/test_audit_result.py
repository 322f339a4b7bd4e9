"""The result of an audit as objects, tables and text."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from typing import Any

import polars as pl
import pytest

import plumbline
from plumbline.audits.constraints.registry import all_constraints, demands
from plumbline.audits.judging import NO_PAIRS
from plumbline.audits.result import SCHEMA
from plumbline.errors import BadUsage
from plumbline.tasks import Task, register, unregister
from tests.helpers.audit_cache import TASKS, full_audit

FEW = 60


@cache
def few() -> plumbline.Audit:
    return plumbline.audit(["P", "WAcc(lam=2)"], task="filtering", budget=FEW)


def refuse(text: str) -> Any:
    raise AssertionError(text)


# --- what is asked ----------------------------------------------------------------------------------------------------------


def test_one_name_or_several_and_the_task_of_the_names() -> None:
    assert plumbline.audit("BCubedP", budget=20).task == "clustering"
    assert plumbline.audit(["AP", "RR"], constraints="priority", budget=20).metrics == ("AP", "RR")


@pytest.mark.parametrize("spelling", ["rag bag", "rag-bag", "RagBag", ["rag_bag"], ("rag bag", "Rag Bag")])
def test_spaces_hyphens_and_case_of_a_constraint_do_not_matter(spelling: str | list[str]) -> None:
    actual = plumbline.audit("BCubedP", constraints=spelling, budget=20)
    assert [one.constraint.name for one in actual.verdicts] == ["rag bag"]


def test_verdicts_are_in_the_order_that_was_asked() -> None:
    names = ["growing quality", "absolute weighting", "definiteness"]
    actual = plumbline.audit(["P", "R"], task="filtering", constraints=names, budget=FEW)
    assert [one.constraint.name for one in actual.verdicts] == [name for name in names for _ in range(2)]
    assert [one.metric for one in actual.verdicts] == ["P", "R"] * 3


@pytest.mark.parametrize(
    ("metric", "options", "code"),
    [
        ("P", {"task": "filtering", "constraints": "nope"}, "E327"),
        ("BrierScore", {"task": "filtering"}, "E328"),
        ("NumRel", {"task": "ranking"}, "E328"),
        ("Silhouette", {"task": "clustering"}, "E328"),
        ("F(P,AUC)", {"task": "filtering"}, "E328"),
    ],
)
def test_what_cannot_be_audited(metric: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(BadUsage) as caught:
        plumbline.audit(metric, **options)
    assert str(caught.value).startswith(code)


def test_what_is_left_out_is_said() -> None:
    (notice,) = full_audit("filtering").notices
    assert notice.code == "N244"
    assert all(name in notice.text.split(": ")[1].split(", ") for name in ("AP", "AUC", "BrierScore", "EER", "LogLoss"))
    assert not few().notices


# --- budgets ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_with_a_budget_of_one_nothing_is_claimed_that_was_not_tried(task: Any) -> None:
    several = {"clustering": "F(BCubedP,BCubedR)", "organization": "F(Rel,Sens)"}
    metric = {"ranking": "AP", "filtering": "Kappa", "classification": "F(P,R)", "extraction": "F(P,R)", **several}[task]
    actual = plumbline.audit(metric, task=task, budget=1)
    for one in actual.verdicts:
        assert len(one.searched.pairs) <= 1
        if not one.searched.pairs:
            assert (one.outcome, one.reason, one.share) == ("undecided", NO_PAIRS, None)
    assert str(actual)
    assert actual.counterexamples()
    json.loads(actual.to_json(), parse_constant=refuse)


def test_what_holds_with_little_is_not_what_holds_with_more() -> None:
    """AP and deepness: the smallest counterexample has 8 items."""
    small, large = (plumbline.audit("AP", constraints="deepness", budget=budget).verdicts[0] for budget in (20, 2000))
    assert (small.holds, large.holds) == (True, False)
    assert large.counterexample is not None
    assert small.searched.every < large.counterexample.pair.size == 8


def test_the_seed_changes_what_is_drawn_only() -> None:
    first, other = (plumbline.audit("P", task="filtering", budget=FEW, seed=seed).verdicts[0].searched for seed in (1, 2))
    every = len(first.pairs) - first.drawn
    assert first.pairs[:every] == other.pairs[:every]
    assert first.pairs[every:] != other.pairs[every:]


# --- tables -----------------------------------------------------------------------------------------------------------------


def test_a_row_for_each_metric_and_constraint() -> None:
    table = few().table
    assert dict(table.schema) == SCHEMA
    assert table.height == 2 * len(all_constraints()["filtering"])
    row = table.row(by_predicate=(pl.col("metric") == "P") & (pl.col("constraint") == "definiteness"), named=True)
    assert (row["outcome"], row["better"], row["worse"]) == ("broken", "TP 0  FP 0  FN 1  TN 1", None)
    assert row["better_score"] is row["worse_score"] is None
    assert row["broken"] == len(few().verdict("P", "definiteness").broken_at)
    for one in table.iter_rows(named=True):
        assert (one["broken"] > 0) <= (one["outcome"] == "broken")


@pytest.mark.parametrize("task", TASKS)
def test_json_has_everything_and_no_nan(task: Any) -> None:
    actual = plumbline.audit(task=task, budget=100)
    parameters = json.loads(actual.to_json(), parse_constant=refuse)
    assert parameters["verdicts"] == actual.table.to_dicts()
    assert [one["name"] for one in parameters["constraints"]] == [one.name for one in all_constraints()[task]]
    assert (parameters["task"], parameters["budget"], parameters["seed"]) == (task, 100, 0)


def test_csv_can_be_read_again() -> None:
    rows = list(csv.DictReader(io.StringIO(few().table.write_csv())))
    assert [row["outcome"] for row in rows] == few().table["outcome"].to_list()


def test_few_metrics_are_columns_and_many_are_rows() -> None:
    assert few().grid().heading == ("constraint", "P", "WAcc(lam=2)")
    assert full_audit("filtering").grid().heading[0] == "metric"
    assert len(full_audit("filtering").grid().rows) == len(full_audit("filtering").metrics)


def test_latex_markdown_html_and_text_say_the_same() -> None:
    texts = [few().to_latex(), few().to_markdown(), few()._repr_html_(), repr(few())]
    for text in texts:
        for word in ("growing quality", "utility-based", "WAcc", "none", "up to 60 pairs"):
            assert word in text
    assert "\\toprule" in texts[0]
    assert texts[1].count("| family") == 1


def test_families_are_told_only_if_all_three_properties_were_tried() -> None:
    assert few().families == {"P": None, "WAcc(lam=2)": "utility-based"}
    some = plumbline.audit("P", task="filtering", constraints=["growing quality", "definiteness"], budget=FEW)
    assert "family" not in str(some)


def test_hostile_names_are_shown_harmlessly() -> None:
    def f(tp: int, fp: int, fn: int, tn: int) -> int:
        del fp, fn, tn
        return tp

    f.__name__ = "<script>&|\x1b[31m"
    actual = plumbline.audit(f, task="filtering", budget=FEW)
    assert "<script>" not in actual._repr_html_()
    for text in (repr(actual), actual.to_markdown(), actual.to_latex(), actual.counterexamples()):
        assert "\x1b" not in text


# --- words ------------------------------------------------------------------------------------------------------------------


def test_counterexamples_tell_every_verdict() -> None:
    parameters = few().counterexamples()
    assert parameters.count("\nP: ") + parameters.startswith("P: ") == len(all_constraints()["filtering"])
    assert "P: definiteness is broken on" in parameters
    assert "  output  TP 0  FP 0  FN 1  TN 1  n/a" in parameters
    assert "WAcc(lam=2): absolute weighting holds on" in parameters


@pytest.mark.parametrize("task", TASKS)
def test_what_constraints_demand(task: Any) -> None:
    lines = demands(task).partition("\n\n")[0].splitlines()
    assert [line.split("  ")[0] for line in lines] == [one.name for one in all_constraints()[task]]
    assert all(one.text in line and one.paper in line for one, line in zip(all_constraints()[task], lines, strict=True))


def test_a_task_without_constraints() -> None:
    register(Task("dreaming", outputs="dreams", default_metrics=()))
    try:
        with pytest.raises(BadUsage, match="E326 no constraints are known for dreaming"):
            plumbline.audit("P", task="dreaming")
    finally:
        unregister("dreaming")


def test_groups_are_listed_below_and_asked_for_by_name() -> None:
    groups = {one.group for one in all_constraints(grouped=True)["filtering"]} - {""}
    assert groups == {"invariances", "axioms"}
    assert all(f"only with --constraint {group}:" in demands("filtering") for group in groups)
    asked = plumbline.audit("P", task="filtering", constraints=["Invariances", "strict monotonicity"], budget=20)
    assert [one.group for one in asked.constraints] == ["invariances"] * 8 + [""]
    assert not any(one.group for one in plumbline.audit("P", task="filtering", budget=20).constraints)


def test_where_neither_has_to_be_better_they_are_not_called_so() -> None:
    actual = plumbline.audit("F(P,R)", task="filtering", constraints=["fixed quality", "strict monotonicity"], budget=100)
    equal, better = (str(verdict).splitlines()[1:] for verdict in actual.verdicts)
    assert [line.split()[0] for line in (*equal, *better)] == ["one", "other", "better", "worse"]


def test_several_metrics_may_stand_between_commas() -> None:
    assert plumbline.audit("P@2,RR", constraints=["priority"], budget=200).metrics == ("P@2", "RR")


def test_a_notebook_shows_the_counterexamples() -> None:
    audited = plumbline.audit("MI", task="filtering", constraints="strict monotonicity", budget=FEW)
    assert "TP 0  FP 1  FN 1  TN 0" in audited._repr_html_()
    assert "TP 0" not in audited.to_html()
