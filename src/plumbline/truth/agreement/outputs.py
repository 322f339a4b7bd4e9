"""Agreement on orders, groupings and organizations: one assessor as the gold, another one as the output.

`F(Rel,Sens)` is symmetric, since exchanging the sides exchanges Reliability and Sensitivity. Chance is what is left when the
answers of an assessor are dealt out anew to the items of each case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.correlation.between import tau_b
from plumbline.errors import BadUsage
from plumbline.errors import judgements as problems
from plumbline.errors.base import plural
from plumbline.evaluation.evaluate import evaluate
from plumbline.io.memory.systems import named_systems
from plumbline.io.read import read
from plumbline.io.table import ReadOptions, Table
from plumbline.render.grid import number
from plumbline.schema import CASE, ITEM, LABEL, METRIC, SYSTEM, VALUE
from plumbline.truth.agreement.result import AssessorAgreement

if TYPE_CHECKING:
    from plumbline.schema import TableKind

METRICS: Final = {
    "ranking": ("organization", "levels", ("F(Rel(over=priority,collection=finite),Sens(over=priority,collection=finite))",)),
    "organization": ("organization", "levels", ("F(Rel(collection=finite),Sens(collection=finite))",)),
    "clustering": ("clustering", "clusters", ("F(Rel,Sens)", "F(BCubedP,BCubedR)", "ARI")),
}
"""By what is compared: the task, the kind of table and the metrics."""
TAU: Final = "tau"
CHANCE: Final = 20
"""How often answers are dealt out anew."""
TWO: Final = 2


def agree_on_outputs(sources: Any, given: Mapping[str, Any]) -> AssessorAgreement:
    """Every pair of assessors by the metrics of what they made, and the same by chance."""
    kind = given["task"]
    task, table_kind, metrics = METRICS[kind]
    named = dict(sources) if isinstance(sources, Mapping) else named_systems(sources)
    if len(named) < TWO:
        raise BadUsage(problems.one_assessor(list(named)))
    options = ReadOptions(kind=_kind(table_kind), max_bytes=given.get("max_bytes"))
    tables = {name: read(source, "output", options, name) for name, source in named.items()}
    generator = np.random.default_rng(given.get("seed", 0))
    rows: list[dict[str, Any]] = []
    for a, b in combinations(tables, 2):
        dealt = {f"{draw}": _dealt(tables[b], generator) for draw in range(CHANCE)}
        names = list(metrics)
        scores = evaluate(tables[a], {"b": tables[b], **dealt}, names, task=task)
        means = scores.mean.select(SYSTEM, METRIC, VALUE)
        for metric in dict.fromkeys(means[METRIC].to_list()):
            of_metric = means.filter(pl.col(METRIC) == metric)
            by_chance = of_metric.filter(pl.col(SYSTEM) != "b")[VALUE].mean()
            value = of_metric.filter(pl.col(SYSTEM) == "b")[VALUE][0]
            rows.append({"a": a, "b": b, "metric": metric, "value": value, "chance": by_chance})
        if kind == "ranking":
            chances = [_tau(tables[a], one) for one in dealt.values()]
            defined = [one for one in chances if one is not None]
            chance = float(np.mean(defined)) if defined else None
            rows.append({"a": a, "b": b, "metric": TAU, "value": _tau(tables[a], tables[b]), "chance": chance})
    pairs = pl.DataFrame(rows, infer_schema_length=None)
    return _result(pairs, list(tables), kind)


def _kind(name: str) -> TableKind:
    return "levels" if name == "levels" else "clusters"


def _dealt(table: Table, generator: np.random.Generator) -> Table:
    """The answers of each case in another order of its items."""
    draw = pl.Series("_draw", generator.random(len(table.frame)))
    answers = [name for name in (VALUE, LABEL) if name in table.frame.columns]
    ordered = table.frame.with_columns(draw)
    dealt = ordered.with_columns(pl.col(answers).gather(pl.col("_draw").arg_sort()).over(CASE)) if len(ordered) else ordered
    return replace(table, frame=dealt.drop("_draw"))


def _tau(one: Table, other: Table) -> float | None:
    """The mean over cases of Kendall's tau_b of the items that both have."""
    sides = [
        table.frame.select(pl.col(CASE).cast(pl.String), pl.col(ITEM).cast(pl.String), pl.col(VALUE).cast(pl.Float64))
        for table in (one, other)
    ]
    both = sides[0].join(sides[1], on=[CASE, ITEM], suffix="_other", maintain_order="left")
    taus = [
        tau_b(rows[VALUE].to_numpy(), rows[f"{VALUE}_other"].to_numpy()) for _, rows in both.group_by(CASE, maintain_order=True)
    ]
    known = [tau for tau in taus if not np.isnan(tau)]
    return float(np.mean(known)) if known else None


def _result(pairs: pl.DataFrame, assessors: list[str], kind: str) -> AssessorAgreement:
    means = pairs.group_by("metric", maintain_order=True).agg(
        pl.col("value").mean(), pl.col("chance").mean(), pl.col("value").min().alias("low"), pl.col("value").max().alias("high")
    )
    what = {"ranking": "orders", "clustering": "groupings", "organization": "organizations"}[kind]
    rows = list(means.iter_rows(named=True))
    short = [row["metric"] if "Rel(" not in row["metric"] else "F(Rel,Sens)" for row in rows]
    table = pl.DataFrame(
        {
            "coefficient": [name for row in rows for name in (row["metric"], f"[chance] {row['metric']}")],
            "title": [name for one in short for name in (one, f"[chance] {one}")],
            "value": pl.Series([one for row in rows for one in (row["value"], row["chance"])], dtype=pl.Float64),
            "low": pl.Series([one for row in rows for one in (row["low"], None)], dtype=pl.Float64),
            "high": pl.Series([one for row in rows for one in (row["high"], None)], dtype=pl.Float64),
            "error": pl.Series([None] * 2 * len(rows), dtype=pl.Float64),
            "reason": pl.Series(
                ["no case has a value" if one is None else None for row in rows for one in (row["value"], row["chance"])],
                dtype=pl.String,
            ),
        }
    )
    value, chance = number(rows[0]["value"], 2), number(rows[0]["chance"], 2)
    count = plural(len(assessors), "assessor")
    summary = (f"{count} agree on {what} with {short[0]} {value}; random answers would have {chance}.",)
    caption = f"{count}, {plural(len(pairs) // len(rows), 'pair')}; means over pairs; chance: {CHANCE} draws"
    made = {"assessors": assessors, "level": kind, "interval": "of all pairs", "caption": caption}
    return AssessorAgreement(summary, table, pairs, made=made)
