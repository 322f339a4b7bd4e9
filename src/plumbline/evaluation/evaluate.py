"""evaluate(): score systems against a gold standard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from plumbline.evaluation.engines.registry import bytes_of, chosen_engine, run
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.options.engines import EngineOptions, EvaluateAnywhereOptions
from plumbline.options.option import checked, declared, documented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.scores import Scores


_WHERE: Final = frozenset(declared(EngineOptions))


@documented(EvaluateAnywhereOptions)
def evaluate(
    gold: Any,
    systems: Any,
    metrics: Iterable[str] | str | None = None,
    **options: Unpack[EvaluateAnywhereOptions],
) -> Scores:
    """Score every system on every case of the gold.

    Args:
        gold: The right answers: a path, an open file, a dict `{case: {item: number or label}}`, a data frame of any library
            or, for labels, an array.
        systems: The outputs: one of these, a list of paths or patterns such as `runs/*.run`, or a dict from name to any of
            them.
        metrics: Names such as `nDCG(gain=exp)@10`; the usual ones of the task if none is given.
        **options: See `plumbline.options.evaluation.EvaluateOptions` and `plumbline.options.engines.EngineOptions`.

    Returns:
        The value of every system, case and metric, the means with their counts, and notices about anything odd.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option or a metric is unknown, or does not fit.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
        >>> run = {"q1": {"d2": 0.9, "d1": 0.8}, "q2": {"d3": 0.7}}
        >>> scores = plumbline.evaluate(gold, {"mine": run}, ["AP", "P@1"])
        >>> scores.mean.select("metric", "value").rows()
        [('AP', 0.75), ('P@1', 0.5)]
    """
    given = cast("dict[str, Any]", options)
    where = checked({name: given.pop(name) for name in _WHERE & given.keys()}, EngineOptions, "evaluate")
    evaluation = evaluation_of(gold, systems, metrics, **given)
    memory = bytes_of(where.get("memory"))
    engine = chosen_engine(evaluation, where.get("engine"), memory)
    return evaluation.scores() if engine is None else run(engine, evaluation, memory, where.get("cluster"))
