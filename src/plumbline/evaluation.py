"""evaluate(): read, align, compute, average; one way, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import polars as pl

from plumbline._version import __version__
from plumbline.align import Aligned, Policy, align, prepare_gold
from plumbline.average import summary
from plumbline.compute import compute
from plumbline.conventions import convention
from plumbline.errors import BadData, BadUsage, Diagnostic, notices, table, usage
from plumbline.errors.base import listing
from plumbline.io.ahead import read_ahead
from plumbline.io.read import read
from plumbline.io.systems import named_systems
from plumbline.io.table import ReadOptions, Table
from plumbline.metrics.names import Measure, measures
from plumbline.schema import ALL, CASE, LIST, METRIC, SYSTEM, VALUE
from plumbline.scores import MEAN_SCHEMA, PER_CASE_SCHEMA, Column, Scores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

    Watch = Callable[[Iterable[tuple[str, Table]], Sized], Iterable[tuple[str, Table]]]

DEFAULT_METRICS: Final = ("AP", "nDCG@10", "P@10", "RR")
TASKS: Final = ("ranking",)


def evaluate(  # noqa: PLR0913 - every decision can be made here
    gold: Any,  # noqa: ANN401 - a path, dict, frame or open file
    systems: Any,  # noqa: ANN401 - one or many of these
    metrics: Iterable[str] | str | None = None,
    *,
    task: Literal["ranking"] | None = None,
    as_: str | None = None,
    rel: float | None = None,
    reader: str | None = None,
    order: Literal["score", "rank", "file"] = "score",
    tag: str | None = None,
    names: Literal["file", "tag"] = "file",
    max_bytes: int | None = None,
    watch: Watch | None = None,
    **policies: Any,  # noqa: ANN401 - the fields of Policy, checked by it
) -> Scores:
    """Score every system on every case of the gold.

    `gold` and `systems` may be paths, globs, open files, dicts `{case: {item: number}}` or data frames of any library;
    `systems` is one of these, a list of paths or a dict from name to any of them. `metrics` are names such as
    `nDCG(gain=exp)@10`. `as_="trec_eval"` takes over the conventions of that tool. Policies are `ties`,
    `on_duplicate`, `missing`, `undefined`, `depth`, `judged_only`, `single_precision` and `seed`. `watch` wraps the
    outputs as they are read, for a progress bar.
    """
    aligned, wanted = prepare(
        gold,
        systems,
        metrics,
        task=task,
        as_=as_,
        rel=rel,
        options=ReadOptions(reader, order, tag, max_bytes),
        names=names,
        watch=watch,
        **policies,
    )
    return _scores(aligned, wanted, as_)


def prepare(  # noqa: PLR0913 - as evaluate
    gold: Any,  # noqa: ANN401 - as evaluate
    systems: Any,  # noqa: ANN401 - as evaluate
    metrics: Iterable[str] | str | None,
    *,
    task: str | None = None,
    as_: str | None = None,
    rel: float | None = None,
    options: ReadOptions | None = None,
    names: str = "file",
    watch: Watch | None = None,
    **policies: Any,  # noqa: ANN401 - the fields of Policy
) -> tuple[Aligned, list[Measure]]:
    """Everything before the scores: what was asked for, read and aligned."""
    if task not in (None, *TASKS):
        raise BadUsage(usage.bad_option("task", str(task), list(TASKS)))
    bundle = convention(as_)
    unknown = set(policies) - set(Policy.__dataclass_fields__)
    if unknown:
        raise BadUsage(usage.bad_option("option", min(unknown), sorted(Policy.__dataclass_fields__)))
    policy = Policy(**{**bundle.policy, **{name: value for name, value in policies.items() if value is not None}})
    everywhere = {} if rel is None else {"*": {"rel": rel}}
    asked = [metrics] if isinstance(metrics, str) else list(metrics or DEFAULT_METRICS)
    wanted = measures(asked or DEFAULT_METRICS, {**bundle.parameters, **everywhere})
    reading = replace(options or ReadOptions(), extra_columns=bundle.extra_columns)
    prepared = prepare_gold(read(gold, "gold", replace(reading, tag=None)), policy)
    named = named_systems(systems)
    if not named:
        raise BadUsage(usage.bad_object("the systems: there is none", "at least one system"))
    outputs = _outputs(named, reading, names)
    return align(prepared, watch(outputs, named) if watch else outputs, policy), wanted


def _outputs(systems: dict[str, Any], options: ReadOptions, names: str) -> Iterator[tuple[str, Table]]:
    """Read one system at a time, under the name it is to have."""
    taken: dict[str, str] = {}
    for name, output in read_ahead(systems, lambda name, source: read(source, "output", options, name)):
        called = output.tag or name if names == "tag" else name
        if called in taken:
            raise BadData(table.same_name(called, taken[called], output.label))
        taken[called] = output.label
        yield called, output


def _scores(aligned: Aligned, wanted: list[Measure], as_: str | None) -> Scores:
    computed = compute(aligned, wanted)
    wide = computed.values.with_columns(
        pl.Series(SYSTEM, np.repeat(np.array(aligned.systems, dtype=object), len(aligned.cases)).tolist(), dtype=pl.String),
        pl.Series(CASE, aligned.cases * len(aligned.systems), dtype=pl.String),
        pl.Series("missing", aligned.shown == 0),
    )
    if aligned.policy.missing == "skip":
        wide = wide.filter(~pl.col("missing"))
    numeric = [measure for measure in wanted if not _is_text(measure)]
    notes = [*aligned.notices, *computed.notices, *_undefined(wide, numeric, aligned.policy)]
    if ALL in aligned.cases:
        notes.append(notices.case_called_all(ALL))
    filled = wide.with_columns(_filled(measure.name, aligned.policy) for measure in numeric)
    return Scores(
        per_case=_long(filled, numeric),
        mean=_means(wide, filled, numeric, aligned),
        columns=tuple(
            Column(measure.name, measure.asked, measure.better, measure.average, _reason(measure)) for measure in numeric
        ),
        notices=tuple(notes),
        made=_made(aligned, as_),
        texts=wide.select(SYSTEM, CASE, *(measure.name for measure in wanted if _is_text(measure))),
    )


def _is_text(measure: Measure) -> bool:
    return measure.parts[0].metric.text


def _filled(name: str, policy: Policy) -> pl.Expr:
    replacement = {"zero": 0.0, "one": 1.0}.get(policy.undefined)
    return pl.col(name) if replacement is None else pl.col(name).fill_null(replacement)


def _long(wide: pl.DataFrame, numeric: list[Measure]) -> pl.DataFrame:
    if not numeric:
        return pl.DataFrame(schema=PER_CASE_SCHEMA)
    long = wide.unpivot(
        [measure.name for measure in numeric], index=[SYSTEM, CASE, LIST], variable_name=METRIC, value_name=VALUE
    )
    return long.sort(LIST, maintain_order=True).select(PER_CASE_SCHEMA.keys()).cast(PER_CASE_SCHEMA)  # type: ignore[arg-type]


def _means(wide: pl.DataFrame, filled: pl.DataFrame, numeric: list[Measure], aligned: Aligned) -> pl.DataFrame:
    by_system = {name: wide.filter(pl.col(SYSTEM) == name) for name in aligned.systems}
    filled_by_system = {name: filled.filter(pl.col(SYSTEM) == name) for name in aligned.systems}
    rows = []
    for name in aligned.systems:
        means = filled_by_system[name].select(
            summary(pl.col(measure.name), measure.average).alias(measure.name) for measure in numeric
        )
        nulls = by_system[name].select(pl.col(measure.name).null_count() for measure in numeric)
        missing = len(aligned.cases) - len(by_system[name]) or int(by_system[name]["missing"].sum())
        for measure in numeric:
            undefined = int(nulls[measure.name][0])
            used = len(by_system[name]) - (undefined if aligned.policy.undefined == "skip" else 0)
            rows.append((name, measure.name, means[measure.name][0], used, missing, undefined))
    return pl.DataFrame(rows, schema=MEAN_SCHEMA, orient="row")


def _undefined(wide: pl.DataFrame, numeric: list[Measure], policy: Policy) -> list[Diagnostic]:
    """One notice for each set of cases in which something is undefined."""
    said: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None], dict[str, None]]] = {}
    for measure in numeric:
        empty = wide.filter(pl.col(measure.name).is_null())
        for (system,), part in empty.group_by(SYSTEM, maintain_order=True):
            known = said.setdefault(tuple(part[CASE].to_list()), ({}, {}, {}))
            for kept, new in zip(known, (measure.name, str(system), _reason(measure)), strict=True):
                kept[new] = None
    rule = {"skip": "left out of the mean", "zero": "counted as 0", "one": "counted as 1"}.get(policy.undefined, "")
    made = []
    for cases, (metrics, systems, reasons) in said.items():
        who = (listing(list(metrics), 4), next(iter(systems)) if len(systems) == 1 else f"{len(systems)} systems")
        if policy.undefined == "error":
            raise BadData(table.undefined_value(*who, list(cases), " / ".join(reasons)))
        made.append(notices.undefined_cases(*who, list(cases), wide[CASE].n_unique(), " / ".join(reasons), rule))
    return made


def _reason(measure: Measure) -> str:
    return " / ".join(dict.fromkeys(part.metric.undefined for part in measure.parts if part.metric.undefined))


def _made(aligned: Aligned, as_: str | None) -> dict[str, Any]:
    return {
        "version": __version__,
        "task": "ranking",
        "gold": aligned.gold.label,
        "systems": list(aligned.systems),
        "tags": list(aligned.tags),
        "cases": len(aligned.cases),
        "as": as_,
        "policy": aligned.policy.told(),
        "ties": aligned.policy.ties,
    }
