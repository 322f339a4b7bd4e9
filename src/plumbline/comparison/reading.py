"""Scores of any kind become a cube: Scores, saved Scores, tables, matrices, dicts."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.cube import Cube
from plumbline.comparison.repeated import joined_runs
from plumbline.deferred import preview
from plumbline.errors import BadData, BadUsage, PlumblineError, comparisons, engines, files, usage
from plumbline.errors.base import READ_AS, listing, nearest, plural
from plumbline.errors.urls import is_url
from plumbline.io.memory.systems import expanded
from plumbline.io.paths import exists
from plumbline.io.scores.dataset.layout import is_dataset
from plumbline.io.scores.dataset.reading import Dataset, open_dataset
from plumbline.io.scores.forms import ONCE, ROW, Repeats, ScoreTable
from plumbline.io.scores.scored import Scored
from plumbline.io.scores.sources import EXPECTED
from plumbline.io.scores.tables import joined, metrics_of, only_metrics, read_score_table
from plumbline.io.table import FrameOrigin
from plumbline.large import IN_MEMORY, free_space, known_values
from plumbline.metrics.names import describe, is_spelled, listed, one_by_one, parse
from plumbline.metrics.registry import all_metrics
from plumbline.schema import ALL, CASE, FOLD, METRIC, SYSTEM, VALUE
from plumbline.scores import Scores
from plumbline.tasks import task_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.repeated import Repeated
    from plumbline.errors import Diagnostic

_OFTEN_LOWER: Final = re.compile(
    r"loss|error|perplexity|ppl|latency|time|cost|distance|rmse|mse|mae|mape|\b[wcpd]er\b|fpr|fnr|\berr\b|toxicity|brier|regret",
    re.IGNORECASE,
)
"""Names that are often better when lower: the advice to say so names them first."""
_EXAMPLES: Final = 3
"""Places without a value that are named."""


def read_scores(
    source: Any,  # noqa: ANN401 - any form that EXPECTED tells
    *,
    lower: Sequence[str] | str = (),
    metrics: Sequence[str] | str | None = None,
) -> tuple[Cube, tuple[Diagnostic, ...]]:
    """The values of all systems, cases and metrics, and what there is to know about them.

    The source is `Scores`, a path (CSV, TSV, JSON, JSON Lines, Parquet, Arrow, compressed or not; also `METRIC=FILE`, a
    pattern, or `-`), an open file, a data frame, `{metric: source}`, `{metric: {system: {case: value}}}`,
    `{system: [values]}`, or a list of sources that are taken together.

    `lower` names metrics that are better when lower; the direction of metrics that plumbline has is known. `metrics` names
    those to read, in this order; all if none is named.
    """
    cube, _, notices = read_repeated(source, lower=lower, metrics=metrics)
    return cube, notices


def read_repeated(
    source: Any,  # noqa: ANN401 - any form that EXPECTED tells
    *,
    lower: Sequence[str] | str = (),
    metrics: Sequence[str] | str | None = None,
    runs: str | None = None,
    folds: str | None = None,
    called: str = FOLD,
) -> tuple[Cube, Repeated | None, tuple[Diagnostic, ...]]:
    """The same with repetitions: values are means over the runs of a system, and those of each run and fold stand beside them.

    `runs` names a column of the tables, such as `seed`, by which repeated runs of a system are told apart; `folds` names that
    of the folds of cross-validation, which messages call `called`. In a table without a case column folds are the cases.
    Without either there are no repetitions, and none are returned.
    """
    repeats = Repeats(runs, folds, called)
    tables, present = _parts(source, repeats)
    aliases = {alias: name for table in tables for alias, name in table.aliases.items()}
    wanted, errors = _scores_alone(resolved(metrics, present, aliases) if metrics else present)
    downwards = set(resolved(lower, present, aliases))
    all_scores, repeated = _rectangle(tables, wanted, repeats)
    scored, means = _without_means(all_scores)
    kept, empty = _with_values(scored, named=bool(metrics))
    stated = {name: better for table in tables for name, better in table.better.items()}
    directions, neither, notices = _directions(kept.metrics, downwards, stated)
    cube = Cube(kept.metrics, kept.systems, kept.cases, kept.values, np.array(directions, dtype=np.bool_), neither)
    read = [*(notice for table in tables for notice in table.notices), *errors]
    every = (*read, *scored.notices, *means, *empty, *notices, *_gaps(kept))
    return cube, None if repeated is None else repeated.like(cube), every


def _parts(source: Any, repeats: Repeats) -> tuple[list[ScoreTable] | list[Dataset], list[str]]:  # noqa: ANN401 - as read_scores
    """The tables of a source, or the dataset that it is, and the names of the metrics."""
    behind = preview(source, "per_case") if isinstance(source, Scores) else None
    dataset = open_dataset(source) if is_dataset(source) else behind
    if isinstance(dataset, Dataset) and repeats == ONCE:
        return [dataset], list(dataset.manifest.metrics)
    tables = [table for name, one in _sources(source) for table in _tables(name, one, repeats)]
    if not tables:
        raise BadUsage(usage.bad_object("an empty list", EXPECTED))
    return tables, metrics_of(tables)


def _rectangle(parts: list[ScoreTable] | list[Dataset], wanted: list[str], repeats: Repeats) -> tuple[Scored, Repeated | None]:
    """The values of these metrics; a dataset is read system by system, if its values fit into memory."""
    tables = []
    for part in parts:
        if isinstance(part, Dataset):
            needed, space = part.size(len(wanted)), max(IN_MEMORY, free_space())
            if needed > space:
                raise BadUsage(engines.large_scores(part.label, needed, space))
            scored = part.scored(wanted)
            if not scored.values.size:
                raise _nothing_in(part.label, list(part.manifest.texts))
            return scored, None
        tables.append(only_metrics(part, wanted))
    return (joined(tables, wanted), None) if repeats == ONCE else joined_runs(tables, wanted)


def _scores_alone(names: list[str]) -> tuple[list[str], list[Diagnostic]]:
    """The metrics without the errors of estimates, which are about the items that were drawn and not about other cases."""
    known = all_metrics() if any("Error" in name for name in names) else {}
    errors = [name for name in names if (metric := known.get(re.split(r"[(@]", name)[0])) is not None and metric.error_of]
    if not errors:
        return names, []
    if len(errors) == len(names):
        raise BadUsage(comparisons.only_errors(errors))
    return [name for name in names if name not in errors], [comparisons.errors_left_out(errors)]


def _sources(source: Any) -> list[tuple[str | None, Any]]:  # noqa: ANN401 - as read_scores
    """The parts of a source, each with the name of its only metric where one is given."""
    if isinstance(source, Mapping) and any(_is_source(one) for one in source.values()):
        return [(str(name), one) for name, one in source.items()]
    if isinstance(source, (str, os.PathLike)):
        return named_sources(source)
    if isinstance(source, (list, tuple)):
        odd = next((one for one in source if not isinstance(one, Mapping) and not _is_source(one)), None)
        if odd is not None:
            raise BadUsage(usage.bad_object(f"a list with a {type(odd).__name__}", EXPECTED))
        return [pair for one in source for pair in _sources(one)]
    return [(None, source)]


def _is_source(candidate: object) -> bool:
    """Whether it can be read by itself: a path, Scores, an open file, a data frame or a dict of lists."""
    if isinstance(candidate, Mapping):
        return bool(candidate) and all(isinstance(one, (list, tuple, np.ndarray, pl.Series)) for one in candidate.values())
    table = any(hasattr(candidate, sign) for sign in ("columns", "collect_schema", "read"))
    return table or isinstance(candidate, (str, os.PathLike, Scores))


def named_sources(source: str | os.PathLike[str]) -> list[tuple[str | None, Any]]:
    """`METRIC=FILE`, a file, or all that a pattern fits, each with the name of its metric where one is given."""
    text = os.fspath(source)
    if _is_place(text):
        return [(None, text)]
    signs = [matches.start() for matches in re.finditer("=", text) if matches.start() > 0]
    if signs:
        sign = next((sign for sign in signs if _is_place(text[sign + 1 :])), signs[-1])
        return [(text[:sign], text[sign + 1 :])]
    return [(None, path) for _, path in expanded(text)]


def _is_place(text: str) -> bool:
    """Whether it is standard input, a URL or a file that exists."""
    return text == "-" or is_url(text) or exists(text)


def _tables(name: str | None, source: Any, repeats: Repeats) -> list[ScoreTable]:  # noqa: ANN401 - as read_scores
    if not isinstance(source, Scores):
        return [read_score_table(source, _is_metric, name, name or "scores", repeats)]
    if repeats != ONCE:
        raise BadUsage(usage.bad_object("Scores, which have no runs or folds", "a table of scores with such a column"))
    if name is not None and len(source.columns) > 1:
        raise BadUsage(
            usage.bad_object(f"Scores of {plural(len(source.columns), 'metric')} as {name}", "Scores without a name")
        )
    frame = source.per_case.select(
        *(pl.col(column).cast(pl.String).cast(pl.Categorical) for column in (SYSTEM, CASE)),
        (pl.col(METRIC) if name is None else pl.lit(name).alias(METRIC)).cast(pl.String).cast(pl.Categorical),
        pl.col(VALUE).fill_nan(None),
        pl.int_range(pl.len(), dtype=pl.Int64).alias(ROW),
    )
    if frame.is_empty():
        raise _nothing_in(label="scores", texts=source.text_names)
    better = {name or column.name: column.better for column in source.columns}
    aliases = {column.asked: name or column.name for column in source.columns}
    notices = tuple(notice for notice in source.notices if notice.code != READ_AS)
    return [ScoreTable(frame, "scores", FrameOrigin("scores"), notices, better=better, aliases=aliases)]


def _nothing_in(label: str, texts: list[str]) -> PlumblineError:
    """The error about scores without any number."""
    return BadUsage(usage.not_a_number(texts)) if texts else BadData(files.no_data(label))


def resolved(names: Sequence[str] | str, present: list[str], aliases: Mapping[str, str]) -> list[str]:
    """The metrics that are meant: by their name, by the one they were asked by, or by either in another case.

    A name that is none of them may hold several between commas.
    """
    folded = {name.lower(): name for name in (*aliases, *present)}
    matches = []
    for name in (part for one in listed(names) for part in ([one] if one.strip().lower() in folded else one_by_one([one]))):
        plain = name if name in present else folded.get(name.strip().lower(), name)
        meant = plain if plain in present else aliases.get(plain) or _same_metric(name, present)
        if meant is None:
            near = nearest(name, present, n=2, cutoff=0.4) or present[:3]
            raise BadUsage(usage.unknown_name("metric", name, near))
        matches.append(meant)
    return list(dict.fromkeys(matches))


def _same_metric(name: str, present: list[str]) -> str | None:
    """The only metric that has another name of the same: `map` is AP."""
    canonical = _canonical(name)
    same = [other for other in present if canonical & _canonical(other)]
    return same[0] if len(same) == 1 else None


@cache
def _canonical(name: str) -> frozenset[str]:
    """The names that tasks have for a metric."""
    matches = set()
    for task in task_names():
        try:
            matches.add(parse(name, None, task).name)
        except BadUsage:
            continue
    return frozenset(matches)


@cache
def _betters(name: str) -> tuple[str, ...]:
    """The directions that tasks give to a metric of this name; none where no task has it."""
    matches = []
    for task in task_names():
        try:
            matches.append(describe(name, task).better)
        except BadUsage:
            continue
    return tuple(dict.fromkeys(matches))


@cache
def _spelled_otherwise(name: str) -> str | None:
    """The metric that has this name only in another case; none where a task spells it so, or has no such metric."""
    matches = None
    for task in task_names():
        try:
            spellings = describe(name, task).name
            if is_spelled(name, task):
                return None
        except BadUsage:
            continue
        matches = matches or spellings
    return matches


def _is_metric(name: str) -> bool:
    return bool(_betters(name))


@dataclass(frozen=True)
class _Groups:
    """Metrics by what is to be said about their direction."""

    unknown: list[str]
    otherwise: list[str]
    neither: list[str]
    disputed: list[str]
    contrary: list[str]


def _directions(
    metrics: tuple[str, ...], lower: set[str], stated: Mapping[str, str]
) -> tuple[list[bool], frozenset[str], list[Diagnostic]]:
    """Whether each metric is better when lower, which ones are neither good nor bad, and what is to be said about that."""
    groups = _Groups([], [], [], [], [])
    for name in metrics:
        betters = (stated[name],) if name in stated else _betters(name)
        if name in lower:
            groups.contrary.extend([name] * (betters == ("higher",)))
        elif not betters:
            groups.unknown.append(name)
        elif len(betters) > 1:
            groups.disputed.append(name)
        elif betters == ("neither",):
            groups.neither.append(name)
        elif name not in stated and betters == ("higher",) and _spelled_otherwise(name):
            groups.otherwise.append(name)
    directions = [name in lower or (stated.get(name) or "".join(_betters(name))) == "lower" for name in metrics]
    spellings = listing(list(dict.fromkeys(str(_spelled_otherwise(name)) for name in groups.otherwise)), 8)
    reasons = (
        (groups.unknown, "higher is better assumed (no metric of plumbline has this name)", _likely(groups.unknown)),
        (
            groups.otherwise,
            f"higher is better assumed (spelled differently from plumbline's {spellings})",
            _likely(groups.otherwise),
        ),
        (groups.neither, "higher is better assumed (a count, neither good nor bad)", "NAME"),
        (groups.disputed, "higher is better assumed (tasks have metrics of this name in both directions)", "NAME"),
        (
            groups.contrary,
            "lower is better, as requested, although plumbline's metric of this name is better when higher",
            None,
        ),
    )
    notices = [comparisons.direction(names, reason, advice) for names, reason, advice in reasons if names]
    return directions, frozenset(groups.neither), notices


def _likely(names: list[str]) -> str:
    """The name by which the advice is given."""
    return next(filter(_OFTEN_LOWER.search, names), "NAME")


def _without_means(scored: Scored) -> tuple[Scored, list[Diagnostic]]:
    """Programs that print scores call the mean a case named all; it is no further case."""
    if ALL not in scored.cases or len(scored.cases) == 1:
        return scored, []
    kept = [at for at, case in enumerate(scored.cases) if case != ALL]
    cases = tuple(scored.cases[at] for at in kept)
    fewer = replace(scored, cases=cases, values=scored.values[:, :, kept], present=scored.present[:, :, kept])
    return fewer, [comparisons.means_left_out(ALL)]


def _with_values(scored: Scored, *, named: bool) -> tuple[Scored, list[Diagnostic]]:
    """Without the metrics that have no value at all: nothing could be compared on all metrics otherwise."""
    some = np.array([known_values(values).any() for values in scored.values], dtype=np.bool_)
    without = [name for name, has in zip(scored.metrics, some, strict=True) if not has]
    if without and (named or len(without) == len(scored.metrics)):
        raise BadData(*(comparisons.no_scores(name) for name in without))
    rows = np.flatnonzero(some)
    _check_shared(scored, rows)
    notices = [comparisons.taken_as(None, f"no value in any case, left out: {listing(without)}")] if without else []
    if not without:
        return scored, notices
    names = tuple(scored.metrics[row] for row in rows)
    return Scored(names, scored.systems, scored.cases, scored.values[rows], scored.present[rows], scored.notices), notices


def _check_shared(scored: Scored, rows: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """Two metrics that share no case were not measured on the same collection."""
    cases = np.array([known_values(scored.values[row]).any(axis=0) for row in rows.tolist()])
    shared = cases.astype(np.float32) @ cases.T.astype(np.float32)
    apart = np.argwhere(shared == 0)
    if len(apart):
        one, other = (int(number) for number in apart[0])
        examples = [scored.cases[int(np.argmax(cases[number]))] for number in (one, other)]
        first, second = scored.metrics[rows[one]], scored.metrics[rows[other]]
        reason = f"{first} and {second} have no case in common: {first} has {examples[0]}, {second} has {examples[1]}"
        raise BadData(comparisons.other_cases(None, reason))


def _empty_places(known: NDArray[np.bool_], present: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first systems and cases that are present and have no value."""
    every = ((at, case) for at in range(len(known)) for case in np.flatnonzero(present[at] & ~known[at]).tolist())
    return list(islice(every, _EXAMPLES))


def _gaps(scored: Scored) -> list[Diagnostic]:
    """What is said about values that are not there, and about systems that have other cases than others."""
    present = np.asarray(scored.present.any(axis=0))
    silent, counts, places = np.ones(len(scored.systems), dtype=np.bool_), [], list[tuple[int, int]]()
    for values in scored.values:
        known = known_values(values)
        silent &= ~known.any(axis=1)
        counts.append(int(present.sum()) - int(known.sum()))
        if counts[-1] and len(places) < _EXAMPLES:
            places += _empty_places(known, present)
    notices = []
    if any(counts):
        by_metric = [f"{name} {count:,}" for name, count in zip(scored.metrics, counts, strict=True) if count]
        examples = [f"{scored.systems[system]} in {scored.cases[case]}" for system, case in places[:_EXAMPLES]]
        systems = [name for name, never in zip(scored.systems, silent, strict=True) if never]
        total = int(present.sum()) * len(scored.metrics)
        notices.append(comparisons.no_values(sum(counts), total, by_metric, examples, systems))
    lacking = (~present).sum(axis=1)
    if lacking.any():
        stated = [f"{name} {count:,}" for name, count in zip(scored.systems, lacking, strict=True) if count]
        common = int(present.all(axis=0).sum())
        notices.append(comparisons.different_cases(stated, len(scored.systems), len(scored.cases), common))
    return notices
