"""Click models compared as systems: cases are those of the log, metrics say how well held-out sessions are predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.comparison.compare import compare
from plumbline.comparison.wording import summary, verdicts
from plumbline.errors import clicks

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.truth.clicks.scoring import Predictions

LOG_LIKELIHOOD: Final = "log-likelihood"
PERPLEXITY: Final = "perplexity"
CONDITIONAL: Final = "conditional perplexity"
METRICS: Final = (LOG_LIKELIHOOD, PERPLEXITY, CONDITIONAL)
FEWEST: Final = 2


def scores_by_case(fitted: list[tuple[str, Predictions]]) -> pl.DataFrame:
    """`system, case, metric, value` of the held-out sessions; a model that finds one impossible has no log-likelihood there."""
    frames = []
    for name, held_out in fitted:
        codes, values = held_out.by_case()
        cases = pl.Series("case", held_out.log.cases, dtype=pl.String).gather(codes)
        columns = [
            pl.Series(metric, one) for metric, one in zip((LOG_LIKELIHOOD, PERPLEXITY, CONDITIONAL), values, strict=True)
        ]
        wide = pl.DataFrame([pl.Series("system", [name], dtype=pl.String).new_from_index(0, len(codes)), cases, *columns])
        metrics = pl.concat_list(
            pl.struct(pl.lit(one.name).alias("metric"), pl.col(one.name).alias("value")) for one in columns
        )
        frames.append(wide.select("system", "case", metrics.alias("each")).explode("each").unnest("each"))
    finite = pl.when(pl.col("value").is_finite()).then("value").alias("value")
    return pl.concat(frames).with_columns(finite)


def compared(cases: pl.DataFrame, seed: int, in_log: int) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """What `compare` says about the models by log-likelihood and perplexity; models with gaps are left out, and named.

    `in_log` is the number of cases of the log, of which some may be held out.
    """
    gaps = cases.filter(pl.col("value").is_null())["system"].unique(maintain_order=True).to_list()
    kept = cases.filter(~pl.col("system").is_in(gaps), pl.col("metric") != CONDITIONAL)
    remarks = (clicks.not_compared(gaps),) if gaps else ()
    if kept["system"].n_unique() < FEWEST:
        return (), remarks
    if kept["case"].n_unique() < FEWEST:
        return (), (*remarks, clicks.too_few_cases(in_log))
    comparison = compare(kept, lower=[PERPLEXITY], primary=LOG_LIKELIHOOD, seed=seed)
    everything = summary(comparison)
    if len(comparison.systems) == FEWEST:
        return tuple(everything), remarks
    return (everything[0], *(" ".join(one.sentences) for one in verdicts(comparison)[0])), remarks
