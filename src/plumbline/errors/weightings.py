"""Problems with metrics that are weighted against each other."""

from __future__ import annotations

from plumbline.errors.registry import Message, diagnostic


@diagnostic("E166", "The metrics cannot be weighted this way")
def unfit_metrics(what: str, reason: str, advice: str) -> Message:
    """F (the weighted harmonic mean) and the geometric mean are for metrics of 0 and more that are better when higher.

    A metric that is better when lower, or that can be negative, does not fit: turning its sign makes it negative, and
    any other transformation (one minus it, one divided by it) would be an arbitrary choice of scale. The weighted
    arithmetic mean takes such metrics with their sign turned; its weights are then rates of exchange between the units of
    the metrics. Curves over one weight need exactly two metrics; shares of all weightings take any number.
    """
    return Message(f"{what}: {reason}", None, advice)
