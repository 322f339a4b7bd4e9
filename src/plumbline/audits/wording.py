"""Verdicts in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.constraint import THRESHOLDS
from plumbline.errors.base import plural, visible
from plumbline.render.grid import percent

if TYPE_CHECKING:
    from plumbline.audits.verdict import Verdict

TOLD: Final = {"holds": "yes", "broken": "no", "cannot be told": "n/a"}


def short(verdict: Verdict) -> str:
    """For a cell of a table."""
    if verdict.holds and verdict.constraint.demand in THRESHOLDS:
        return f"yes, n = {verdict.size}"
    if verdict.outcome == "broken" and verdict.constraint.demand == "better":
        return f"no ({percent(verdict.share)})"
    return TOLD[verdict.outcome]


def told(verdict: Verdict) -> str:
    """What was found, with the smallest counterexample."""
    head = f"{visible(verdict.metric)}: {verdict.constraint.name} {_outcome(verdict)}{_aside(verdict)}"
    example = verdict.counterexample
    if example is None:
        return head
    return f"{head}; {_which(verdict)}:\n{example}"


def _outcome(verdict: Verdict) -> str:
    demand, reach = verdict.constraint.demand, _reach(verdict)
    if verdict.outcome == "cannot be told":
        return "cannot be told" + (f": {verdict.reason}" if verdict.reason else "")
    if demand == "from some size on":
        return f"holds from n = {verdict.size} on ({reach})" if verdict.holds else f"is broken ({reach})"
    if demand == "at some size":
        return f"holds at n = {verdict.size} ({reach})" if verdict.holds else f"is broken ({reach})"
    because = f": {verdict.reason}" if verdict.reason else ""
    if verdict.holds:
        return f"holds on {reach}{because}"
    if demand == "one sign":
        return f"is broken{because}"
    return f"is broken on {len(verdict.broken_at):,} of {reach}"


def _reach(verdict: Verdict) -> str:
    """How many pairs there were, and of which size."""
    searched = verdict.searched
    if verdict.constraint.demand in THRESHOLDS:
        sizes = [pair.size for pair in searched.pairs]
        return f"{plural(len(sizes), 'value')} of n from {sizes[0]} to {sizes[-1]:,}"
    what = "output" if verdict.constraint.demand == "defined" else "pair"
    drawn = f", then {searched.drawn:,} drawn up to size {searched.largest}" if searched.drawn else ""
    return f"{plural(verdict.pairs, what)} (all up to size {searched.every}{drawn})"


def _aside(verdict: Verdict) -> str:
    if not verdict.undefined or verdict.reason:
        return ""
    return f", {plural(verdict.undefined, 'pair')} not comparable because a score is undefined"


def _which(verdict: Verdict) -> str:
    example = verdict.counterexample
    if verdict.constraint.demand == "defined":
        return "the smallest, without a score"
    if verdict.constraint.demand == "from some size on":
        return f"from n = {verdict.size} on"
    if verdict.constraint.demand == "one sign":
        return "better elsewhere, but not here"
    which = "the smallest found" if example and example.pair.size > verdict.searched.every else "the smallest"
    if example is None or verdict.constraint.demand == "equal":
        return which
    how = "equal scores" if abs(example.better - example.worse) <= verdict.tolerance else "the wrong way round"
    return f"{which}, {how}"
