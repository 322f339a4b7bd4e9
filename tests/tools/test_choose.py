"""The advisor: every answer leads to metrics that exist, and the scenarios of the literature to the family they call for."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from plumbline import evaluate
from plumbline.audits.categories import DECISIONS, ORDER, PROBABILITIES, Category, category
from plumbline.errors import BadUsage
from plumbline.metrics import names, registry
from plumbline.tasks import task_names
from plumbline.tools.choose import QUESTIONS, Advice, choose
from plumbline.tools.choose.questions import DEPTH, WEIGHTS, Reads, Task
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
WEIGHT_CHOICES: list[dict[str, Any]] = [{}, {"tp": 3, "fp": 1}, {"tp": 0.5, "tn": 1, "fp": 2, "fn": 0.1}]
DEPTHS: list[dict[str, Any]] = [{}, {"depth": 10}, {"depth": 30.0}]


def combinations_of_answers() -> list[dict[str, Any]]:
    """All answers to the questions that apply, with each question also left open."""
    results: list[dict[str, Any]] = [{}]
    for question in QUESTIONS:
        values = [question.meaning(word) for word in question.choices if word != "unknown"]
        results = [
            {**given, **({} if value is None else {question.key: value})}
            for given in results
            for value in ([None, *values] if question.applies(given) else [None])
        ]
    return [{**given, **numbers} for given in results for numbers in numbers_of(given)]


def numbers_of(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Some answers to the questions for numbers."""
    if DEPTH.applies(given):
        return DEPTHS
    return WEIGHT_CHOICES if given.get("noninformative") == "cost" else [{}]


COMBINATIONS = combinations_of_answers()


def called(given: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in given.items()) or "nothing"


every_combination = pytest.mark.parametrize("given", COMBINATIONS, ids=called)


def test_the_combinations_are_all() -> None:
    by_task = {task: [given for given in COMBINATIONS if given.get("task") == task] for task in (*get_args(Task), None)}
    assert {task: len(given) for task, given in by_task.items() if given} == {
        "filtering": 2 * (3 * 3 + 3 * len(WEIGHT_CHOICES)) + 2,
        "classification": 2 * 3 * 3 + 3,
        "ranking": 3 * 4 * 3,
        "clustering": 3,
        "organization": 4 * (2 * len(DEPTHS) + 1),
        "extraction": 5,
        None: 4 * (2 * len(DEPTHS) + 1),
    }


def specified(task: str) -> set[str]:
    """The names of a task in the list of metrics: what stands before a parenthesis, a cut-off or a space."""
    if task == "extraction":
        return set(registry.all_metrics(task))  # the list is older than the task
    (row,) = re.findall(rf"^\| {task} \|.*$", shared("spec", "metrics.md").read_text(encoding="utf-8"), re.MULTILINE)
    return set(re.findall(r"(?<![=\w])[A-Za-z]\w*(?!\w*=)", " ".join(re.findall(r"`([^`]*)`", row))))


def parts(name: str) -> list[str]:
    """The metrics in a name, without their parameters: `F(P(smooth=laplace),R)` has P and R."""
    inside = re.fullmatch(r"F\((.*)\)", name)
    singles = re.split(r",(?![^(]*\))", inside[1]) if inside else [name]
    return [re.split(r"[(@]", single)[0] for single in singles if not re.match(r"\w+=", single)]


@every_combination
def test_every_metric_is_specified(given: dict[str, Any]) -> None:
    advice = choose(**given)
    known = specified(advice.task)
    assert advice.metrics
    assert {part for name in advice.metrics for part in parts(name)} <= known


@cache
def declared() -> list[str]:
    """The tasks that have metrics."""
    return [task for task in task_names() if registry.all_metrics(task)]


@every_combination
def test_every_metric_can_be_typed(given: dict[str, Any]) -> None:
    advice = choose(**given)
    assert advice.task in declared()
    parse: Callable[..., Any] = names.parse
    for name in advice.metrics:
        parsed = parse(name, task=advice.task)
        assert parse(parsed.name, task=advice.task) == parsed


@every_combination
def test_the_advice_is_whole(given: dict[str, Any]) -> None:
    advice = choose(**given)
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    assert all(re.search(rf"^@\w+\{{{key},", bibliography, re.MULTILINE) for key in advice.references)
    assert advice.references
    assert advice.task == given.get("task", "organization")
    for sentence in (advice.reason, advice.noninformative, *advice.notes):
        assert re.match(r"[A-Z].*\.$", sentence), sentence
    long = [line for line in str(advice).splitlines() if len(line) > 80]
    assert {line.removeprefix("metrics").strip() for line in long} <= {advice.command, *advice.metrics}
    assert str(advice).endswith(advice.command)
    assert not advice.unused
    assert not set(dict(advice.assumed)) & set(given)


@every_combination
def test_smoothing_is_for_unbalanced_input_and_never_for_sums(given: dict[str, Any]) -> None:
    advice = choose(**given)
    if given.get("task") != "filtering":
        assert advice.smoothing is None
        return
    smoothed = given.get("unbalanced") is True and given.get("noninformative") != "cost"
    assert advice.smoothing == ("noninformative" if smoothed else "none")
    for name in advice.metrics:
        assert name.count("smooth=noninformative") == (len(parts(name)) if smoothed else 0)


def test_scenario_one_each_decision_has_its_price() -> None:
    advice = choose(task="filtering", noninformative="cost", tp=5, fp=1)
    assert advice.family == "utility-based"
    assert advice.metrics == ("Utility(tp=5,tn=0,fp=1,fn=0)", "WAcc(lam=5)")
    assert "more than 0.167 of the input" in advice.noninformative
    assert dict(advice.assumed) == {"returns": "decisions", "tn": "0", "fn": "0", "unbalanced": "no smoothing"}


def test_scenario_two_estimating_a_share() -> None:
    advice = choose(task="filtering", noninformative="equal", unbalanced=True)
    assert advice.family == "informativeness-based"
    assert "Lam(smooth=noninformative)" in advice.metrics
    assert advice.smoothing == "noninformative"
    assert "the same score" in advice.noninformative


def test_scenario_three_nothing_may_be_lost() -> None:
    advice = choose(task="filtering", noninformative="all-better", unbalanced=False)
    assert advice.family == "class-oriented"
    assert advice.metrics == ("F(P,R)", "P", "R")
    assert "the more they accept" in advice.noninformative
    assert advice.command == "plumbline evaluate GOLD SYSTEM... --task filtering --positive LABEL -m 'F(P,R)' -m P -m R"


@pytest.mark.parametrize(("returns", "kind"), [("decisions", DECISIONS), ("order", ORDER), ("probabilities", PROBABILITIES)])
def test_metrics_look_at_what_counts(returns: Any, kind: Category) -> None:
    advice = choose(task="filtering", returns=returns)
    metrics = [part.metric for name in advice.metrics for part in names.parse(name, task="filtering").parts]
    assert {category(metric) for metric in metrics} == {kind}
    assert (kind.ferri in advice.family) == (kind.caruana in advice.family) == (returns != "decisions")


def test_an_open_use_compares_the_families_by_the_strict_criterion() -> None:
    advice = choose(task="filtering")
    assert advice.metrics == ("F(Rel,Sens)", "F(P,R)", "MAAc", "Accuracy")
    assert "strict criterion" in advice.family
    assert list(dict(advice.assumed)) == ["returns", "noninformative", "unbalanced"]
    assert choose(task="filtering", noninformative="unknown") == advice


def test_accuracy_with_the_weight_orders_outputs_as_the_sum_does() -> None:
    tp, tn, fp, fn = 3, 1, 2, Fraction(1, 2)
    advice = choose(task="filtering", noninformative="cost", tp=tp, tn=tn, fp=fp, fn=float(fn))
    match = re.fullmatch(r"WAcc\(lam=(.*)\)", advice.metrics[1])
    assert match is not None
    lam, relevant, irrelevant = float(match[1]), 4, 5

    def scores(hits: int, alarms: int) -> tuple[Fraction, Fraction]:
        misses, rejected = relevant - hits, irrelevant - alarms
        weight = (tp + fn) / (tn + fp)
        assert lam == pytest.approx(float(weight))
        utility = tp * hits + tn * rejected - fp * alarms - fn * misses
        return Fraction(utility), (weight * hits + rejected) / (weight * relevant + irrelevant)

    outputs = [scores(*output) for output in product(range(relevant + 1), range(irrelevant + 1))]
    assert all((a[0] > b[0]) == (a[1] > b[1]) for a, b in combinations(outputs, 2))


@pytest.mark.parametrize("relevant", [1, 3, 9])
def test_accepting_everything_wins_above_the_share_that_is_told(relevant: int) -> None:
    tp, tn, fp, fn, size = 4, 1, 1, 2, 10
    advice = choose(task="filtering", noninformative="cost", tp=tp, tn=tn, fp=fp, fn=fn)
    match = re.search(r"more than ([\d.]+) of", advice.noninformative)
    assert match is not None
    everything = tp * relevant - fp * (size - relevant)
    nothing = tn * (size - relevant) - fn * relevant
    assert (everything > nothing) == (relevant / size > float(match[1]))


def test_ranking_names_the_papers_that_its_metrics_name() -> None:
    for given in COMBINATIONS:
        if given.get("task") == "ranking":
            advice = choose(**given)
            papers = {part.metric.paper for name in advice.metrics for part in names.parse(name).parts}
            assert papers == set(advice.references)


def test_the_depth_and_the_grades_decide_about_a_ranking() -> None:
    def ranked(**given: Any) -> tuple[str, ...]:
        return choose(task="ranking", incomplete=False, **given).metrics

    assert ranked(reads="first-hit", graded=False) == ("RR", "Success@1")
    assert ranked(reads="first-page", graded=True) == ("nDCG@10", "ERR@10", "F(Rel(n=10),Sens(n=10))")
    assert ranked(reads="whole-list", graded=False) == ("AP", "R@1000", "F(Rel(n=800),Sens(n=800))")
    assert len(ranked()) == 4


@pytest.mark.parametrize("graded", [True, False, None])
def test_the_relations_of_a_ranking_go_with_more_than_one_hit_and_complete_judgements(graded: bool | None) -> None:  # noqa: FBT001
    for reads, incomplete in product(get_args(Reads), (True, False, None)):
        advice = choose(task="ranking", reads=reads, graded=graded, incomplete=incomplete)
        relations = [name for name in advice.metrics if name.startswith("F(Rel")]
        fits = reads != "first-hit" and not incomplete
        assert len(relations) == fits
        assert ("confidence" in " ".join(advice.notes)) == fits
        assert advice.noninformative.endswith("except for F(Rel,Sens).") == fits


def test_the_strict_measure_falls_with_a_long_tail_of_irrelevant_items_and_the_others_do_not() -> None:
    gold = {"q": {"a": 2, "b": 1}}
    short = {"q": {"a": 3.0, "b": 2.0}}
    long = {"q": {**short["q"], **{f"x{place}": -float(place) for place in range(50)}}}
    for given in COMBINATIONS:
        if given.get("task") == "ranking":
            metrics = [name for name in choose(**given).metrics if not name.startswith("Judged")]
            few, many = (dict(evaluate(gold, run, metrics).mean.select("metric", "value").iter_rows()) for run in (short, long))
            assert all((many[name] < few[name]) == name.startswith("F(Rel") for name in metrics)


def test_what_matters_and_the_collection_decide_about_an_organization() -> None:
    def organized(**given: Any) -> tuple[str, ...]:
        return choose(task="organization", **given).metrics

    assert organized(matters="order") == ("F(Rel(over=priority),Sens(over=priority))",)
    assert organized(matters="groups", depth=10) == ("F(Rel(over=related,n=10),Sens(over=related,n=10))",)
    assert organized(matters="both", collection="finite")[0] == "F(Rel(collection=finite),Sens(collection=finite))"
    assert organized(depth=30) == organized() == choose().metrics
    assert len(organized()) == 3


def test_the_depth_becomes_n_and_matters_only_with_a_tail() -> None:
    deep = choose(task="organization", depth=100)
    assert all(name.count("n=100") == 2 for name in deep.metrics)
    assert "plumbline.weights(100, 0.8)" in deep.notes[0]
    assert "The first position carries" in choose(task="organization", depth=1).notes[0]
    finite = choose(task="organization", collection="finite", depth=100)
    assert finite.unused == ("depth",)
    assert finite.metrics == choose(task="organization", collection="finite").metrics
    assert not any("weights" in note for note in finite.notes)


def test_incomplete_judgements_are_shown() -> None:
    deep = choose(task="ranking", reads="whole-list", incomplete=True)
    assert deep.metrics[-2:] == ("Bpref", "Judged@10")
    assert "judged_only=True" in deep.notes[0]
    assert "Bpref" not in choose(task="ranking", reads="first-page", incomplete=True).metrics


def test_the_kind_of_classes_decides_about_a_classification() -> None:
    assert choose(task="classification", ordered=True).metrics[0] == "CEM"
    assert choose(task="classification", counts="items").metrics[0] == "Accuracy"
    assert choose(task="classification", counts="classes").metrics == ("F(P,R)", "BalancedAccuracy")
    assert "SubsetAccuracy" in choose(task="classification", multilabel=True, counts="items").metrics


def test_answers_that_do_not_matter_change_nothing_and_are_told() -> None:
    plain = choose(task="clustering", overlaps=False)
    noisy = choose(task="clustering", overlaps=False, graded=True, noninformative="cost", tp=3, reads="first-hit")
    assert noisy.unused == ("noninformative", "tp", "graded", "reads")
    assert noisy.metrics == plain.metrics
    assert noisy.command == plain.command
    assert "not used         noninformative, tp, graded, reads" in str(noisy)
    ordered = choose(task="classification", multilabel=True, ordered=True)
    assert ordered.unused == ("ordered",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"task": "sorting"}, "E306 task = 'sorting' is not known"),
        ({"task": "filtering", "noninformative": "best"}, "choose all-better|equal|cost|unknown"),
        ({"task": "ranking", "reads": "page"}, "choose first-hit|first-page|whole-list|unknown"),
        ({"task": "ranking", "graded": "yes"}, "choose True|False|None"),
        ({"task": "clustering", "overlaps": 1}, "overlaps = '1' is not known"),
        ({"task": "organization", "matters": "topics"}, "choose order|groups|both|unknown"),
        ({"task": "organization", "collection": "infinite"}, "choose unlimited|finite|unknown"),
        ({"task": "organization", "depth": 0}, "choose a whole number from 1"),
        ({"task": "organization", "depth": 2.5}, "depth = '2.5' is not known"),
        ({"task": "organization", "depth": float("inf")}, "choose a whole number from 1"),
        ({"task": "organization", "depth": "ten"}, "choose a whole number from 1"),
        ({"task": "filtering", "noninformative": "cost", "tp": -1}, "tp must be a number from 0"),
        ({"task": "filtering", "noninformative": "cost", "tp": float("nan")}, "tp = nan is not allowed"),
        ({"task": "filtering", "noninformative": "cost", "tp": "2"}, "tp must be a number from 0"),
        ({"task": "filtering", "noninformative": "cost", "tp": 2}, "tn + fp = 0 is not allowed"),
        ({"task": "filtering", "noninformative": "cost", "tn": 2}, "tp + fn = 0 is not allowed"),
    ],
)
def test_a_wrong_answer_is_refused_with_the_right_ones(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadUsage) as caught:
        choose(**given)
    assert message in str(caught.value)


def test_every_question_is_an_argument() -> None:
    assert list(inspect.signature(choose).parameters) == [question.key for question in QUESTIONS]
    assert all(question.otherwise and (question.answers or question in (*WEIGHTS, DEPTH)) for question in QUESTIONS)


def test_advice_is_a_value() -> None:
    assert choose(task="ranking") == choose(task="ranking")
    assert isinstance(hash(choose(task="ranking")), int)
    assert isinstance(choose(), Advice)


def test_asking_for_advice_loads_nothing_heavy() -> None:
    loaded = "plumbline.tools.choose, plumbline.cli.commands.choose"
    code = f"import sys, {loaded}; print({{'polars', 'numpy', 'rich'}} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == "set()"


def test_the_page_has_every_question_every_word_and_every_metric() -> None:
    page = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    for question in QUESTIONS:
        for option in question.flags or (question.key,):
            assert f"`--{option}" in page, option
        assert question.flags or all(
            f"`{word}`" in page or f" {word}`" in page for word in question.choices if word != "unknown"
        )
    for given in COMBINATIONS:
        for name in choose(**given).metrics:
            plain = re.sub(r"\((tp|lam)=.*", "", name.replace("(smooth=noninformative)", ""))
            plain = re.sub(r",?(collection=finite|n=\d+)", "", plain).replace("()", "")
            assert f"`{plain}`" in page, name
