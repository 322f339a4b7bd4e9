"""Scores as dicts and frames, and every form in which a comparison can be shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from plumbline import Comparison

Nested = dict[str, dict[str, dict[str, float]]]


def nested(**metrics: dict[str, list[float]]) -> Nested:
    """`{metric: {system: {case: value}}}` out of lists."""
    return {
        metric: {system: {f"c{at}": value for at, value in enumerate(values)} for system, values in systems.items()}
        for metric, systems in metrics.items()
    }


def made(systems: int = 4, cases: int = 25, metrics: tuple[str, ...] = ("P", "R"), seed: int = 3) -> Nested:
    block = np.random.default_rng(seed).random((len(metrics), systems, cases)).round(3)
    return nested(**{m: {f"s{s}": row.tolist() for s, row in enumerate(rows)} for m, rows in zip(metrics, block, strict=True)})


def long(scores: Nested) -> pl.DataFrame:
    rows = [(s, c, m, v) for m, of in scores.items() for s, cases in of.items() for c, v in cases.items()]
    return pl.DataFrame(rows, schema=["system", "case", "metric", "value"], orient="row")


def everything(comparison: Comparison) -> str:
    """Every table and every format, so that nothing is left to fail later."""
    frames = [
        comparison.intervals,
        comparison.references,
        comparison.weights,
        comparison.leads,
        comparison.parametric,
        comparison.correlations,
    ]
    texts = [repr(comparison), comparison.to_latex(), comparison.to_markdown(), comparison._repr_html_()]
    message = [str(comparison.verdict(a, b)) for a in comparison.systems for b in comparison.systems]
    json.loads(comparison.to_json())
    assert all(isinstance(frame, pl.DataFrame) for frame in frames)
    return "\n".join([*texts, *message])
