"""Metric against metric: what the page holds so that its reader can choose two metrics."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from plumbline.figures.kinds import scatter
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.reports.model import MetricChooser, Paragraph, Picture, Section
from plumbline.reports.sections import differences, drawn, outputs
from tests.helpers.chart_specs import inlined
from tests.helpers.page_reader import read_page
from tests.helpers.report_pages import chooser_page, filter_subject, made_scores

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

THREE = ("AP", "RR", "P@10")


def _section(subject: Subject) -> Section:
    result = outputs.section(subject, differences.section(subject))
    assert result is not None
    return result


def _chooser(section: Section) -> MetricChooser:
    return next(block for block in section.blocks if isinstance(block, MetricChooser))


def _words(section: Section) -> str:
    return next(block.text for block in section.blocks if isinstance(block, Paragraph))


def test_crosses_are_the_floor_and_filters_that_accept_the_same_share_of_both_classes() -> None:
    subject = filter_subject()
    result = subject.comparison
    assert result is not None
    ordered = result.leaderboard["system"].to_list()
    crossed = {(ordered[system], subject.cube.cases[case]) for system, case in _chooser(_section(subject)).ignoring}
    wanted = set(product(subject.floor, subject.cube.cases))
    for (name, cases), (case, gold) in product(subject.outputs.systems.items(), subject.outputs.gold.items()):
        accepted = {grade: sum(cases[case][item] for item, label in gold.items() if label == grade) for grade in (0, 1)}
        if accepted[0] == accepted[1]:  # there are as many negative as positive items
            wanted.add((name, case))
    assert ("weak", "c0") in crossed
    assert crossed == wanted


def test_values_stand_in_the_page_once() -> None:
    page = read_page(chooser_page(filter_subject()))
    held = {name: [text for facts, text in page.scripts if facts.get("class") == name] for name in ("values", "marks")}
    assert [len(texts) for texts in held.values()] == [1, 1]
    assert json.loads(held["marks"][0]).keys() == {"start", "ignoring", "layers", "colours", "others", "most", "left_out"}
    box = next(facts for _, facts in page.tags if facts.get("class") == "metric-chooser")
    assert (box["id"], box["data-values"]) == ("choose-metrics", "choose")


def test_two_metrics_leave_nothing_to_choose() -> None:
    subject = subject_of(made_scores(("a", "b"), 4))
    assert _section(subject) == drawn.section(subject, [FIGURES["scatter"]])


@pytest.mark.parametrize(("systems", "most"), [(("alone",), 100_000), (("a", "b"), 20)])
def test_without_values_in_the_page_it_tells_what_is_shown_and_how_to_draw_others(
    monkeypatch: pytest.MonkeyPatch, systems: tuple[str, ...], most: int
) -> None:
    monkeypatch.setattr(differences, "MOST_NUMBERS", most)
    section = _section(subject_of(made_scores(systems, 4, THREE)))
    assert [type(block) for block in section.blocks] == [Paragraph, Picture]
    note = 'The figure is of AP and RR; plot.scatter(metrics=["A", "B"]) draws any other two of the 3 metrics.'
    assert _words(section).endswith(note)


def test_systems_without_values_in_the_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of(made_scores(("a", "b", "c", "d"), 5, THREE))
    assert _words(_section(subject)).endswith("Choose two metrics.")
    monkeypatch.setattr(differences, "MOST_NUMBERS", 3 * 3 * 5)
    section = _section(subject)
    assert _words(section).endswith(
        "The dots of AP and RR are of all systems; those of other metrics are of the best 3 systems, 1 is left out."
    )
    assert _chooser(section).left_out == 1
    assert len(inlined(_chooser(section).picture.spec)["layer"][0]["data"]) == 4 * 5


def test_it_starts_with_the_first_two_metrics_that_an_output_has() -> None:
    scores: dict[str, Any] = {
        "AP": {"a": {"q1": 0.9}, "b": {"q2": 0.8}},
        "RR": {"a": {"q2": 0.9, "q3": 0.4, "q4": 0.1}, "b": {"q1": 0.7, "q3": 0.2, "q4": 0.3}},
        "P@10": {"a": {"q3": 0.9, "q4": 0.2}, "b": {"q1": 0.7, "q4": 0.2}},
    }
    chooser = _chooser(_section(subject_of(scores)))
    assert chooser.start == (1, 2)
    assert chooser.picture.spec["description"].startswith("P@10 against RR, a dot for each output: 4 outputs")
    few = {**scores, "P@10": {"a": {"q3": 0.9}, "b": {"q1": 0.7}}}
    assert [block.text for block in _section(subject_of(few)).blocks if isinstance(block, Paragraph)] == [
        "P@10 against RR is left out: 2 dots would say nothing."
    ]
    subject = subject_of({**scores, "P@10": {"c": {"q1": 0.1, "q2": 0.2, "q3": 0.3}}})
    assert outputs.section(subject, differences.section(subject)) is None


def test_dots_of_many_outputs_are_those_of_the_smallest_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scatter, "MOST", 30)
    draw = random.Random(1)  # noqa: S311 - made data, not secrets
    subject = subject_of({m: {s: {f"q{at:02}": draw.random() for at in range(50)} for s in "ab"} for m in THREE})
    everything = [(system, case) for system in subject.cube.systems for case in subject.cube.cases]
    smallest = sorted(range(100), key=lambda at: at * at * 0x9E3779B1 % 2**32)[:30]
    (layer,) = inlined(FIGURES["scatter"].draw(subject, theme=None).to_dict())["layer"]
    assert [(row["system"], row["case"]) for row in layer["data"]] == [everything[at] for at in sorted(smallest)]
