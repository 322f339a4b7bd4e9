"""The answer of an experiment in sentences: is the assignment sound, what is the effect, and what would change the verdict."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors.base import listing, plural
from plumbline.lazily import special
from plumbline.render.grid import chance
from plumbline.truth.experiments.verdicts import WITHHELD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from plumbline.truth.experiments.assignment import Assignment

_POWER: Final = 0.8
LEAST_GAIN: Final = 0.001
"""What makes an interval narrower by less than this share is not worth a number."""


def amount(value: float | None, *, signed: bool = False) -> str:
    """A number with four digits that say something; whole numbers keep all of theirs."""
    if value is None:
        return "n/a"
    digits = f"{value:+.4g}" if signed else f"{value:.4g}"
    large = abs(value) >= 10_000  # noqa: PLR2004 - more digits than the form above shows
    return (f"{value:+,.0f}" if signed else f"{value:,.0f}") if large else digits


def share(value: float | None, *, signed: bool = False) -> str:
    """A share in percent with one digit."""
    return "n/a" if value is None else f"{value * 100:{'+' if signed else ''}.1f} %"


def p_words(p: float) -> str:
    """`p = 0.0123`, or `p < 0.0001`."""
    text = chance(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def ends(row: Mapping[str, Any], prefix: str = "") -> str:
    """The interval of an effect."""
    low, high = row[f"{prefix}low"], row[f"{prefix}high"]
    shown = share if prefix else amount
    return "" if low is None else f" [{shown(low)}, {shown(high)}]"


def sentences(
    sizes: Assignment, effects: pl.DataFrame, unanimity: pl.DataFrame, *, level: float, withheld: bool, sound: bool
) -> list[str]:
    """All sentences, in the order of telling."""
    lines = [assignment_sentence(sizes, withheld=withheld, sound=sound)]
    rows = list(effects.iter_rows(named=True))
    for row in rows:
        lines.append(_effect(row, sizes.control))
        if row["narrower"] is not None:
            change = f"{share(row['narrower'])} narrower" if row["narrower"] >= LEAST_GAIN else "hardly narrower"
            lines.append(f"Adjusting for what users did before makes the interval of {row['metric']} {change}.")
    if not withheld:
        lines += _together(rows, sizes.control)
    lines += [_unanimous(row, sizes.control) for row in unanimity.iter_rows(named=True) if not withheld]
    needed = [line for row in rows if (line := _needed(row, level)) is not None]
    return lines + needed[:3]


def assignment_sentence(sizes: Assignment, *, withheld: bool, sound: bool) -> str:
    """Whether the arms have the sizes that were planned."""
    counts = ", ".join(f"{count:,} in {arm}" for arm, count in zip(sizes.arms, sizes.counts, strict=True))
    p = f"{sizes.method}, {p_words(sizes.p)}"
    if withheld:
        return f"No verdict: the arms do not have their planned shares ({counts}; {p})."
    return (
        f"The assignment is sound: {counts} ({p})." if sound else f"The arms hardly have their planned shares: {counts} ({p})."
    )


def _effect(row: Mapping[str, Any], control: str) -> str:
    arm, metric, word = row["arm"], row["metric"], row["verdict"]
    if row["reason"]:
        return f"{metric}: no effect of {arm} can be computed, because {row['reason']}."
    relative = "" if row["relative"] is None else f" or {share(row['relative'], signed=True)}{ends(row, 'relative_')}"
    p = "" if row["p_corrected"] is None else f", {p_words(row['p_corrected'])}"
    numbers = f"{amount(row['difference'], signed=True)}{ends(row)}{relative}{p}"
    if word == WITHHELD:
        return f"{arm} minus {control} by {metric}: {numbers}; no verdict."
    if word == "equivalent":
        return f"{arm} and {control} are equivalent by {metric}: {numbers}, within a margin of {amount(row['margin'])}."
    if word == "open":
        return f"It is open whether {arm} differs from {control} by {metric}: {numbers}."
    return f"{arm} is {word} than {control} by {metric}: {numbers}."


def _together(rows: Sequence[Mapping[str, Any]], control: str) -> list[str]:
    """Of several metrics: whether they speak for the arm, against it, or against each other."""
    lines = []
    for arm in dict.fromkeys(row["arm"] for row in rows):
        words = {row["metric"]: row["verdict"] for row in rows if row["arm"] == arm}
        if len(words) == 1:
            continue
        better, worse = ([name for name, word in words.items() if word == wanted] for wanted in ("better", "worse"))
        if better and worse:
            lines.append(f"{arm} is a trade-off: better than {control} by {listing(better)}, worse by {listing(worse)}.")
        elif better or worse:
            word, other, by = ("better", "worse", better) if better else ("worse", "better", worse)
            show = "shows" if len(by) == 1 else "show"
            lines.append(f"Of {len(words)} metrics, {len(by)} {show} that {arm} is {word}, none that it is {other}.")
    return lines


def _unanimous(row: Mapping[str, Any], control: str) -> str:
    arm, count = row["arm"], row["segments"]
    if row["uir"] is None:
        return f"By {row['by']}: no segment has every metric in both arms."
    weights = ""
    if row["weightings"] is not None:
        some = f"by {share(row['weightings'])} of all weightings of the metrics"
        exact = {1.0: "by every weighting of the metrics", 0.0: "by no weighting of the metrics"}
        weights = f"; {arm} is ahead {exact.get(row['weightings'], some)}"
    return (
        f"By {row['by']}: {arm} is at least as good as {control} by every metric in {row['better']} of "
        f"{plural(count, 'segment')}, at most as good in {row['worse']}; UIR {row['uir']:+.2f}{_limits(row)}{weights}."
    )


def _limits(row: Mapping[str, Any]) -> str:
    return "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"


def _needed(row: Mapping[str, Any], level: float) -> str | None:
    """How many units would show a difference as large as the margin."""
    if row["verdict"] != "open" or row["margin"] is None or row["error"] is None or row["error"] == 0:
        return None
    factor = float((special.ndtri(1 - level / 2) + special.ndtri(_POWER)) * row["error"] / row["margin"]) ** 2
    units = ceil((row["n"] + row["n_control"]) * factor)
    return (
        f"To show an effect of {amount(row['margin'])} on {row['metric']} with a probability of {_POWER:.0%}, it takes about "
        f"{units:,} units in both arms; there are {row['n'] + row['n_control']:,}."
    )
