"""From the values of all lists to Scores: undefined values counted, means with their counts, and how they were made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline._version import __version__
from plumbline.average import summary
from plumbline.errors import BadData, Diagnostic, notices, table
from plumbline.errors.base import listing
from plumbline.evaluation.zscores import COUNT_OF_CASES, standardised
from plumbline.schema import ALL, CASE, LIST, METRIC, SYSTEM, VALUE
from plumbline.scores import MEAN_SCHEMA, PER_CASE_SCHEMA, Column, Scores

if TYPE_CHECKING:
    from plumbline.align.alignment import Alignment
    from plumbline.align.policy import Policy
    from plumbline.compute.computed import Computed
    from plumbline.metrics.measure import Measure


def tabulate(
    aligned: Alignment,
    computed: Computed,
    made: dict[str, Any],
    reference: pl.DataFrame | None = None,
) -> Scores:
    """The table of scores, with its notices."""
    wide = computed.values.with_columns(
        pl.Series(SYSTEM, np.repeat(np.array(aligned.systems, dtype=object), len(aligned.cases)).tolist(), dtype=pl.String),
        pl.Series(CASE, aligned.cases * len(aligned.systems), dtype=pl.String),
        pl.Series("missing", aligned.missing),
    )
    if aligned.policy.missing == "skip":
        wide = wide.filter(~pl.col("missing"))
    wanted = computed.measures
    numeric = [measure for measure in wanted if not _is_text(measure)]
    if reference is not None:
        filled = wide.with_columns(_filled(measure.name, aligned.policy) for measure in numeric)
        wide = standardised(filled, numeric, reference)
    columns = [_column(measure, standard=reference is not None) for measure in numeric]
    wide = wide.rename({measure.name: column.name for measure, column in zip(numeric, columns, strict=True)})
    floor = made.get("floor", [])
    notes = [*aligned.notices, *computed.notices, *_undefined(_without(floor, wide), columns, aligned.policy)]
    if texts := [measure.name for measure in wanted if _is_text(measure)]:
        notes.append(notices.text_metric(texts))
    if ALL in aligned.cases:
        notes.append(notices.case_called_all(ALL))
    filled = wide.with_columns(_filled(column.name, aligned.policy) for column in columns)
    mean = _means(wide, columns, aligned)
    scores = Scores(
        per_case=_long(filled, columns),
        mean=mean,
        columns=tuple(columns),
        notices=(*notes, *_different_cases(_without(floor, mean))),
        made={**_made(aligned), **made},
        texts=wide.select(SYSTEM, CASE, *(measure.name for measure in wanted if _is_text(measure))),
    )
    return replace(scores, notices=(*scores.notices, *_verdicts(scores))) if scores.floor else scores


def _without(systems: list[str], rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(~pl.col(SYSTEM).is_in(systems)) if systems else rows


def _is_text(measure: Measure) -> bool:
    return measure.parts[0].metric.text


def _column(measure: Measure, *, standard: bool) -> Column:
    reasons = dict.fromkeys(part.metric.undefined for part in measure.parts if part.metric.undefined)
    if len(measure.parts) > 1 and any(part.metric.range[0] is None or part.metric.range[0] < 0 for part in measure.parts):
        reasons["a part of F is below 0"] = None
    if not standard:
        return Column(measure.name, measure.typed, measure.better, measure.average, " / ".join(reasons))
    name = measure.name if measure.name == COUNT_OF_CASES else f"Z({measure.name})"
    reason = "the reference has no scores for it there, or they do not vary"
    return Column(name, f"Z{measure.typed}", measure.better, measure.average, reason)


def _filled(name: str, policy: Policy) -> pl.Expr:
    replacement = {"zero": 0.0, "one": 1.0}.get(policy.undefined)
    return pl.col(name) if replacement is None else pl.col(name).fill_null(replacement)


def _long(wide: pl.DataFrame, columns: list[Column]) -> pl.DataFrame:
    if not columns:
        return pl.DataFrame(schema=PER_CASE_SCHEMA)
    names = [column.name for column in columns]
    long = wide.unpivot(names, index=[SYSTEM, CASE, LIST], variable_name=METRIC, value_name=VALUE)
    return long.sort(LIST, maintain_order=True).select(PER_CASE_SCHEMA.keys()).cast(PER_CASE_SCHEMA)  # type: ignore[arg-type]


def _means(wide: pl.DataFrame, columns: list[Column], aligned: Alignment) -> pl.DataFrame:
    """A row for each system and metric, with the numbers of cases behind it; a system may be left without any case."""
    policy, count = aligned.policy, len(columns)
    number = (wide[LIST] // len(aligned.cases)).alias("number").set_sorted()  # lists are numbered system by system
    means = [summary(_filled(one.name, policy), one.average).alias(f"mean {at}") for at, one in enumerate(columns)]
    nulls = [pl.col(one.name).null_count().alias(f"nulls {at}") for at, one in enumerate(columns)]
    by_number = wide.with_columns(number).group_by("number").agg(pl.len(), pl.col("missing").sum(), *means, *nulls)
    summed = {at: values for at, *values in by_number.iter_rows()}
    rows = []
    for at, name in enumerate(aligned.systems):
        lists, missing, *values = summed.get(at, [0, 0, *[None] * count, *[0] * count])
        for column, mean, undefined in zip(columns, values[:count], values[count:], strict=True):
            used = lists - (undefined if policy.undefined == "skip" else 0)
            rows.append((name, column.name, mean, used, len(aligned.cases) - lists or missing, undefined))
    return pl.DataFrame(rows, schema=MEAN_SCHEMA, orient="row")


def _undefined(wide: pl.DataFrame, columns: list[Column], policy: Policy) -> list[Diagnostic]:
    """One notice for each set of cases in which something is undefined."""
    by_cases: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None], dict[str, None]]] = {}
    for column in (column for column in columns if wide[column.name].null_count()):
        empty = wide.filter(pl.col(column.name).is_null())
        for (system,), part in empty.group_by(SYSTEM, maintain_order=True):
            known = by_cases.setdefault(tuple(part[CASE].to_list()), ({}, {}, {}))
            for kept, new in zip(known, ([column.name], [str(system)], column.undefined.split(" / ")), strict=True):
                kept.update(dict.fromkeys(new))
    rule = {"skip": "left out of the mean", "zero": "counted as 0", "one": "counted as 1"}.get(policy.undefined, "")
    made = []
    for cases, (metrics, systems, reasons) in by_cases.items():
        who = (listing(list(metrics), 4), next(iter(systems)) if len(systems) == 1 else f"{len(systems)} systems")
        if policy.undefined == "error":
            raise BadData(table.undefined_value(*who, list(cases), " / ".join(reasons)))
        made.append(notices.undefined_cases(*who, list(cases), wide[CASE].n_unique(), " / ".join(reasons), rule))
    return made


def _different_cases(mean: pl.DataFrame) -> list[Diagnostic]:
    """Metrics whose means are over different numbers of cases for different systems, because of undefined values."""
    if not mean["undefined"].sum():
        return []
    counts = (
        mean.filter(pl.col("missing") == 0)
        .group_by(METRIC, maintain_order=True)
        .agg(pl.col("cases").min().alias("least"), pl.col("cases").max().alias("most"))
    )
    unlike = counts.filter(pl.col("least") < pl.col("most"))
    if unlike.is_empty():
        return []
    return [
        notices.different_cases(
            unlike[METRIC].to_list(), int(unlike["least"].to_numpy().min()), int(unlike["most"].to_numpy().max())
        )
    ]


def _verdicts(scores: Scores) -> list[Diagnostic]:
    """For each metric, which systems beat every baseline."""
    real = len(scores.made["systems"]) - len(scores.floor)
    groups: dict[tuple[str, ...], list[str]] = {}
    for column in scores.columns:
        known = scores.mean.filter((pl.col(METRIC) == column.name) & pl.col(SYSTEM).is_in(scores.floor)).drop_nulls(VALUE)
        if column.better != "neither" and len(known):
            groups.setdefault(tuple(scores.beating(column.name)), []).append(column.name)
    return [notices.floor_verdict(metrics, list(beating), real) for beating, metrics in groups.items()]


def _made(aligned: Alignment) -> dict[str, Any]:
    return {
        "version": __version__,
        "gold": aligned.gold.label,
        "systems": list(aligned.systems),
        "tags": list(aligned.tags),
        "cases": len(aligned.cases),
        "policy": aligned.policy.changes(),
        "ties": aligned.policy.ties,
    }
