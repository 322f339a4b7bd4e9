"""Evaluator: one gold that is read and prepared once, for many outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from plumbline.errors import BadUsage, usage
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import documented

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.errors import Diagnostic
    from plumbline.evaluation.tabulate import Tabulated
    from plumbline.scores import Scores


class Evaluator:
    """A gold that is read once, to score one output after the other: in training loops, threads and notebooks.

    Values, policies, notices and errors are those of `plumbline.evaluate` with the same gold, metrics and options. An
    evaluator does not change when it is used, so that several threads can share it; it does not notice later changes to the
    gold.

    Attributes:
        notices: What should be known about the gold alone.

    Example:
        >>> import plumbline
        >>> evaluator = plumbline.Evaluator({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}, ["AP", "P@1"])
        >>> evaluator.score({"q1": {"d2": 0.9, "d1": 0.8}, "q2": {"d3": 0.7}})
        {'AP': 0.75, 'P@1': 0.5}
        >>> evaluator.score({"q1": {"d1": 0.9}, "q2": {"d4": 0.7}}, per_case=True)
        {'q1': {'AP': 1.0, 'P@1': 1.0}, 'q2': {'AP': 0.0, 'P@1': 0.0}}
    """

    @documented(EvaluateOptions)
    def __init__(
        self,
        gold: Any,
        metrics: Iterable[str] | str | None = None,
        **options: Unpack[EvaluateOptions],
    ) -> None:
        """Read the gold and prepare it.

        Args:
            gold: The right answers, as `evaluate` takes them.
            metrics: Names such as `nDCG(gain=exp)@10`; the usual ones of the task if none is given.
            **options: See `plumbline.options.evaluation.EvaluateOptions`.

        Raises:
            BadData: If the gold cannot be read or contradicts itself.
            BadUsage: If an option or a metric is unknown, or does not fit.
        """
        self._evaluation = evaluation_of(_as_it_is_now(gold), {}, metrics, **options)
        self._prepared = self._evaluation.prepare()
        self.notices: tuple[Diagnostic, ...] = self._prepared.notices

    def evaluate(self, systems: Any) -> Scores:
        """Score one output or several.

        Args:
            systems: The outputs, as `plumbline.evaluate` takes them.

        Returns:
            What `plumbline.evaluate` returns: the value of every system, case and metric, the means and all notices.

        Raises:
            BadData: If an output cannot be read or contradicts itself.
            BadUsage: If there is no output.

        Example:
            >>> import plumbline
            >>> evaluator = plumbline.Evaluator({"q1": {"d1": 1, "d2": 1}}, "AP")
            >>> evaluator.evaluate({"mine": {"q1": {"d1": 2.0, "d2": 1.0}}}).mean["value"].to_list()
            [1.0]
        """
        return self._evaluation.of_systems(systems, self._prepared).scores()

    def score(self, output: Any, *, per_case: bool = False) -> dict[str, Any]:
        """Score one output, with numbers only; its notices are those of `evaluate`.

        Args:
            output: What one system returned, in any form that `plumbline.evaluate` takes.
            per_case: Give the values of every case instead of their means.

        Returns:
            The mean by the name of the metric, or the values of each case; None where something is undefined.

        Raises:
            BadData: If the output cannot be read or contradicts itself.
            BadUsage: If there are several outputs.

        Example:
            >>> import plumbline
            >>> evaluator = plumbline.Evaluator({"q1": {"d1": 1, "d2": 1}}, ["P@1", "R@1"])
            >>> evaluator.score({"q1": {"d1": 2.0, "d2": 1.0}})
            {'P@1': 1.0, 'R@1': 0.5}
        """
        made = self._evaluation.of_systems(output, self._prepared).tabulated()
        real = len(made.lists.systems) - len(made.made.get("floor", ()))
        if real != 1:
            raise BadUsage(usage.bad_object(f"{real} outputs", "one output; evaluate() takes several"))
        return _cases(made) if per_case else _named(made, made.means.value[0].tolist())


def _as_it_is_now(gold: Any) -> Any:
    """A copy of dicts, lists, arrays and frames of arrays, of which some parts are only looked at when an output needs them."""
    if type(gold) is dict:
        return {name: value.copy() if type(value) is dict else value for name, value in gold.items()}
    holds_arrays = hasattr(gold, "dtype") or hasattr(gold, "dtypes")
    return gold.copy() if (holds_arrays or type(gold) is list) and hasattr(gold, "copy") else gold


def _named(made: Tabulated, values: list[float]) -> dict[str, float | None]:
    """The values of all metrics by name; NaN is undefined."""
    return {column.name: None if value != value else value for column, value in zip(made.columns, values, strict=True)}  # noqa: PLR0124 - NaN


def _cases(made: Tabulated) -> dict[str, dict[str, float | None]]:
    count = int(made.lists.first[1])
    names = [made.lists.cases[number] for number in made.lists.number[:count].tolist()]
    return {name: _named(made, values) for name, values in zip(names, made.values[:, :count].T.tolist(), strict=True)}
