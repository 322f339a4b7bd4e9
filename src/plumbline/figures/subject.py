"""What a figure may draw from: scores, a comparison, and where they came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline.align.filtering import NEGATIVE, POSITIVE
from plumbline.comparison.combining import HALF, combined
from plumbline.comparison.compare import compare
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage, comparisons, reports, studies, usage
from plumbline.evaluation.evaluate import evaluate
from plumbline.evaluation.request import request
from plumbline.figures.options import COMPARED, EVALUATED, several, told
from plumbline.figures.reused import DATA, called, check_systems, reused
from plumbline.render.result import Result
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE
from plumbline.scores import Scores
from plumbline.studies.study import Study
from plumbline.tools.confusion import confusion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.comparison.combining import Score
    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic


@dataclass(frozen=True, eq=False)
class Subject:
    """Scores with what they were made of, as far as it is known; the comparison is made when it is asked for."""

    scores: Scores | None = None
    table: Any = None
    """A table of scores in any form, where there are no `Scores`."""
    compared: Comparison | None = None
    """A comparison that is there already."""
    gold: Any = None
    systems: Any = None
    """As handed to `evaluate`."""
    task: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of `evaluate` by which gold and systems are looked at, without the task."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Features, distances and lengths of items, where they were given."""
    comparing: Mapping[str, Any] = field(default_factory=dict)
    """Options of `compare`."""
    result: Any = None
    """A result of another kind that is to be drawn, such as a `ConfusionMatrix`."""

    @property
    def has_outputs(self) -> bool:
        """Whether gold and systems are at hand, not only their scores."""
        return self.gold is not None and self.systems is not None

    @cached_property
    def cube(self) -> Cube:
        """All values by metric, system and case."""
        return self.compared.cube if self.compared is not None else self._read[0]

    @cached_property
    def _read(self) -> tuple[Cube, tuple[Diagnostic, ...]]:
        source = self.table if self.scores is None else self.scores
        return read_scores(source, lower=self.comparing.get("lower", ()), metrics=self.comparing.get("metrics"))

    @property
    def has_values(self) -> bool:
        """Whether there are scores of any kind."""
        return self.scores is not None or self.table is not None or self.compared is not None

    @cached_property
    def comparison(self) -> Comparison | None:
        """All systems against each other; none where there is only one system."""
        if self.compared is not None or not self.has_values or len(self.cube.systems) < 2:  # noqa: PLR2004 - it takes two
            return self.compared
        return compare(self.table if self.scores is None else self.scores, **self.comparing)

    def compared_by(self, metrics: tuple[str, ...] = (), systems: tuple[str, ...] = ()) -> Comparison:
        """The comparison by some metrics and of some systems only; all if none are named.

        A baseline stays among the systems: the others were compared with it, and not with each other.
        """
        found = self.comparison
        if found is None:
            raise BadUsage(comparisons.one_system(list(self.cube.systems)))
        if not metrics and not systems:
            return found
        against = () if not systems or found.baseline is None else (found.baseline,)
        cube = found.cube.only(metrics or None, tuple(dict.fromkeys((*systems, *against))) or None)
        return replace(found, cube=cube, score=self._score(found, cube))

    def _score(self, found: Comparison, cube: Cube) -> Score:
        """That of the comparison, for fewer systems; by other metrics it is made anew, with the weight that was asked for."""
        if cube.metrics == found.cube.metrics:
            rows = [found.systems.index(name) for name in cube.systems]
            return replace(found.score, values=found.score.values[rows])
        return combined(cube, float(self.comparing.get("alpha", HALF)), self.comparing.get("mean"))

    def options_for(self, metrics: tuple[str, ...]) -> dict[str, Any]:
        """The options by which gold and systems are looked at for these metrics: with lengths where one goes by time."""
        timed = any("discount=time" in name for name in metrics) and "lengths" in self.data
        return {**self.options, **({"lengths": self.data["lengths"]} if timed else {})}

    @property
    def floor(self) -> tuple[str, ...]:
        """The outputs among the systems that ignore the gold."""
        return () if self.scores is None else self.scores.floor

    @cached_property
    def uninformative(self) -> frozenset[tuple[str, str]]:
        """System and case of filter outputs that accept the same share of positive and of negative items.

        They carry no information about the gold: TP TN = FP FN. For other tasks, or without outputs, it is empty.
        """
        if self.task != "filtering" or not self.has_outputs:
            return frozenset()
        cells = confusion(self.gold, self.systems, task="filtering", **self.options).cells
        sides = (POSITIVE, NEGATIVE)
        tp, fn, fp, tn = (
            pl.col("count").filter((pl.col("gold") == wanted) & (pl.col("given") == given)).sum()
            for wanted, given in product(sides, sides)
        )
        same = cells.group_by(SYSTEM, CASE).agg(same=tp * tn == fp * fn).filter("same")
        return frozenset(same.select(SYSTEM, CASE).iter_rows())

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """What is to be said about the scores."""
        if self.compared is not None:
            return self.compared.notices
        if self.scores is not None:
            return self.scores.notices
        return self._read[1] if self.table is not None else ()

    @property
    def said(self) -> tuple[Diagnostic, ...]:
        """What is to be said about the scores and about their comparison, once."""
        found = self.comparison
        return tuple(dict.fromkeys((*self.notices, *(() if found is None else found.notices))))

    @property
    def eps(self) -> float:
        """Differences up to this are none."""
        return float(self.comparing.get("eps", 0.0)) if self.compared is None else self.compared.eps

    @property
    def mean(self) -> str | None:
        """How two metrics are combined, if that was said."""
        told = self.comparing.get("mean")
        if self.compared is None or len(self.compared.cube.metrics) != 2:  # noqa: PLR2004 - a weight is for two
            return None if told is None else str(told)
        return self.compared.score.mean

    def resolved(self, metrics: tuple[str, ...]) -> tuple[str, ...]:
        """The metrics that are meant by names as people type them."""
        if self.compared is None:
            source = self.table if self.scores is None else self.scores
            return read_scores(source, lower=self.comparing.get("lower", ()), metrics=metrics)[0].metrics
        for name in metrics:
            if name not in self.cube.metrics:
                raise BadUsage(usage.not_there("metric", name, list(self.cube.metrics)[:3]))
        return metrics

    def only(self, metrics: Iterable[str] = (), systems: Iterable[str] = ()) -> Cube:
        """The values of some metrics and systems."""
        return self.cube.only(tuple(metrics) or None, tuple(systems) or None)


def subject_of(
    source: Any = None,  # noqa: ANN401 - Scores, a Comparison, or a table of scores in any form
    *,
    gold: Any = None,  # noqa: ANN401 - as evaluate
    systems: Any = None,  # noqa: ANN401 - as evaluate
    metrics: Iterable[str] | str | None = None,
    task: str | None = None,
    comparing: Mapping[str, Any] | None = None,
    **options: Any,  # noqa: ANN401 - those of evaluate
) -> Subject:
    """What there is to draw: of `Scores`, a `Comparison`, a table of scores, or a gold and systems, which are evaluated.

    Gold and systems of scores are looked at by the options the scores were made with; other ones are refused, and so are other
    systems.
    """
    names = several(metrics)
    chosen = told({"metrics": names, "task": task}, EVALUATED, "evaluate")
    asked, by = told(options, EVALUATED, "evaluate"), told(comparing, COMPARED, "compare")
    _check_effect(source, gold, systems, asked, by)
    narrowed = {"metrics": [names] if isinstance(names, str) else names} if "metrics" in chosen else {}
    made = Subject(gold=gold, systems=systems, task=task, options=asked, comparing={**narrowed, **by})
    if isinstance(source, (Comparison, Scores)) and made.has_outputs:
        made = replace(made, systems=called(source.made, systems))
        check_systems(source.made, gold, made.systems)
    if isinstance(source, Comparison):
        whole = _as_made(replace(made, compared=source), source.made)
        return replace(whole, compared=whole.compared_by(whole.resolved(tuple(narrowed["metrics"])))) if narrowed else whole
    if isinstance(source, Scores):
        return _as_made(replace(made, scores=source), source.made)
    if isinstance(source, Study):
        return _of_study(made, source)
    if isinstance(source, Result):
        return _of_result(made, source)
    if source is not None or gold is None:
        return _as_made(replace(made, table=source), {})
    scores = evaluate(gold, systems, names, task=task, **asked)
    data = {name: asked[name] for name in DATA if name in asked}
    own = {"task": None, "options": data, "comparing": by, "systems": called(scores.made, systems)}
    return _as_made(replace(made, scores=scores, **own), scores.made)


def has_scores(source: Any) -> bool:  # noqa: ANN401 - as subject_of
    """Whether scores of systems can be drawn of a source."""
    return not isinstance(source, Result) or isinstance(source, (Comparison, Study)) or source.score_table() is not None


def _of_study(made: Subject, source: Study) -> Subject:
    """The subject of a study: its scores as a table."""
    cube = source.cube
    keys = pl.DataFrame(product(cube.metrics, cube.systems, cube.cases), schema=[METRIC, SYSTEM, CASE], orient="row")
    table = keys.with_columns(pl.Series(VALUE, cube.values.ravel(), nan_to_null=True)).drop_nulls(VALUE)
    lower = [name for name, turned in zip(cube.metrics, cube.lower, strict=True) if turned]
    return _as_made(replace(made, table=table, result=source, comparing={"lower": lower, **made.comparing}), {})


def _of_result(made: Subject, source: Result) -> Subject:
    """The subject of a result that is neither `Scores` nor a `Comparison`."""
    scores = source.score_table()
    if isinstance(scores, Scores):
        return _as_made(replace(made, scores=scores, result=source), scores.made)
    return _as_made(replace(made, result=source), {})


def _check_effect(source: Any, gold: Any, systems: Any, asked: Mapping[str, Any], by: Mapping[str, Any]) -> None:  # noqa: ANN401 - as subject_of
    """An option that would change nothing is refused."""
    if (gold is None) != (systems is None):
        raise BadUsage(studies.half_of_the_outputs(*(("systems", "gold") if gold is None else ("gold", "systems"))))
    if asked and gold is None:
        raise BadUsage(reports.without_effect(next(iter(asked)), "nothing is evaluated", "give gold and systems as well"))
    if by and isinstance(source, Comparison):
        advice = "compare again with it: plumbline.compare(scores, ...)"
        raise BadUsage(reports.without_effect(next(iter(by)), "the comparison is made already", advice))


def _as_made(subject: Subject, made: Mapping[str, Any]) -> Subject:
    """The subject, with its gold and systems to be looked at as the scores were made."""
    task, options, data = reused(made, subject.task, subject.options)
    if not subject.has_outputs:
        return replace(subject, task=task, options=options, data=data)
    understood = task or request(None, **options).task.name
    return replace(subject, task=understood, options=options, data=data)
