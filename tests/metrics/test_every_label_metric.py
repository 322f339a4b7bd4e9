"""Properties that every metric of filters and classifiers must have. A new metric is tested here as soon as it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plumbline
from tests.helpers.classification_oracles import CLASSIFICATION
from tests.helpers.filtering_oracles import ANSWERED, FILTERING, SCORED
from tests.helpers.label_values import label_values, oracle_values
from tests.helpers.label_worlds import (
    KINDS,
    PLAIN,
    LabelWorld,
    few_of,
    kinds_of,
    label_worlds,
    outputs,
    perfect,
    spelled_labels,
)
from tests.helpers.oracle_files import load_oracles
from tests.helpers.ranking_worlds import moderate
from tests.helpers.score_values import assert_same, values_of

if TYPE_CHECKING:
    from plumbline.metrics.registry import Metric
    from tests.helpers.label_worlds import Kind, Labels

METRICS: dict[str, Metric] = {
    f"{task}-{name}": metric for task in ("filtering", "classification") for name, metric in plumbline.all_metrics(task).items()
}
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
every_kind = pytest.mark.parametrize("kind", KINDS)
worlds_of_any_kind = st.fixed_dictionaries({kind: label_worlds([kind]) for kind in KINDS})
"""A world of every kind; a test looks at one of them."""


def best_of(metric: Metric) -> float | None:
    return metric.range[metric.better != "lower"]


def worst_of(metric: Metric) -> float | None:
    return metric.range[metric.better == "lower"]


def settings_of(kind: Kind, *without: str) -> dict[str, Metric]:
    """Two settings of each metric by canonical name; `without` tells which to leave out."""
    task: str = PLAIN[kind].task
    measures = [plumbline.parse(name, task=task) for name in few_of(kind) if not any(part in name for part in without)]
    return {str(measure): measure.parts[0].metric for measure in measures}


# --- the second implementation ----------------------------------------------------------------------------------------


def test_every_metric_has_an_oracle() -> None:
    load_oracles("filtering")
    load_oracles("classification")
    assert set(plumbline.all_metrics("filtering")) == {*FILTERING, *SCORED, *ANSWERED}
    assert {*plumbline.all_metrics("classification"), "SubsetAccuracy"} == set(CLASSIFICATION)


@pytest.mark.slow
@every_metric
@moderate(3)
@given(data=st.data())
def test_oracle_agrees_within_the_range_and_undefined_has_a_reason(metric: Metric, data: st.DataObject) -> None:
    least, most = metric.range
    for kind in kinds_of(metric):
        names = spelled_labels(metric, kind)
        for world in (data.draw(label_worlds([kind])), PLAIN[kind]):
            scores = plumbline.evaluate(world.gold, {"system": world.run}, names, task=world.task)
            actual = values_of(scores, "system")
            assert_same(actual, oracle_values(names, world))
            numbers = [value for value in actual.values() if isinstance(value, float)]
            assert least is None or min(numbers, default=least) >= least - 1e-12
            assert most is None or max(numbers, default=most) <= most + 1e-12
            reasons = {column.name: column.undefined for column in scores.columns}
            assert all(reasons[name] for (_, name), value in actual.items() if value is None)
            assert ("N203" in [notice.code for notice in scores.notices]) == (None in actual.values())


@pytest.mark.parametrize("kind", ["decisions", "scores"])
@moderate(4)
@given(worlds=worlds_of_any_kind)
def test_oracle_agrees_where_missing_items_are_wrong(kind: Kind, worlds: dict[Kind, LabelWorld]) -> None:
    for world in (worlds[kind], PLAIN[kind]):
        actual = label_values(few_of(kind), world, missing_items="wrong")
        assert_same(actual, oracle_values(few_of(kind), world, missing_items="wrong"))


@pytest.mark.parametrize(
    "parts", [("P", "R"), ("Rel", "Sens"), ("P(smooth=laplace)", "R(smooth=noninformative)"), ("P", "AUC")]
)
@moderate(5)
@given(world=label_worlds(["decisions", "scores"]), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]) | st.floats(0, 1))
def test_f_combines_two_metrics_per_case(parts: tuple[str, str], world: LabelWorld, alpha: float) -> None:
    name = f"F({parts[0]},{parts[1]},alpha={alpha!r})"
    assert_same(label_values([name], world), oracle_values([name], world))


# --- range, best and worst --------------------------------------------------------------------------------------------


@every_kind
@moderate(4)
@given(worlds=worlds_of_any_kind)
def test_perfect_output_reaches_the_best(kind: Kind, worlds: dict[Kind, LabelWorld]) -> None:
    every = settings_of(kind, "smooth=")
    settings = {name: metric for name, metric in every.items() if not metric.ideal_below_best}
    for (_, name), value in label_values(list(settings), perfect(worlds[kind])).items():
        best = best_of(settings[name])
        assert value is None or best is None or value == pytest.approx(best, abs=1e-12), name


@every_kind
@moderate(4)
@given(worlds=worlds_of_any_kind)
def test_nothing_beats_the_perfect_output(kind: Kind, worlds: dict[Kind, LabelWorld]) -> None:
    settings = settings_of(kind, "smooth=noninformative", "smooth=cells")
    top, actual = (label_values(list(settings), world) for world in (perfect(worlds[kind]), worlds[kind]))
    for (case, name), value in actual.items():
        sign, best = -1.0 if settings[name].better == "lower" else 1.0, top[case, name]
        if isinstance(value, float) and isinstance(best, float):
            assert sign * value <= sign * best + 1e-12, name


@every_kind
def test_missing_case_gets_the_worst_value(kind: Kind) -> None:
    settings = settings_of(kind)
    scores = plumbline.evaluate(PLAIN[kind].gold, {"s": PLAIN[kind].run}, list(settings), task=PLAIN[kind].task)
    assert "N201" in [notice.code for notice in scores.notices]
    for (case, name), value in values_of(scores, "s").items():
        if case == "q3":
            assert isinstance(value, float), name
            assert value == (value if worst_of(settings[name]) is None else worst_of(settings[name])), name


# --- what must not matter ---------------------------------------------------------------------------------------------


@every_kind
@moderate(4)
@given(worlds=worlds_of_any_kind, rng=st.randoms(use_true_random=False))
def test_row_order_and_item_names_do_not_matter(kind: Kind, worlds: dict[Kind, LabelWorld], rng: Any) -> None:
    def other(table: Labels) -> Labels:
        cases = sorted(table, key=lambda _: rng.random())
        shuffled = {case: sorted(table[case].items(), key=lambda _: rng.random()) for case in cases}
        return {case: {f"urn:ü/{item} Z": label for item, label in rows} for case, rows in shuffled.items()}

    world = worlds[kind]
    arguments = LabelWorld(other(world.gold), other(world.run), kind)
    assert_same(label_values(few_of(kind), arguments), label_values(few_of(kind), world))


@every_kind
@moderate(4)
@given(data=st.data())
def test_a_system_scores_the_same_under_any_name_and_in_company(kind: Kind, data: st.DataObject) -> None:
    world = data.draw(label_worlds([kind]))
    systems = {"zeta": data.draw(outputs(world.gold, kind)), "alpha": world.run, "mid": world.run}
    scores = plumbline.evaluate(world.gold, systems, few_of(kind), task=world.task)
    alone = label_values(few_of(kind), world)
    assert_same(values_of(scores, "alpha"), alone)
    assert_same(values_of(scores, "mid"), alone)


@every_kind
@moderate(4)
@given(worlds=worlds_of_any_kind)
def test_a_case_scores_the_same_alone_and_in_company(kind: Kind, worlds: dict[Kind, LabelWorld]) -> None:
    world, together = worlds[kind], label_values(few_of(kind), worlds[kind])
    case = next(iter(world.run))
    assume(not world.part(case).is_refused)
    assert_same(label_values(few_of(kind), world.part(case)), {key: together[key] for key in together if key[0] == case})


@every_kind
@moderate(3)
@given(worlds=worlds_of_any_kind)
def test_metrics_do_not_disturb_each_other(kind: Kind, worlds: dict[Kind, LabelWorld]) -> None:
    together = label_values(few_of(kind), worlds[kind])
    for name in few_of(kind)[::9]:
        alone = label_values([name], worlds[kind])
        assert_same(alone, {key: together[key] for key in alone})


@moderate(12)
@given(world=label_worlds(["single", "several"]))
def test_f_of_averages_is_never_lower_than_the_average_f(world: LabelWorld) -> None:
    actual = label_values(["F(P,R)", "F(P(average=macro),R(average=macro))"], world)
    for case in world.gold:
        of_classes, of_averages = (actual[case, name] for name in ("F(P,R)", "F(P,R,of=averages)"))
        if isinstance(of_classes, float) and isinstance(of_averages, float):
            assert of_averages >= of_classes - 1e-12


# --- declarations ------------------------------------------------------------------------------------------------------


@every_metric
def test_every_parameter_is_tried_with_another_value_than_its_default(metric: Metric) -> None:
    for parameter in metric.parameters:
        if parameter.name != "class":  # tried by average=none
            assert set(parameter.tried()) - {parameter.default}, f"declare samples for {parameter.name}"


@every_metric
def test_names_read_back(metric: Metric) -> None:
    for kind in kinds_of(metric):
        for name in [*spelled_labels(metric, kind), *metric.aliases]:
            measure = plumbline.parse(name, task=metric.task)
            assert plumbline.parse(str(measure), task=metric.task) == measure
            assert str(plumbline.parse(str(measure), task=metric.task)) == str(measure)
            assert measure.parts[0].metric is metric
