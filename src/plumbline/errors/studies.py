"""Problems with studies of metrics on scores: outputs that cannot take part, questions that the data cannot answer."""

from __future__ import annotations

from plumbline.errors.base import listing, plural
from plumbline.errors.faces import option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E170", "No output has a value of every metric")
def no_common_output(undefined: list[str]) -> Message:
    """Metrics are compared on the same outputs: what one system gives on one case, scored by all of them."""
    return Message(
        f"no system has a value of every metric on any case; values that are missing: {listing(undefined, 8)}",
        None,
        f"leave out a metric with {option('metrics')}, or count undefined values as 0 with {option('undefined', 'zero')}",
    )


@diagnostic("E330", "Two different metrics are needed")
def same_metric_twice(name: str) -> Message:
    """A metric can only disagree with another one."""
    return Message(f"{name} cannot disagree with itself", None, "name two different metrics")


@diagnostic("E331", "There is nothing to smooth")
def nothing_to_smooth(reason: str) -> Message:
    """Smoothing changes the probabilities behind a filtering metric, so the counts of each output are needed."""
    return Message(
        reason,
        None,
        f"give a gold and the outputs of filters with {option('task', 'filtering')}, and metrics such as Lam or F(P,R)",
    )


@diagnostic("E332", "Gold and systems go together")
def half_of_the_outputs(given: str, lacking: str) -> Message:
    """Facts about outputs come from the gold and the outputs of the systems, so give both or neither."""
    return Message(f"{given} was given without {lacking}", None, f"give {lacking} as well, or scores alone")


@diagnostic("E336", "The scores are too many for a study")
def large_study(needed: int, space: int) -> Message:
    """A study of metrics ranks all outputs together. It keeps large tables in temporary files, in the folder of `TMPDIR`."""
    return Message(
        f"ranking all outputs takes about {needed:,} bytes of temporary files, and {space:,} bytes are free",
        None,
        f"set TMPDIR to a folder with more space, or choose fewer metrics with {option('metrics')}",
    )


@diagnostic("E337", "The outputs are too many for Kendall's tau")
def large_kendall(outputs: int, needed: int, memory: int) -> Message:
    """Kendall's tau of two metrics counts pairs of outputs, which have to be in memory; the other tables of a study do not."""
    return Message(
        f"Kendall's tau over {outputs:,} outputs takes about {needed:,} bytes of memory, and the machine has {memory:,}",
        None,
        "leave out the correlations, which JSON has always, or give the scores of fewer cases",
    )


@diagnostic("N250", "Some outputs are left out")
def outputs_left_out(count: int, total: int, metrics: list[str]) -> Message:
    """Strictness, correlations and disagreements rank all outputs together by every metric.

    An output that lacks a value of one metric is left out for all. Robustness, discriminative power and swap rate look at
    one metric at a time, and use all values that it has.
    """
    return Message(
        f"{count:,} of {plural(total, 'output')} lack a value of a metric ({listing(metrics, 8)}), "
        "left out of strictness, correlations and disagreements"
    )


@diagnostic("N251", "Some cases are left out of robustness")
def cases_left_out(reasons: list[str]) -> Message:
    """A case on which all systems have the same value has no correlation with another one.

    A case on which a system lacks a value is left out of robustness and swap rate, so that all systems are ranked on all cases.
    """
    return Message(f"cases left out of robustness: {listing(reasons, 8)}")


@diagnostic("N252", "Too few cases to show a difference")
def too_few_cases(cases: int, least: float, level: float, metrics: list[str]) -> Message:
    """Of n cases the smallest p of a randomization, Wilcoxon or sign test is 2 of 2^n: discriminative power is then 0."""
    some = f" by {listing(metrics, 8)}" if metrics else ""
    return Message(f"with {plural(cases, 'case')} no p{some} is below {least:g}, so no difference is significant at {level:g}")


@diagnostic("N253", "Scores of unknown outputs")
def unknown_outputs(count: int, total: int) -> Message:
    """Scores and outputs are matched by the names of systems and cases; facts about an output are unknown if a name differs."""
    return Message(
        f"{count:,} of {plural(total, 'output')} with scores are not among the outputs of the systems",
        None,
        "name systems and cases alike in the scores and in the files",
    )


@diagnostic("E177", "There are no preferences")
def no_preferences(path: str) -> Message:
    """A table of preferences has a row for each: the columns better and worse name two systems, case says where."""
    return Message(f"{path} has no preferences", None, "give a table with the columns case, better, worse")


@diagnostic("N254", "Preferences about unknown outputs")
def unknown_preferences(count: int, every: int, first: str) -> Message:
    """Preferences are compared with scores, so their systems and cases must be those of the scores."""
    return Message(
        f"{count:,} of {plural(every, 'preference')} are about systems or cases without scores, and left out: "
        f"the first prefers {first}",
        None,
        "use the names of the systems and cases of the scores",
    )


@diagnostic("E178", "Judgements cannot be changed")
def no_judgements(reason: str) -> Message:
    """Noise in judgements shuffles grades or labels, so the gold and the outputs are needed, and can be read again.

    Every item must have one grade or label in a case.
    """
    return Message(f"judgements cannot be changed: {reason}", None, "give a gold with one value for each item, and the systems")
