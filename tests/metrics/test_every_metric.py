"""Properties that every registered metric must have. A new metric is tested here as soon as it is declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plumbline
from plumbline.metrics.measure import Single
from tests.helpers.metric_settings import names_of
from tests.helpers.published_values import ROOT
from tests.helpers.ranking_worlds import World, ideal, moderate, outputs, worlds
from tests.helpers.score_values import LONG, assert_same, values, values_of

if TYPE_CHECKING:
    from plumbline.options.evaluation import Ties
    from tests.helpers.ranking_worlds import Case, Table

METRICS = plumbline.all_metrics()
MANY = 9
every_metric = pytest.mark.parametrize("name", METRICS)
every_number = pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if not metric.text])
more_is_better = [name for name, metric in METRICS.items() if metric.better == "higher"]


def whole_grades(gold: Table) -> Table:
    """The gold without fractional grades, so that what has a gain is what is relevant at rel=1."""
    return {case: {item: float(int(grade)) for item, grade in judged.items()} for case, judged in gold.items()}


# --- range and best value ---------------------------------------------------------------------------------------------


@every_number
@moderate(4)
@given(world=worlds(6, MANY), ties=st.sampled_from(["id", "average"]))
@example(world=LONG, ties="id")
def test_stays_in_its_range(name: str, world: World, ties: str) -> None:
    least, most = METRICS[name].range
    for value in values(names_of(METRICS[name]), world.gold, world.run, ties=ties).values():
        if isinstance(value, float):
            assert least is None or value >= least
            assert most is None or value <= most * (1 + 1e-12)


def assert_ideal_reaches_the_best(names: list[str], world: World) -> None:
    gold = whole_grades(world.gold)
    for (_, setting), value in values(names, gold, ideal(gold)).items():
        best = METRICS[re.split(r"[@(]", setting)[0]].range[1]
        assert value is None or value == pytest.approx(best), setting


@pytest.mark.parametrize(
    "name", [name for name in more_is_better if METRICS[name].range[1] is not None and not METRICS[name].ideal_below_best]
)
@moderate(4)
@given(world=worlds(cases=MANY))
@example(world=LONG)
def test_ideal_output_reaches_the_best(name: str, world: World) -> None:
    assert_ideal_reaches_the_best(names_of(METRICS[name]), world)


@moderate(4)
@given(world=worlds(cases=MANY))
@example(world=LONG)
def test_ideal_output_reaches_the_best_with_these_settings(world: World) -> None:
    """Of metrics whose ideal output reaches it with some settings only."""
    deep = ["R@20", "AP", "AP@20", "RprecMult@1", "RprecMult@0.5", "Rel(over=related)"]
    sets = ["SetP", "SetF", "SetF(beta=0)", "SetF(beta=2)", "SetAP", "SetRelativeP", "Q", "Q(beta=0)", "Q(beta=7)"]
    assert_ideal_reaches_the_best([*deep, *sets], world)


COLLECTION_OF_WHAT_IS_SHOWN = "collection=finite"
"""A finite collection is made of what is judged or shown, so that what the gold says about it depends on the output."""


@pytest.mark.parametrize("name", [name for name in more_is_better if not METRICS[name].ideal_can_be_beaten])
@moderate(4)
@given(world=worlds(cases=MANY))
@example(world=LONG)
def test_no_output_beats_the_ideal(name: str, world: World) -> None:
    gold = whole_grades(world.gold)
    apart = ("rel=2", COLLECTION_OF_WHAT_IS_SHOWN)
    names = [setting for setting in names_of(METRICS[name]) if not any(part in setting for part in apart)]
    best, shown = (values(names, gold, run) for run in (ideal(gold), world.run))
    for key, value in shown.items():
        top = best[key]
        assert (value is None) == (top is None), key
        assert not isinstance(value, float) or not isinstance(top, float) or value <= top + 1e-12, key


# --- what must not matter ---------------------------------------------------------------------------------------------


@every_metric
@moderate(3)
@given(world=worlds(cases=MANY), rng=st.randoms(use_true_random=False))
def test_row_order_does_not_matter(name: str, world: World, rng: Any) -> None:
    def shuffled(table: Table) -> Table:
        pairs = {case: list(table[case].items()) for case in sorted(table, key=lambda _: rng.random())}
        for rows in pairs.values():
            rng.shuffle(rows)
        return {case: dict(rows) for case, rows in pairs.items()}

    names = names_of(METRICS[name])
    assert_same(values(names, shuffled(world.gold), shuffled(world.run)), values(names, world.gold, world.run))


@every_metric
@moderate(3)
@given(world=worlds(cases=MANY))
@example(world=LONG)
def test_item_names_do_not_matter(name: str, world: World) -> None:
    def renamed(table: Table) -> Table:
        return {case: {f"urn:ü/{item} Z": number for item, number in items.items()} for case, items in table.items()}

    names = names_of(METRICS[name])
    assert_same(values(names, renamed(world.gold), renamed(world.run)), values(names, world.gold, world.run))


@every_metric
@moderate(3)
@given(world=worlds(5, MANY), other=outputs(5).filter(bool), ties=st.sampled_from(["id", "average"]))
@example(world=LONG, other={"i00": 1.0}, ties="id")
def test_a_system_scores_the_same_under_any_name_and_in_company(name: str, world: World, other: Case, ties: Ties) -> None:
    names = names_of(METRICS[name])
    systems = {"zeta": {next(iter(world.gold)): other}, "alpha": world.run, "mid": world.run}
    scores = plumbline.evaluate(world.gold, systems, names, ties=ties)
    alone = values(names, world.gold, world.run, ties=ties)
    assert_same(values_of(scores, "alpha"), alone)
    assert_same(values_of(scores, "mid"), alone)


@every_metric
@moderate(4)
@given(world=worlds(cases=MANY), place=st.integers(0, MANY))
@example(world=LONG, place=0)
def test_a_case_scores_the_same_alone_and_in_company(name: str, world: World, place: int) -> None:
    """A metric that looks at the top grade of all cases is left a case that has it."""
    names, case = names_of(METRICS[name]), list(world.run)[place % len(world.run)]
    top = max((grade for judged in world.gold.values() for grade in judged.values()), default=0.0)
    beside = {"top": {"item": top}} if METRICS[name].across_cases else {}
    together = values(names, world.gold, world.run)
    alone = values(names, {case: world.gold[case], **beside}, {case: world.run[case]})
    actual, expected = ({key: value for key, value in each.items() if key[0] == case} for each in (alone, together))
    assert_same(actual, expected)


@every_metric
@moderate(2)
@given(world=worlds(cases=MANY))
def test_metrics_do_not_disturb_each_other(name: str, world: World) -> None:
    crowd = ["AP", "nDCG@3", "ERR", "Q", "RnDCG", "G", "AP(rel=2)", "AUC", "RBP(gain=case)", "RelString@2"]
    names = names_of(METRICS[name])
    together, alone = values([*crowd, *names], world.gold, world.run), values(names, world.gold, world.run)
    assert_same({key: together[key] for key in alone}, alone)


# --- undefined values -------------------------------------------------------------------------------------------------


@every_metric
@pytest.mark.parametrize("judged", [{"a": 0.0, "b": 0.0}, {"a": -1.0}, {}], ids=["irrelevant", "negative", "unjudged"])
@pytest.mark.parametrize("listed", [{"a": 2.0, "b": 1.0}, {}], ids=["shown", "empty"])
def test_undefined_is_null_and_not_zero(name: str, judged: Case, listed: Case) -> None:
    gold, run = {"q": judged, "fine": {"a": 2.0, "b": 0.0}}, {"q": listed, "fine": {"a": 1.0, "b": 0.5}}
    needs_relevant_items = "gold" in METRICS[name].undefined  # the declared reason speaks of the gold
    for (case, setting), value in values(names_of(METRICS[name]), gold, run).items():
        assert (value is not None) == (case == "fine" or not needs_relevant_items), (case, setting)


@every_number
def test_undefined_policies(name: str) -> None:
    gold, run = {"q": {"a": 0.0}, "fine": {"a": 1.0, "b": 0.0}}, {"q": {"a": 1.0}, "fine": {"a": 1.0, "b": 0.0}}
    setting = names_of(METRICS[name])[0]
    plain, zero, one = (values([setting], gold, run, undefined=policy) for policy in ("skip", "zero", "one"))
    for key, value in plain.items():
        assert zero[key] == (0.0 if value is None else value)
        assert one[key] == (1.0 if value is None else value)
    if None in plain.values():
        with pytest.raises(plumbline.BadData) as caught:
            values([setting], gold, run, undefined="error")
        assert caught.value.code == "E117"


# --- declarations -----------------------------------------------------------------------------------------------------


@every_metric
def test_every_parameter_is_tried_with_another_value_than_its_default(name: str) -> None:
    for parameter in METRICS[name].parameters:
        tried = set(parameter.tried()) - {parameter.default}
        alone = parameter.choices and parameter.samples  # its other values need a gold of their own, and tests of their own
        assert tried or alone, f"declare samples for {parameter.name}"


@every_metric
def test_names_read_back(name: str) -> None:
    for setting in names_of(METRICS[name]):
        measure = plumbline.parse(setting)
        assert plumbline.parse(str(measure)) == measure
        assert str(plumbline.parse(str(measure))) == str(measure)


@every_metric
def test_every_alias_names_the_metric(name: str) -> None:
    metric = METRICS[name]
    for alias in metric.aliases:
        cutoff = "" if "{" in alias or metric.at is None else "@1"
        measure = plumbline.parse(re.sub(r"\{\w+\}", "1", alias) + cutoff)
        assert isinstance(measure, Single)
        assert measure.metric is metric


@every_metric
def test_paper_is_in_the_bibliography(name: str) -> None:
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    paper = re.escape(METRICS[name].paper)
    assert re.search(rf"^@\w+\{{\s*{paper}\s*,", bibliography, re.MULTILINE)
