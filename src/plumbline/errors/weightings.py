"""Problems with metrics that are to be weighed against each other."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, diagnostic, say


@diagnostic("E166", "The metrics cannot be weighed this way")
def unfit_metrics(what: str, reason: str, advice: str) -> Diagnostic:
    """F (the weighted harmonic mean) and the geometric mean are for metrics of 0 and more that are better when higher.

    A metric that is better when lower, or that can be negative, has no place in them: turning its sign makes it negative, and
    any other way to turn it (one minus it, one through it) would be a choice of scale that nobody asked for. The weighted
    arithmetic mean takes such metrics with their sign turned; its weights are then rates of exchange between the units of
    the metrics. Curves over one weight need exactly two metrics; shares of all weightings take any number.
    """
    return say(f"{what}: {reason}", None, advice)
