"""The answer of `agree` in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.lazily import special
from plumbline.render.grid import number

if TYPE_CHECKING:
    import polars as pl

    from plumbline.truth.agreement.ratings import Level, Ratings

BENCHMARK: Final = ((0.8, "almost perfectly"), (0.6, "substantially"), (0.4, "moderately"), (0.2, "fairly"), (0.0, "slightly"))
"""The words of Landis and Koch (1977)."""
SURE: Final = 0.95
"""Gwet (2014): a word needs this probability that the coefficient reaches it."""
_SEEN: Final = {"nominal": "labels", "ordinal": "grades", "interval": "numbers", "ratio": "numbers", "sets": "sets of labels"}
_CLEAR: Final = 0.05
"""An assessor without whom alpha is higher by so much is named."""


def word(value: float, error: float | None) -> str:
    """How much that is: the highest class that the coefficient reaches with a probability of .95; empty if there is none."""
    for least, name in BENCHMARK:
        if error is None or error == 0:
            if value >= least:
                return name
        elif float(special.ndtr((value - least) / error)) >= SURE:
            return name
    return ""


def sentences(ratings: Ratings, level: Level, table: pl.DataFrame, without: pl.DataFrame, confidence: float) -> list[str]:
    """How many agree how well, what chance explains, and who differs from the rest."""
    rows = {row["coefficient"]: row for row in table.iter_rows(named=True)}
    lines = []
    alpha = rows.get("alpha")
    count = plural(len(ratings.assessors), "assessor")
    if alpha is not None and alpha["value"] is not None:
        interval = "" if alpha["low"] is None else f", {confidence:.0%} {number(alpha['low'], 2)} to {number(alpha['high'], 2)}"
        how = word(alpha["value"], alpha["error"])
        value = f"(alpha {number(alpha['value'], 2)}{interval})"
        unsure = f"It is not certain that {count} agree on {_SEEN[level]} more than by chance {value}."
        lines.append(f"{count} agree {how} on {_SEEN[level]} {value}." if how else unsure)
    raw = rows.get("agreement")
    kappa = next((rows[name] for name in ("kappa", "fleiss_kappa") if name in rows), None)
    if raw is not None and raw["value"] is not None and kappa is not None and kappa["value"] is not None:
        gap = raw["value"] - kappa["value"]
        lines.append(
            f"Raw agreement {number(raw['value'], 2)} overstates it by {number(gap, 2)}: "
            f"without chance {number(kappa['value'], 2)} is left ({kappa['title']})."
        )
    if not without.is_empty() and alpha is not None and alpha["value"] is not None:
        best = without.drop_nulls("alpha").sort("alpha", descending=True).head(1)
        if not best.is_empty() and best["alpha"][0] - alpha["value"] >= _CLEAR:
            lines.append(
                f"{best['assessor'][0]} differs most from the rest: without it, alpha is {number(best['alpha'][0], 2)}."
            )
    return lines
