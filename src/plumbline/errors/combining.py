"""Problems with F: what it is made of."""

from __future__ import annotations

from plumbline.errors.registry import Message, diagnostic

_ADVICE = "compare the metrics side by side, or make F of their good sides, such as Accuracy for ErrorRate and TPR for FNR"


@diagnostic("E316", "F of a good and a bad sign")
def opposite_parts(name: str, parts: list[str]) -> Message:
    """F is the harmonic mean of two metrics that are both better when higher, such as precision and recall.

    If one of them is an error or a count, a higher F is neither better nor worse, so nothing could be said with it.
    """
    return Message(f"{name}: of {' and '.join(parts)} a higher value is not better, so F would mean nothing", None, _ADVICE)


@diagnostic("N276", "F of two errors")
def errors_combined(name: str, parts: list[str]) -> Message:
    """A harmonic mean is near the smaller of its parts.

    With metrics that are better when higher it is near the worse one, which is what F is for. With errors it is near the better
    one: where one error is 0, F is 0, however large the other one is.
    """
    reason = f"of {' and '.join(parts)} lower is better, and F is near the lower one, so one of 0 hides the other"
    return Message(f"{name}: {reason}", None, _ADVICE)
