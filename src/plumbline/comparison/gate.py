"""A gate for automatic checks: may a system replace the baseline?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from plumbline.comparison.finding import findings_grid, signed
from plumbline.comparison.verdict import finding
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import listing, shortened
from plumbline.render.grid import UNDEFINED, Sentences
from plumbline.render.html import html_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.evidence import Evidence
    from plumbline.comparison.finding import Finding

Condition = Literal["not-worse", "better"]
CONDITIONS: Final = ("not-worse", "better")


@dataclass(frozen=True, repr=False)
class Gate:
    """Whether systems pass, and why not.

    Attributes:
        condition: What was demanded: `not-worse` or `better`.
        baseline: The system that they are to replace.
        passed: Whether every system passes.
        checks: A check for each system and measure.
        margin: By how much a mean may be lower, in words; empty if no margin was given.
    """

    condition: str
    baseline: str
    passed: bool
    checks: tuple[Check, ...]
    margin: str = ""

    def __str__(self) -> str:
        failed = [check for check in self.checks if not check.passed]
        if failed:
            return f"gate failed: {'; '.join(shortened(str(check)) for check in failed)}."
        systems = listing(list(dict.fromkeys(check.system for check in self.checks)), 8)
        demanded = "better than" if self.condition == "better" else "not shown to be worse than"
        shown = sorted(self.checks, key=lambda check: not check.remark)[:4]
        details = "; ".join(str(check.finding) for check in shown)
        passed = f"gate passed: {systems} {'are' if ',' in systems else 'is'} {demanded} {self.baseline} ({details})."
        return shortened(passed)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = ((check.system, check.finding, check.outcome) for check in self.checks)
        return html_of([Sentences((str(self),)), findings_grid(rows)])

    def to_dict(self) -> dict[str, Any]:
        """The gate as data: what was demanded, whether it passed, and every check."""
        checks = [
            {
                "system": check.system,
                "metric": check.finding.measure,
                "difference": check.finding.difference,
                "low": check.finding.low,
                "high": check.finding.high,
                "lowest": check.finding.lowest,
                "highest": check.finding.highest,
                "p": check.finding.p,
                "at_most": check.finding.at_most,
                "passed": check.passed,
                "reason": check.reason,
                "remark": check.remark,
            }
            for check in self.checks
        ]
        return {"condition": self.condition, "baseline": self.baseline, "passed": self.passed, "checks": checks}

    def to_markdown(self) -> str:
        """A table for the summary of a job."""
        lines = [
            f"**{'Passed' if self.passed else 'Failed'}**: {self.condition} than {self.baseline}".replace("-", " "),
            "",
            "| system | metric | difference | 95 % | p | |",
            "| --- | --- | ---: | ---: | ---: | --- |",
        ]
        for check in self.checks:
            of = check.finding
            difference = UNDEFINED if of.difference is None else f"{signed(of.difference, of.digits)}{of.beside}"
            chance = of.chance.removeprefix("p = ").removeprefix("p ")
            cells = (check.system, of.measure, difference, of.interval, chance, check.outcome)
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Check:
    """One system by one measure.

    Attributes:
        system: The system that is to replace the baseline.
        finding: Its difference from the baseline.
        passed: Whether that is good enough.
        reason: Why it is not; empty if it is.
        remark: What to know about one that passes; empty if there is nothing.
    """

    system: str
    finding: Finding
    passed: bool
    reason: str = ""
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.system} {self.reason} by {self.finding}"

    @property
    def outcome(self) -> str:
        """Whether it passes, or why not, in a cell of a table."""
        passed = f"passed ({self.remark})" if self.remark else "passed"
        return passed if self.passed else self.reason


def gate(
    evidence: Evidence, condition: Condition = "not-worse", *, systems: Sequence[str] = (), metrics: Sequence[str] = ()
) -> Gate:
    """Whether systems may replace the baseline by the named measures, else by the one that decides, else by all metrics."""
    at = evidence.baseline_at
    if at is None:
        raise BadUsage(usage.bad_option("baseline", "none", list(evidence.systems)[:3]))
    if condition not in CONDITIONS:
        raise BadUsage(usage.bad_option("gate", condition, list(CONDITIONS)))
    names = [measure.name for measure in evidence.measures]
    for name in metrics:
        if name not in names:
            raise BadUsage(usage.unknown_name("metric", name, names[:3]))
    for name in systems:
        if name not in evidence.systems or name == evidence.baseline:
            others = [other for other in evidence.systems if other != evidence.baseline]
            raise BadUsage(usage.unknown_name("system", name, others[:3]))
    chosen = [names.index(name) for name in metrics] or (
        [evidence.primary_at] if evidence.chosen_by_user else list(range(len(names)))
    )
    candidates = list(systems) or [name for name in evidence.systems if name != evidence.baseline]
    checks = tuple(
        _check(evidence, condition, measure, evidence.systems.index(name), at) for name in candidates for measure in chosen
    )
    margin = "" if evidence.margin is None else str(evidence.margin)
    return Gate(condition, evidence.systems[at], all(check.passed for check in checks), checks, margin)


def _check(evidence: Evidence, condition: Condition, measure: int, system: int, baseline: int) -> Check:
    of, name = finding(evidence, measure, system, baseline), evidence.systems[system]
    if of.difference is None:
        return Check(name, of, passed=False, reason="cannot be compared")
    if condition == "better":
        shown = of.winner > 0
        return Check(name, of, passed=shown, reason="" if shown else "is not shown to be better")
    if of.winner < 0:
        return Check(name, of, passed=False, reason="is worse")
    measured = evidence.measures[measure]
    if evidence.margin is not None:
        allowed = float(evidence.margin.of(measured, evidence.baseline_at)[system, baseline])
        lower = -float(measured.difference[system, baseline])
        if lower > allowed and not np.isclose(lower, allowed, rtol=1e-12, atol=0.0):
            return Check(name, of, passed=False, reason=f"is worse by more than {evidence.margin}")
    return Check(name, of, passed=True, remark=f"worse by p, but {of.doubt}" if of.doubt and of.better < 0 else "")
