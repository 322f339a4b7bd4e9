"""What a figure may draw from: scores, their comparison, and the outputs that they came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.align.filtering import NEGATIVE, POSITIVE
from plumbline.comparison.combining import HALF, combined
from plumbline.comparison.compare import compare_scores
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage, comparisons, reports, studies, usage
from plumbline.evaluation.evaluation import compute, evaluation_of
from plumbline.evaluation.tabulate import tabulate
from plumbline.figures.means import means_of
from plumbline.figures.outputs import evaluation_behind, load_saved
from plumbline.options.evaluation import CompareOptions, EvaluateOptions
from plumbline.options.option import Names, Option, briefly, checked, problem_of
from plumbline.render.result import Result
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE
from plumbline.scores import Scores
from plumbline.studies.study import Study
from plumbline.tools.confusion import confusion_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from plumbline.comparison.combining import Score
    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.figures.means import Means
    from plumbline.io.bytes.digests import Digest

TWO: Final = 2


@dataclass(frozen=True, eq=False)
class Subject:
    """Scores with what they were made of, as far as it is known; the comparison is made when it is first needed."""

    scores: Scores | None = None
    table: Any = None
    """A table of scores in any form, if there are no `Scores`."""
    compared: Comparison | None = None
    """A comparison that was made before."""
    evaluation: Evaluation | None = None
    """The gold and the outputs, if they are at hand."""
    task: str | None = None
    comparing: Mapping[str, Any] = field(default_factory=dict)
    """Options of `compare`, and the metrics to compare by."""
    result: Any = None
    """A result of another kind that is to be drawn, such as a `ConfusionMatrix`."""
    further_notices: tuple[Diagnostic, ...] = ()
    digests: Mapping[Path, Digest] = field(default_factory=dict)
    """The digests of files that were read, where they were recorded."""

    @property
    def has_outputs(self) -> bool:
        """Whether gold and outputs are at hand, not only scores."""
        return self.evaluation is not None

    @property
    def outputs(self) -> Evaluation:
        """The gold and the outputs, for figures that were declared to need them."""
        if self.evaluation is None:
            message = "there are no outputs"
            raise ValueError(message)
        return self.evaluation

    @property
    def options(self) -> Mapping[str, Any]:
        """The options by which gold and outputs are read and aligned."""
        return {} if self.evaluation is None else self.evaluation.request.options

    @property
    def made(self) -> Mapping[str, Any]:
        """How the scores were made, as far as it is known."""
        source = self.compared if self.scores is None else self.scores
        return {} if source is None else source.made

    @cached_property
    def cube(self) -> Cube:
        """All values by metric, system and case."""
        return self.compared.cube if self.compared is not None else self._read[0]

    @cached_property
    def _read(self) -> tuple[Cube, tuple[Diagnostic, ...]]:
        source = self.table if self.scores is None else self.scores
        return read_scores(source, lower=self.comparing.get("lower", ()), metrics=self.comparing.get("metrics"))

    @cached_property
    def means(self) -> Means:
        """The means of all metrics and systems, with their intervals."""
        return means_of(self.cube, self.scores)

    @property
    def has_values(self) -> bool:
        """Whether there are scores of any kind."""
        return self.scores is not None or self.table is not None or self.compared is not None

    @cached_property
    def comparison(self) -> Comparison | None:
        """All systems against each other; None if there is only one system."""
        competing = [name for name in self.cube.systems if name not in self.floor] if self.has_values else []
        if self.compared is not None or len(competing) < TWO:
            return self.compared
        options = dict(self.comparing)
        metrics = options.pop("metrics", None)
        read = None if {"runs", "folds"} & options.keys() else (self._read[0], None, self._read[1])
        return compare_scores(self.table if self.scores is None else self.scores, metrics, options, read)

    def compared_by(self, metrics: tuple[str, ...] = (), systems: tuple[str, ...] = ()) -> Comparison:
        """The comparison by some metrics and of some systems only; by all and of all if none are named.

        A baseline stays among the systems: the others were compared with it, and not with each other.
        """
        full = self.comparison
        if full is None:
            raise BadUsage(comparisons.one_system(list(self.cube.systems)))
        if not metrics and not systems:
            return full
        baseline = () if not systems or full.baseline is None else (full.baseline,)
        chosen = tuple(dict.fromkeys((*systems, *baseline))) or full.systems
        cube = self.cube.only(metrics or None, chosen)
        score = self._score(full, cube)
        primary = full.primary if full.primary in {*cube.metrics, score.name} else None
        return replace(full, cube=cube, score=score, primary=primary, floor=None, unit="case", unit_tests=None)

    def _score(self, full: Comparison, cube: Cube) -> Score:
        """The score of the comparison, for fewer systems; by other metrics it is made anew, with the same weight."""
        if cube.metrics == full.cube.metrics and set(cube.systems) <= set(full.systems):
            rows = [full.systems.index(name) for name in cube.systems]
            return replace(full.score, values=full.score.values[rows])
        return combined(cube, float(self.comparing.get("alpha", HALF)), self.comparing.get("mean"))

    def scores_by(self, metrics: Iterable[str]) -> Scores:
        """Scores of the outputs by other metrics, without standardising them and without a floor."""
        request = self.outputs.request.for_metrics(metrics)
        aligned = self.outputs.alignment(part.metric.needs for measure in request.measures for part in measure.parts)
        return tabulate(aligned, compute(aligned, request.measures), {}).scores()

    @property
    def floor(self) -> tuple[str, ...]:
        """The systems that are outputs which ignore the gold."""
        return () if self.scores is None else self.scores.floor

    @cached_property
    def uninformative(self) -> frozenset[tuple[str, str]]:
        """System and case of filter outputs that accept the same share of positive and of negative items.

        They carry no information about the gold: TP TN = FP FN. For other tasks, or without outputs, it is empty.
        """
        if self.task != "filtering" or not self.has_outputs:
            return frozenset()
        sides = (POSITIVE, NEGATIVE)
        tp, fn, fp, tn = (
            pl.col("count").filter((pl.col("gold") == wanted) & (pl.col("given") == given)).sum()
            for wanted, given in product(sides, sides)
        )
        cells = confusion_of(self.outputs).cells
        same = cells.group_by(SYSTEM, CASE).agg(same=tp * tn == fp * fn).filter("same")
        return frozenset(same.select(SYSTEM, CASE).iter_rows())

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """The notices about the scores."""
        if self.compared is not None:
            return (*self.compared.notices, *self.further_notices)
        if self.scores is not None:
            return (*self.scores.notices, *self.further_notices)
        if self.table is not None:
            return self._read[1]
        return () if self.result is None else self.result.notices

    @property
    def all_notices(self) -> tuple[Diagnostic, ...]:
        """The notices about the scores and about their comparison, each once."""
        comparison = self.comparison
        return tuple(dict.fromkeys((*self.notices, *(() if comparison is None else comparison.notices))))

    @property
    def eps(self) -> float:
        """Differences up to this count as equal."""
        return float(self.comparing.get("eps", 0.0)) if self.compared is None else self.compared.eps

    @property
    def mean(self) -> str | None:
        """How two metrics are combined, if it was given."""
        given = self.comparing.get("mean")
        if self.compared is None or len(self.compared.cube.metrics) != TWO:
            return None if given is None else str(given)
        return self.compared.score.mean

    def resolved(self, metrics: tuple[str, ...]) -> tuple[str, ...]:
        """The metrics that are meant by names as people type them."""
        if self.compared is None and not set(metrics) <= set(self.cube.metrics):
            source = self.table if self.scores is None else self.scores
            return read_scores(source, lower=self.comparing.get("lower", ()), metrics=metrics)[0].metrics
        for name in metrics:
            if name not in self.cube.metrics:
                raise BadUsage(usage.unknown_name("metric", name, list(self.cube.metrics)[:3]))
        return metrics

    def only(self, metrics: Iterable[str] = (), systems: Iterable[str] = ()) -> Cube:
        """The values of some metrics and systems; of all if none are named."""
        return self.cube.only(tuple(metrics) or None, tuple(systems) or None)

    def with_views(self, by_task: Mapping[str, Iterable[str]]) -> Subject:
        """The subject, with its outputs aligned once for all views that are needed of its task.

        If the outputs came through a pipe and cannot be read again, a notice says that some figures are left out.
        """
        views = set(by_task.get(self.task or "", ()))
        items = self.evaluation is not None and self.evaluation.request.task.has("units")
        if self.evaluation is None or not (views or items):
            return self
        if not self.evaluation.can_align(views):
            return replace(self, further_notices=(*self.further_notices, reports.read_once()))
        self.evaluation.alignment(views, items=items)
        return self


def subject_of(
    source: Any = None,
    *,
    gold: Any = None,
    systems: Any = None,
    metrics: Iterable[str] | str | None = None,
    comparing: Mapping[str, Any] | CompareOptions | None = None,
    views: Mapping[str, Iterable[str]] | None = None,
    **options: Any,
) -> Subject:
    """What there is to draw: of `Scores`, a `Comparison`, a table of scores, or a gold and systems, which are evaluated.

    `views` are what the figures need of an alignment, by task: gold and systems are read once, for all of them. Gold and
    systems of scores are read by the options that the scores were made with; other options and other systems are refused.
    """
    source, names = load_saved(source), listed_names(metrics)
    given, by = checked(options, EvaluateOptions, "evaluate"), compare_options(comparing)
    check_names("evaluate", "metrics", names)
    _check_effect(source, gold, systems, given, by)
    narrowed = {"metrics": [names] if isinstance(names, str) else names} if names else {}
    if source is None and gold is not None:
        fresh = evaluation_of(gold, systems, names or None, **given)
        made = Subject(evaluation=fresh, task=fresh.request.task.name, comparing=by).with_views(views or {})
        return replace(made, scores=fresh.scores())
    parts = _parts(source)
    evaluation = evaluation_behind(parts.get("scores", source), gold, systems, given)
    comparing = {**parts.pop("comparing", {}), **narrowed, **by}
    made = Subject(evaluation=evaluation, task=given.get("task"), comparing=comparing, **parts)
    known = made.made.get("task") if made.evaluation is None else made.evaluation.request.task.name
    made = replace(made, task=known or made.task).with_views(views or {})
    if made.compared is not None and narrowed:
        return replace(made, compared=made.compared_by(made.resolved(tuple(narrowed["metrics"]))))
    return made


def _parts(source: Any) -> dict[str, Any]:
    """The fields of a subject that a source fills."""
    if isinstance(source, Comparison):
        return {"compared": source}
    if isinstance(source, Scores):
        return {"scores": source}
    if isinstance(source, Study):
        return _parts_of_study(source)
    if not isinstance(source, Result):
        return {"table": source}
    scores = source.score_table()
    return {"result": source, **({"scores": scores} if isinstance(scores, Scores) else {})}


def _parts_of_study(source: Study) -> dict[str, Any]:
    """A study with its scores as a table."""
    cube = source.cube
    keys = pl.DataFrame(product(cube.metrics, cube.systems, cube.cases), schema=[METRIC, SYSTEM, CASE], orient="row")
    table = keys.with_columns(pl.Series(VALUE, cube.values.ravel(), nan_to_null=True)).drop_nulls(VALUE)
    lower = [name for name, turned in zip(cube.metrics, cube.lower, strict=True) if turned]
    return {"table": table, "result": source, "comparing": {"lower": lower}}


def has_scores(source: Any) -> bool:
    """Whether scores of systems can be drawn of a source."""
    return not isinstance(source, Result) or isinstance(source, (Comparison, Study)) or source.score_table() is not None


def listed_names(names: Any) -> Any:
    """Names as a list, so that they can be read twice; one name stays what it is."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else names


def check_names(function: str, option: str, names: Any) -> None:
    """Refuse what is neither a name nor a list of names."""
    problem = problem_of(option, names, {option: Option("", name=option, type=Names)})
    if problem is not None:
        raise BadUsage(usage.bad_keyword(function, *problem))


def compare_options(comparing: Any) -> dict[str, Any]:
    """The options of compare() that say something, and the metrics to compare by; unknown ones are refused."""
    if comparing is None:
        return {}
    if not hasattr(comparing, "items"):
        raise BadUsage(usage.bad_keyword("compare", f"comparing = {briefly(comparing)} is not a dict", "give {option: value}"))
    given = dict(comparing)
    metrics = listed_names(given.pop("metrics", None))
    check_names("compare", "metrics", metrics)
    return {**({"metrics": metrics} if metrics else {}), **checked(given, CompareOptions, "compare")}


def _check_effect(source: Any, gold: Any, systems: Any, given: Mapping[str, Any], by: Mapping[str, Any]) -> None:
    """Refuse options that would change nothing."""
    if (gold is None) != (systems is None):
        raise BadUsage(studies.half_of_the_outputs(*(("systems", "gold") if gold is None else ("gold", "systems"))))
    idle = [name for name in given if name != "task"]
    if idle and gold is None:
        raise BadUsage(reports.without_effect(idle[0], "nothing is evaluated", "give gold and systems as well"))
    if by and isinstance(source, Comparison):
        advice = "compare again with it: plumbline.compare(scores, ...)"
        raise BadUsage(reports.without_effect(next(iter(by)), "the comparison was made before", advice))
