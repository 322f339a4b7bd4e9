"""What each metric claims is what it keeps: each claim holds on all pairs, each other constraint has a counterexample."""

from __future__ import annotations

import numpy as np
import pytest

from plumbline.audits.combined import COMBINED, claims_of
from plumbline.audits.constraints.registry import all_constraints
from plumbline.audits.judging import NO_PARAMETER, NO_SWITCH, ONE_LABEL, PARTITIONS_ONLY
from plumbline.audits.verdict import margin
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import parse
from plumbline.metrics.registry import all_metrics
from tests.helpers.audit_cache import TASKS, full_audit

pytestmark = pytest.mark.slow

REASONS = {NO_PARAMETER, NO_SWITCH, PARTITIONS_ONLY, ONE_LABEL}
"""Why a constraint is not kept although no pair shows it."""
every_task = pytest.mark.parametrize("task", TASKS)


def claims(name: str, task: str) -> tuple[str, ...]:
    measure = parse(name, task=task)
    if isinstance(measure, Combined):
        parameters = claims_of(name, task)
        assert parameters is not None
        return parameters
    (part,) = measure.parts
    return part.metric.claims


@every_task
def test_what_is_claimed_is_what_is_kept(task: str) -> None:
    actual = full_audit(task)
    assert {name: set(actual.held(name)) for name in actual.metrics} == {
        name: set(claims(name, task)) for name in actual.metrics
    }


@every_task
def test_what_is_not_claimed_has_a_counterexample_or_a_reason(task: str) -> None:
    for verdict in full_audit(task).verdicts:
        if verdict.holds:
            assert verdict.counterexample is None
        else:
            unknown = verdict.outcome == "undecided" and verdict.undefined == len(verdict.searched.pairs)
            assert verdict.counterexample is not None or verdict.reason in REASONS or unknown, str(verdict)


@every_task
def test_counterexamples_are_wrong(task: str) -> None:
    """By the scores that are shown."""
    for verdict in full_audit(task).verdicts:
        if verdict.constraint.demand != "better":
            continue
        sign = -1 if parse(verdict.metric, task=task).better == "lower" else 1
        gain = sign * (verdict.better - verdict.worse)
        broken = np.isin(np.arange(len(gain)), verdict.broken_at)
        least = margin(verdict.better, verdict.worse, verdict.tolerance)
        assert (gain[broken] <= least[broken]).all()
        assert not (gain[~broken] <= least[~broken]).any()
        assert np.isnan(gain[~broken]).sum() == verdict.undefined


@every_task
def test_all_metrics_are_audited_or_said_to_be_left_out(task: str) -> None:
    audited = {parse(name, task=task).parts[0].metric.name for name in full_audit(task).metrics if name not in COMBINED[task]}
    message = " ".join(notice.text for notice in full_audit(task).notices)
    left_out = {metric.name for metric in all_metrics(task).values() if metric.name not in audited and not metric.text}
    assert audited
    assert all(name in message for name in left_out)
    assert set(COMBINED[task]) <= set(full_audit(task).metrics)


@every_task
def test_every_claim_is_the_name_of_a_constraint(task: str) -> None:
    known = {constraint.name for constraint in all_constraints()[task]}
    assert {claim for metric in all_metrics(task).values() for claim in metric.claims} <= known
    assert {claim for parameters in COMBINED[task].values() for claim in parameters} <= known
