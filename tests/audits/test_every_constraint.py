"""What every declared constraint must be. A new one is tested here as soon as it is declared."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from plumbline.audits.combinations import named_combination
from plumbline.audits.constraints.registry import Constraint, Pair, all_constraints, constraints_of
from plumbline.audits.kinds import COMBINING, audited_kinds
from plumbline.audits.scenes.scene import scene_of
from plumbline.audits.subjects import registered, scored
from plumbline.tasks import task_named, task_names

ROOT = Path(__file__).parents[2]
EVERY = [constraint for constraints in all_constraints(grouped=True).values() for constraint in constraints]
FEW = 200
MEASURES = {
    "ranking": "AP",
    "filtering": "Accuracy",
    "classification": "Accuracy",
    "clustering": "BCubedP",
    "organization": "F(Rel,Sens)",
    "extraction": "F(P,R)",
}
every_constraint = pytest.mark.parametrize("constraint", EVERY, ids=[f"{one.task}: {one.name}" for one in EVERY])


def smallest_pairs(constraint: Constraint) -> list[Pair]:
    return list(islice(constraint.pairs(constraint.smallest), FEW))


def test_names_are_given_once_in_a_task() -> None:
    for constraints in all_constraints(grouped=True).values():
        names = [constraint.name for constraint in constraints]
        assert len(set(names)) == len(names)


def test_a_task_has_constraints_if_it_has_a_scene() -> None:
    assert list(all_constraints()) == [*(name for name in task_names() if task_named(name).has("scene")), "combining"]
    assert tuple(all_constraints()) == audited_kinds()


@every_constraint
def test_is_found_by_its_name_in_any_spelling(constraint: Constraint) -> None:
    spelled = constraint.name.upper().replace(" ", "-")
    assert constraints_of(constraint.task, [spelled]) == (constraint,)


@every_constraint
def test_says_what_it_demands_and_where_that_is_published(constraint: Constraint) -> None:
    assert re.fullmatch(r"[a-z].*[^.]", constraint.text)
    assert f"{{{constraint.paper}," in (ROOT / "references.bib").read_text(encoding="utf-8")


@every_constraint
def test_pairs_start_at_the_smallest_size_and_are_always_the_same(constraint: Constraint) -> None:
    pairs = smallest_pairs(constraint)
    assert pairs
    assert pairs == smallest_pairs(constraint)
    assert all(pair.size == constraint.smallest for pair in pairs)
    for size in range(1, constraint.smallest):
        assert constraint.demand not in {"better", "equal"} or not list(constraint.pairs(size))


@every_constraint
def test_two_outputs_differ_unless_a_score_alone_is_demanded(constraint: Constraint) -> None:
    same = [pair.better == pair.worse for pair in smallest_pairs(constraint)]
    assert all(same) if constraint.demand == "defined" else not any(same)


@every_constraint
def test_drawn_pairs_have_the_size_and_follow_the_seed(constraint: Constraint) -> None:
    if constraint.draw is None:
        return
    size = constraint.smallest + 3
    first, again = ([constraint.draw(size, rng) for _ in range(FEW)] for rng in (Random(7), Random(7)))  # noqa: S311 - no secret
    assert first == again
    assert any(first)
    assert {pair.size for pair in first if pair} == {size}


@every_constraint
def test_its_task_can_draw_and_score_its_outputs(constraint: Constraint) -> None:
    scene = scene_of(constraint.task)
    outputs = [output for pair in smallest_pairs(constraint)[:5] for output in (pair.better, pair.worse)]
    assert all(map(scene.drawn, outputs))
    if constraint.overlapping and constraint.task == "clustering":
        return
    task = constraint.task
    subject = named_combination("F") if task == COMBINING else registered(MEASURES[task], task)
    (values,) = scored([subject], scene, outputs).values()
    assert len(values) == len(outputs)
