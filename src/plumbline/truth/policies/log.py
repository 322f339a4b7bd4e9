"""The log of a policy as arrays: what was done, how probably, what it earned; tables of policies and predictions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, files, interleaving, policies, table, usage
from plumbline.io.bytes.content import load
from plumbline.io.columns.names import plain_name
from plumbline.io.columns.text import single_values
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.interleaved.log import LAST_POSITION
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.table import Origin

ACTION: Final = "action"
REWARD: Final = "reward"
PROPENSITY: Final = "propensity"
TARGET: Final = "target"
CASE: Final = "case"
SESSION: Final = "session"
POSITION: Final = "position"
PREDICTION: Final = "prediction"
PROBABILITY: Final = "probability"
EXAMINATION: Final = "examination"
MEANINGS: Final[dict[str, tuple[str, ...]]] = {
    ACTION: ("action", "item_id", "item", "arm", "doc_id", "object_id", "document", "choice"),
    REWARD: ("reward", "click", "clicked", "r", "value", "outcome", "conversion"),
    PROPENSITY: ("propensity", "propensity_score", "pscore", "logging_probability", "behavior_probability", "pi_b"),
    TARGET: ("target", "target_probability", "evaluation_policy_pscore", "evaluation_probability", "new_probability", "pi_e"),
    SESSION: ("session", "session_id", "slate_id", "impression_id", "round", "round_id"),
    CASE: ("case", "context", "query", "query_id", "qid", "user_query", "topic"),
    POSITION: ("position", "rank", "slot", "pos"),
    PREDICTION: ("prediction", "predicted", "predicted_reward", "q_hat", "expected_reward"),
    EXAMINATION: ("examination", "propensity", "probability"),
    PROBABILITY: ("probability", "prob", "p", "new_probability", "target"),
}
_NUMBERS: Final = frozenset({REWARD, PROPENSITY, TARGET, POSITION, PREDICTION, PROBABILITY, EXAMINATION})
LOG: Final = (ACTION, REWARD, PROPENSITY, TARGET, SESSION, CASE, POSITION)
POLICY: Final = (ACTION, PROBABILITY, CASE, POSITION)
PREDICTIONS: Final = (ACTION, PREDICTION, CASE, POSITION)
UNIFORM: Final = "uniform"
_CLOSE: Final = 1e-6
_LARGEST: Final = 1e100
"""Larger rewards cannot be squared and added up."""
_SMALLEST: Final = 1e-100
"""Nor can weights of smaller propensities."""


@dataclass(frozen=True, eq=False)
class PolicyLog:
    """The rows of a log with the columns that they have; `session` as numbers from 0 where the log has it."""

    frame: pl.DataFrame
    label: str
    origin: Origin
    sessions: pl.Series | None = None


def opened(source: Any, label: str) -> tuple[pl.DataFrame, str, Origin]:
    """A table, what messages call it, and how to find its rows again."""
    if is_frame(source):
        given = polars_frame(source, label)
        if given.is_empty():
            raise BadData(files.no_data(label))
        return given, label, FrameOrigin(label)
    if not isinstance(source, (str, os.PathLike)):
        raise BadUsage(usage.bad_object(f"the {label}: a {type(source).__name__}", "a path or a data frame"))
    content = load(source)
    frame, origin = matrix_or_frame(content)
    if not isinstance(frame, pl.DataFrame) or frame.is_empty():
        raise BadData(files.no_data(content.label))
    return frame, content.label, origin


def _named(frame: pl.DataFrame, wanted: tuple[str, ...], chosen: Mapping[str, str], origin: Origin) -> pl.DataFrame:
    """The columns that are wanted under the names of their meanings, numbers as numbers, everything else as text."""
    by_name = {plain_name(column): column for column in reversed(frame.columns)}
    column_of: dict[str, str] = {}
    for meaning in wanted:
        names = (plain_name(chosen[meaning]),) if meaning in chosen else MEANINGS[meaning]
        column = next((by_name[name] for name in names if name in by_name and by_name[name] not in column_of.values()), None)
        if column is not None:
            column_of[meaning] = column
        elif meaning in chosen:
            raise BadUsage(usage.no_such_columns([chosen[meaning]]))
    return pl.DataFrame([_column(frame[column], meaning, origin) for meaning, column in column_of.items()])


def _column(values: pl.Series, meaning: str, origin: Origin) -> pl.Series:
    if values.dtype == pl.Object or values.dtype.is_nested():
        row = next((row for row, one in enumerate(values) if one is not None and not isinstance(one, (str, float))), 0)
        raise BadData(table.bad_id(origin.places([row], meaning)[0], meaning, "is neither text nor a number that fits"))
    values = single_values(values, meaning)
    if meaning not in _NUMBERS:
        return values.cast(pl.String).fill_null("").alias(meaning)
    plain = values.cast(pl.Float64) if values.dtype == pl.Boolean else values
    numbers = plain.cast(pl.Float64, strict=False) if plain.dtype.is_numeric() else _of_text(plain.cast(pl.String))
    odd = numbers.is_null() | ~numbers.is_finite() | (numbers.abs() > _LARGEST)
    if odd.any():
        row = int(odd.arg_max() or 0)
        text = None if values[row] is None else str(values[row])
        raise BadData(policies.not_a_number(origin.places([row], meaning)[0], meaning, text))
    return numbers.alias(meaning)


def _of_text(texts: pl.Series) -> pl.Series:
    words = {"true": "1", "false": "0"}
    return texts.str.strip_chars().str.to_lowercase().replace(words).cast(pl.Float64, strict=False)


def chosen_columns(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The column that was named for each meaning."""
    if columns is None:
        return {}
    pairs = [part.partition("=")[::2] for part in columns.split(",")] if isinstance(columns, str) else list(columns.items())
    named = {meaning.strip().lower(): str(column).strip() for meaning, column in pairs}
    wrong = next((meaning for meaning, column in named.items() if meaning not in LOG or not column), None)
    if wrong is not None:
        raise BadUsage(usage.bad_columns(wrong, list(LOG)))
    return named


def read_policy_log(source: Any, columns: Mapping[str, str], needed: tuple[str, ...], first: int) -> PolicyLog:
    """Read a log and check its probabilities and places."""
    frame, label, origin = opened(source, "log")
    named = _named(frame, LOG, columns, origin)
    lacking = next((meaning for meaning in needed if meaning not in named.columns), None)
    if lacking is not None:
        raise BadData(policies.no_column(origin.places([-1], lacking)[0], lacking, frame.columns))
    for meaning, low_is_allowed, diagnostic in (
        (PROPENSITY, False, policies.bad_propensity),
        (TARGET, True, policies.bad_target),
    ):
        if meaning in named.columns:
            low = named[meaning] < 0 if low_is_allowed else named[meaning] < _SMALLEST
            wrong = low | (named[meaning] > 1 + _CLOSE)
            if wrong.any():
                row = int(wrong.arg_max() or 0)
                raise BadData(diagnostic(origin.places([row], meaning)[0], named[meaning][row]))
    if POSITION in named.columns:
        _check_positions(named[POSITION], first, origin)
        named = named.with_columns((pl.col(POSITION) - first + 1).cast(pl.Int64))
    sessions = named[SESSION].rank("dense").cast(pl.Int64) - 1 if SESSION in named.columns else None
    if sessions is not None and POSITION in needed:
        twice = named.select(pl.struct(SESSION, POSITION).is_first_distinct().not_()).to_series()
        if twice.any():
            row = int(twice.arg_max() or 0)
            place = origin.places([row], POSITION)[0]
            raise BadData(policies.position_twice(place, named[POSITION][row], named[SESSION][row]))
    return PolicyLog(named, label, origin, sessions)


def _check_positions(positions: pl.Series, first: int, origin: Origin) -> None:
    wrong = (positions < first) | (positions > LAST_POSITION) | (positions != positions.floor())
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise BadData(interleaving.bad_position(origin.places([row], POSITION)[0], positions[row], first))


def read_policy(source: Any, log: PolicyLog) -> pl.DataFrame:
    """`action, probability` and perhaps `case, position`; uniform is over all actions of the log."""
    if isinstance(source, str) and source == UNIFORM:
        actions = log.frame[ACTION].unique().sort()
        return pl.DataFrame({ACTION: actions, PROBABILITY: [1 / len(actions)] * len(actions)})
    frame, label, origin = opened(source, "policy")
    named = _named(frame, POLICY, {}, origin)
    missing = [name for name in (ACTION, PROBABILITY) if name not in named.columns]
    if missing:
        raise BadData(policies.bad_policy(label, frame.columns, missing))
    wrong = (named[PROBABILITY] < 0) | (named[PROBABILITY] > 1 + _CLOSE)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise BadData(policies.bad_target(origin.places([row], PROBABILITY)[0], named[PROBABILITY][row]))
    keys = [name for name in (CASE, POSITION) if name in named.columns and name in log.frame.columns]
    named = _whole_positions(named.select(ACTION, PROBABILITY, *keys))
    totals = (
        named.group_by(keys, maintain_order=True).agg(pl.col(PROBABILITY).sum())
        if keys
        else named.select(pl.col(PROBABILITY).sum())
    )
    off = (totals[PROBABILITY] - 1).abs() > _CLOSE
    if off.any() or named.select(ACTION, *keys).is_duplicated().any():
        row = int(off.arg_max() or 0)
        where = "".join(f", {key} {totals[key][row]}" for key in keys)
        raise BadData(policies.not_one(label, where.replace(",", " of", 1), totals[PROBABILITY][row]))
    return named


def read_predictions(source: Any, log: PolicyLog) -> pl.DataFrame:
    """`action, prediction` and perhaps `case, position`."""
    frame, label, origin = opened(source, "predictions")
    named = _named(frame, PREDICTIONS, {}, origin)
    missing = [name for name in (ACTION, PREDICTION) if name not in named.columns]
    if missing:
        raise BadData(policies.bad_policy(label, frame.columns, missing))
    keys = [name for name in (CASE, POSITION) if name in named.columns and name in log.frame.columns]
    return _whole_positions(named.select(ACTION, PREDICTION, *keys))


def read_examination(source: Any) -> dict[int, float]:
    """How probably each position is looked at."""
    if isinstance(source, dict):
        return {int(position): float(look) for position, look in source.items()}
    frame, label, origin = opened(source, "examination")
    named = _named(frame, (POSITION, EXAMINATION), {}, origin)
    missing = [name for name in (POSITION, EXAMINATION) if name not in named.columns]
    if missing:
        raise BadData(policies.bad_policy(label, frame.columns, missing))
    _check_positions(named[POSITION], 1, origin)
    return dict(zip(named[POSITION].cast(pl.Int64), named[EXAMINATION], strict=True))


def _whole_positions(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(POSITION).cast(pl.Int64, strict=False)) if POSITION in frame.columns else frame
