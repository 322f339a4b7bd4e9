"""Which sessions models are fitted to, and which are held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, clicks
from plumbline.truth.clicks.reading.portions import together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.reading.portions import Portions

    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Parts:
    """A log with the sessions that are fitted and those that are held out, numbered alike."""

    all_sessions: ClickLog
    """What estimates come from in the end."""
    fitted: ClickLog
    held_out: ClickLog
    of_new_cases: ClickLog | None
    """Held-out sessions of cases that no fitted session has."""
    way: str
    notices: tuple[Diagnostic, ...] = ()


def split_log(
    read: Portions,
    other: Portions | None,
    *,
    split: Literal["time", "session"],
    share: float,
    seed: int,
) -> Parts:
    """Hold out another log, the latest sessions, or sessions drawn at random; with a share of 0 nothing."""
    remarks = list(read.notices)
    if other is not None:
        both = other.after(read)
        log, _ = together(both)
        chosen = np.arange(len(log.page)) >= read.sessions
        remarks = list(both.notices)
        way = "the log for testing"
    else:
        log, when = together(read)
        moments = _moments(read.label, when) if split == "time" and when is not None else None
        chosen, way = _chosen(len(log.page), moments, split, share, seed)
        if split == "time" and share > 0 and when is None:
            remarks.append(clicks.split_by_order(read.label))
    all_sessions = log.only(~chosen) if other is not None else log
    if share == 0 and other is None:
        return Parts(all_sessions, all_sessions, all_sessions, None, "the sessions that models were fitted to", tuple(remarks))
    for part, flags in (("fitted", ~chosen), ("held-out", chosen)):
        if not flags.any():
            raise BadUsage(clicks.empty_part(part, len(chosen)))
    fitted = log.only(~chosen)
    known = np.zeros(len(log.cases), dtype=np.bool_)
    known[fitted.case] = True
    new = ~known[log.case[log.page]] & chosen
    apart = None
    if new.any():
        apart = log.only(new)
        names = [log.cases[case] for case in np.unique(apart.case).tolist()]
        remarks.append(clicks.new_cases(apart.size, names[:5], len(names)))
        if not (chosen & ~new).any():
            raise BadUsage(clicks.empty_part("held-out", len(chosen)))
    return Parts(all_sessions, fitted, log.only(chosen & ~new), apart, way, tuple(remarks))


def _chosen(size: int, moments: NDArray[Any] | None, split: str, share: float, seed: int) -> tuple[Flags, str]:
    """The sessions to hold out."""
    wanted = min(max(round(share * size), 1), size) if share > 0 else 0
    if split == "session":
        order = np.random.default_rng(seed).permutation(size)
        way = f"{share:.0%} of the sessions, drawn at random"
    else:
        order = np.arange(size) if moments is None else np.argsort(moments, kind="stable")
        way = f"the latest {share:.0%} of the sessions"
    held = np.zeros(size, dtype=np.bool_)
    held[order[size - wanted :]] = True
    return held, way


def _moments(label: str, first: pl.Series) -> NDArray[Any]:
    """The moment of each page, in the order of the log."""
    if first.dtype.is_temporal():
        return first.cast(pl.Datetime("us")).dt.epoch("us").to_numpy()
    texts = first.cast(pl.String)
    numbers = texts.cast(pl.Float64, strict=False)
    if not numbers.null_count() and numbers.is_finite().all():
        return numbers.to_numpy()
    dates = texts.str.to_datetime(strict=False, time_unit="us", time_zone="UTC") if texts.null_count() < len(texts) else None
    if dates is None or dates.null_count():
        row = 0 if dates is None else int(dates.is_null().arg_max() or 0)
        raise BadData(clicks.not_a_moment(label, str(texts[row])))
    return dates.dt.epoch("us").to_numpy()
