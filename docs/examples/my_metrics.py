"""Metrics of one's own."""


def f2(tp: int, fp: int, fn: int, tn: int, *, beta: float = 2.0) -> float:
    """F with more weight on recall."""
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)
