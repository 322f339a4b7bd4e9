"""Every span with its verdict: correct, wrong type, wrong boundary, missed or spurious."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.views.matching import credit_of, one_to_one, overlapping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.extraction import AlignedSpans
    from plumbline.align.span_side import Side
    from plumbline.views.matching import Match, Pairs

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

CORRECT, TYPE, BOUNDARY, BOTH = "correct", "wrong type", "wrong boundary", "wrong type and boundary"
MISSED: Final = "missed"
SPURIOUS: Final = "spurious"
_PAIRED: Final = {
    "spans": (CORRECT, TYPE, BOUNDARY, BOTH),
    "slots": (CORRECT, "wrong field", "wrong value", "wrong field and value"),
    "relations": (CORRECT, TYPE, "wrong ends", "wrong type and ends"),
}
"""The verdicts about pairs, in the order of 2 * wrong boundary + wrong type, by what was extracted."""
_CREDIT: Final = 64.0
"""Credit decides which spans are a pair, and then what a person would say: the same place, the same type, any overlap."""


def explained_pairs(wanted: Side, given: Side, match: Match, iou: float) -> Pairs:
    """The pairs that a measure gives its credit to, and of those the ones that a person would name."""

    def worth(some: Pairs) -> Numbers:
        plain = np.where(some.same_place, 4.0, 0.0) + np.where(some.same_kind, np.where(some.same_place, 4.0, 2.0), 1.0)
        return plain if match == "positions" else credit_of(some, match, iou) * _CREDIT + plain

    return one_to_one(overlapping(wanted, given), (len(wanted), len(given)), worth)


def verdict_codes(pairs: Pairs) -> Integers:
    """The place of the verdict about each pair among those about pairs."""
    return np.asarray(2 * ~pairs.same_place + ~pairs.same_kind, dtype=np.int64)


def paired_verdicts(shape: str) -> tuple[str, ...]:
    """The verdicts about pairs of spans, slots or relations, by their codes."""
    return _PAIRED[shape]


def possible_verdicts(shape: str) -> tuple[str, ...]:
    """The verdicts that pairs can have: values of different fields are never a pair."""
    return _PAIRED[shape][::2] if shape == "slots" else _PAIRED[shape]


def judged_spans(aligned: AlignedSpans, system: int, documents: Integers, matching: tuple[Match, float]) -> pl.DataFrame:
    """`document, verdict, gold, output, text, credit`: a row for each pair and for each span that is in none, in text order."""
    wanted, given = (side.take(np.isin(side.document, documents)) for side in (aligned.wanted, aligned.given[system]))
    pairs = explained_pairs(wanted, given, *matching)
    match, iou = matching
    credit = np.zeros(len(pairs.wanted)) if match == "positions" else credit_of(pairs, match, iou)
    missed = np.setdiff1d(np.arange(len(wanted)), pairs.wanted)
    spurious = np.setdiff1d(np.arange(len(given)), pairs.given)
    gold_rows = np.concatenate((pairs.wanted, missed, np.full(len(spurious), -1)))
    output_rows = np.concatenate((pairs.given, np.full(len(missed), -1), spurious))
    verdicts = [
        *(_PAIRED[aligned.shape][code] for code in verdict_codes(pairs)),
        *[MISSED] * len(missed),
        *[SPURIOUS] * len(spurious),
    ]
    rows = zip(gold_rows.tolist(), output_rows.tolist(), strict=True)
    first = [(wanted, row) if row >= 0 else (given, other) for row, other in rows]
    frame = pl.DataFrame(
        {
            "document": [int(side.document[row]) for side, row in first],
            "verdict": verdicts,
            "gold": _spelled(aligned, wanted, gold_rows),
            "output": _spelled(aligned, given, output_rows),
            "text": [_text(aligned, side, row) for side, row in first],
            "credit": np.concatenate((credit, np.zeros(len(missed) + len(spurious)))),
            "start": [int(side.start[row]) for side, row in first],
        },
        schema_overrides={"verdict": pl.String, "gold": pl.String, "output": pl.String, "text": pl.String},
    )
    shown = frame.sort("document", "start", maintain_order=True).drop("start")
    return shown if aligned.gold.about is not None and aligned.gold.about.text_of is not None else shown.drop("text")


def _spelled(aligned: AlignedSpans, side: Side, rows: Integers) -> list[str | None]:
    """Place and type of spans, such as `17-32 PER`; None where there is no span."""
    return [None if row < 0 else _spelled_one(aligned, side, row) for row in rows.tolist()]


def _spelled_one(aligned: AlignedSpans, side: Side, row: int) -> str:
    kind = aligned.classes[side.kind[row]]
    if side.filler is None:
        return f"{side.start[row]}-{side.end[row]} {kind}"
    filler = aligned.fillers[int(side.filler[row])]
    return f"{kind}={filler}" if aligned.shape == "slots" else f"{filler} ({kind})"


def _text(aligned: AlignedSpans, side: Side, row: int) -> str | None:
    about = aligned.gold.about
    if about is None or about.text_of is None:
        return None
    text = about.text_of(int(side.document[row]))
    covered = text[int(side.start[row]) : int(side.end[row])]
    return covered if isinstance(covered, str) else " ".join(covered)
