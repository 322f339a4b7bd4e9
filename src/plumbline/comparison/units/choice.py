"""Cases or items: which are the units of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.comparison.shared import shared_cases
from plumbline.comparison.significance.draws import default_resamples
from plumbline.comparison.significance.power import fewest_cases
from plumbline.comparison.units.clusters import clusters_of
from plumbline.comparison.units.item_evidence import DOCUMENTS, item_evidence
from plumbline.comparison.units.reasons import why_not
from plumbline.errors import BadUsage, units
from plumbline.errors.faces import option, switch
from plumbline.evaluation.evaluation import can_be_read_again
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.significance.effects import Intervals
    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.evaluation.evaluation import Evaluation

ITEMS: Final = "items"
"""What `units=` is where each item is a unit of its own."""
LEVEL: Final = 0.05


@dataclass(frozen=True, eq=False)
class UnitTests:
    """The tests of all measures by other units than cases, or what can be said about items where cases are few."""

    unit: str = "case"
    tests: Mapping[str, tuple[SignificanceResult, Intervals]] | None = None
    about_items: str = ""


def usual_test() -> str:
    """The test of cases, if none is chosen."""
    return str(declared(CompareOptions)["test"].default)


def by_items(cube: Cube, evaluation: Evaluation | None, options: dict[str, Any]) -> UnitTests:
    """Test item by item if that was requested, or if there are too few cases for the test and the metrics allow it.

    `units` and `stratified` are taken out of the options.
    """
    requested, stratified = options.pop("units", None), bool(options.pop("stratified", False))
    if requested is None and not _too_few(cube, options):
        if stratified:
            help_ = f"add {option('units', ITEMS)}, or leave {switch('stratified')} out"
            raise BadUsage(units.no_units("there are enough cases, so that cases are the units", help_))
        possible = evaluation is not None and (why_not(evaluation) or _passed_by(evaluation)) is None
        return UnitTests(about_items=f"{option('units', ITEMS)} tests item by item" if possible else "")
    reason = "there are only scores, no outputs" if evaluation is None else why_not(evaluation) or _passed_by(evaluation)
    if reason is not None or evaluation is None:
        if requested is not None or stratified:
            outputs = "give the gold and the outputs instead of their scores, and items can be drawn"
            raise BadUsage(units.no_units(str(reason), outputs if evaluation is None else ""))
        return UnitTests(about_items=str(reason) if evaluation is not None else "")
    measures = {measure.name: measure for measure in evaluation.request.measures}
    named = [name for name in cube.metrics if name in measures]
    pairs = len(cube.systems) - 1 if options.get("baseline") else len(cube.systems) * (len(cube.systems) - 1) // 2
    level = options.get("level", LEVEL)
    planned = default_resamples("randomization", options.get("correction", "holm"), pairs * len(cube.metrics), level)
    results = item_evidence(
        evaluation,
        [measures[name] for name in named],
        cube.systems,
        resamples=options.get("resamples") or planned,
        seed=options.get("seed", 0),
        clusters=None if requested is None or _is_items(requested) else clusters_of(evaluation, requested),
        stratified=stratified,
        single=requested is not None and _is_items(requested),
    )
    downwards = dict(zip(cube.metrics, cube.lower.tolist(), strict=True))
    tests = {
        name: (test, spread) if downwards[name] == (measures[name].better == "lower") else _turned(test, spread)
        for name, (test, spread) in zip(named, results, strict=True)
    }
    documents = all(str(test.name).endswith(DOCUMENTS) for test, _ in tests.values())
    return UnitTests("document" if documents else "item", tests)


def _turned(test: SignificanceResult, spread: Intervals) -> tuple[SignificanceResult, Intervals]:
    """The same where the user says that the other direction of the metric is the better one."""
    turned = replace(spread, low=-spread.high, high=-spread.low)
    return replace(test, statistic=-test.statistic), turned


def _passed_by(evaluation: Evaluation) -> str | None:
    """Why items can no longer be looked at: they came through a pipe, and only cases were kept."""
    again = can_be_read_again(evaluation.gold) and can_be_read_again(evaluation.systems)
    return None if again or evaluation.has_items else "the outputs came through a pipe, and cannot be read again item by item"


def _is_items(requested: object) -> bool:
    return isinstance(requested, str) and requested == ITEMS


def _too_few(cube: Cube, options: dict[str, Any]) -> bool:
    """Whether the significance test can use so few cases at all."""
    cases = int(shared_cases(cube.known).max(initial=0))
    test, level = options.get("test", "randomization"), options.get("level", LEVEL)
    return cases < fewest_cases(test, 1.0, level, systems=len(cube.systems))
