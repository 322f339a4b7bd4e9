"""Notices about baselines that ignore the gold."""

from __future__ import annotations

from plumbline.errors.base import listing, plural
from plumbline.errors.registry import Message, diagnostic


@diagnostic("N225", "A baseline was drawn")
def drawn_floor(metrics: list[str], baselines: list[str], draws: int) -> Message:
    """The expectation of a random output is exact where the measure is linear in the counts; others are drawn, with a seed."""
    return Message(f"{listing(metrics, 4)} of the baselines {listing(baselines)}: mean of {draws:,} seeded draws")


@diagnostic("N226", "Which systems beat every baseline")
def floor_verdict(metrics: list[str], beating: list[str], systems: int) -> Message:
    """A baseline ignores the gold. A system that does not beat all of them has shown nothing by that metric."""
    who = f": {listing(beating)}" if 0 < len(beating) < systems else ""
    verb = "beats" if len(beating) == 1 else "beat"
    some = f"{len(beating)} of {plural(systems, 'system')} {verb}"
    every = "the system beats" if systems == 1 else f"all {systems:,} systems beat"
    count = "no system beats" if not beating else every if len(beating) == systems else some
    return Message(f"by {listing(metrics, 8)} {count} every output that ignores the gold{who}")
