"""Problems with studies of metrics on scores: outputs that cannot take part, questions that the data cannot answer."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, diagnostic, listing, plural, say


@diagnostic("E170", "No output has a value of every metric")
def no_common_output(undefined: list[str]) -> Diagnostic:
    """Metrics are compared on the same outputs: what one system gives on one case, scored by all of them."""
    return say(
        f"no system has a value of every metric on any case; values that are missing: {listing(undefined, 8)}",
        None,
        "leave out a metric with -m, or give undefined values a number with --undefined zero",
    )


@diagnostic("E330", "Two different metrics are needed")
def same_metric_twice(name: str) -> Diagnostic:
    """Disagreements are between two metrics."""
    return say(f"{name} cannot disagree with itself", None, "name two different metrics")


@diagnostic("E331", "There is nothing to smooth")
def nothing_to_smooth(reason: str) -> Diagnostic:
    """Smoothing changes the probabilities behind a filtering metric, so that the counts of each output are needed."""
    return say(reason, None, "give a GOLD and the outputs of filters with --task filtering, and metrics such as Lam or F(P,R)")


@diagnostic("E332", "Gold and systems go together")
def half_of_the_outputs(given: str, lacking: str) -> Diagnostic:
    """Facts about outputs come from the gold and the outputs of the systems, so that both are needed, or none."""
    return say(f"{given} was given without {lacking}", None, f"give {lacking} as well, or scores alone")


@diagnostic("N250", "Some outputs take no part")
def outputs_left_out(count: int, total: int, metrics: list[str]) -> Diagnostic:
    """Strictness, correlations and disagreements rank all outputs together by every metric.

    An output that lacks a value of one metric is left out for all. Robustness, discriminative power and swap rate look at
    one metric at a time, and use all values that it has.
    """
    return say(
        f"{count:,} of {plural(total, 'output')} lack a value of a metric ({listing(metrics, 8)}), "
        "left out of strictness, correlations and disagreements"
    )


@diagnostic("N251", "Cases take no part in robustness")
def cases_left_out(told: list[str]) -> Diagnostic:
    """A case on which all systems have the same value has no correlation with another one.

    A case on which a system lacks a value is left out of robustness and swap rate, so that all systems are ranked on all cases.
    """
    return say(f"cases left out of robustness: {listing(told, 8)}")


@diagnostic("N252", "So few cases can show nothing")
def too_few_cases(cases: int, least: float, level: float, metrics: list[str]) -> Diagnostic:
    """Of n cases the smallest p of a randomization, Wilcoxon or sign test is 2 of 2^n: discriminative power is then 0."""
    some = f" by {listing(metrics, 8)}" if metrics else ""
    return say(f"with {plural(cases, 'case')} no p{some} is below {least:g}, so that no difference is significant at {level:g}")


@diagnostic("N253", "Scores of outputs that are not there")
def unknown_outputs(count: int, total: int) -> Diagnostic:
    """Scores and outputs belong together by the names of systems and cases; nothing more is known where a name differs."""
    return say(
        f"{count:,} of {plural(total, 'output')} with scores are not among the outputs of the systems",
        None,
        "name systems and cases alike in the scores and in the files",
    )
