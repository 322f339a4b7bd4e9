"""Weights of the new policy against the logged one: by action, by list, by item, from the top, or by position alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, policies
from plumbline.io.table import ReadOptions
from plumbline.truth.interleaving.rankings import MISSING_CASES
from plumbline.truth.policies.estimators import Weighted
from plumbline.truth.policies.log import (
    ACTION,
    CASE,
    POSITION,
    PREDICTION,
    PROBABILITY,
    PROPENSITY,
    REWARD,
    SESSION,
    TARGET,
    read_examination,
    read_policy,
    read_predictions,
)
from plumbline.truth.pools.lists import DOC, RUN, read_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.policies.log import PolicyLog

LISTS: Final = ("list", "item", "cascade")
NEEDED: Final = {
    "action": (ACTION, REWARD, PROPENSITY),
    "list": (SESSION, POSITION, ACTION, REWARD, PROPENSITY),
    "item": (SESSION, POSITION, ACTION, REWARD, PROPENSITY),
    "cascade": (SESSION, POSITION, ACTION, REWARD, PROPENSITY),
    "position": (SESSION, CASE, ACTION, POSITION, REWARD),
}
"""The columns that each form of weights needs."""


@dataclass(frozen=True, eq=False)
class Weighing:
    """Weighted rewards, what the weights should average to, and what should be known about them."""

    data: Weighted
    supported: float = 1.0
    """The share of the new policy's actions that occur in the log."""
    notices: tuple[Diagnostic, ...] = ()


def weighed(log: PolicyLog, form: str, given: dict[str, Any]) -> Weighing:
    """The weights of one form."""
    return _by_position(log, given) if form == "position" else _by_probability(log, form, given)


def _by_probability(log: PolicyLog, form: str, given: dict[str, Any]) -> Weighing:
    target, supported, notices = _targets(log, given.get("policy"))
    weight = target / log.frame[PROPENSITY].to_numpy()
    reward = log.frame[REWARD].to_numpy()
    expected, predicted, more = _modelled(log, given)
    notices += more
    if form == "action":
        units = None if log.sessions is None else log.sessions.to_numpy()
        models = [None if one is None else one[:, None] for one in (expected, predicted)]
        data = Weighted(weight[:, None], reward[:, None], reward, models[0], models[1], units)
        return Weighing(data, supported, tuple(notices))
    assert log.sessions is not None  # noqa: S101 - NEEDED has it
    place = log.sessions.to_numpy(), log.frame[POSITION].to_numpy() - 1
    shape = int(place[0].max()) + 1, int(place[1].max()) + 1
    rewards, weights = _spread(reward, place, shape), _spread(weight, place, shape)
    gaps = np.isnan(weights)
    if form == "list":
        weights = np.where(gaps, np.nan, np.nanprod(weights, axis=1, keepdims=True))
    elif form == "cascade":
        weights = np.where(gaps, np.nan, np.cumprod(np.where(gaps, 1.0, weights), axis=1))
    grids = [None if one is None else _spread(one, place, shape) for one in (expected, predicted)]
    return Weighing(Weighted(weights, rewards, np.nansum(rewards, axis=1), grids[0], grids[1]), supported, tuple(notices))


def _spread(values: NDArray[np.float64], place: tuple[Any, Any], shape: tuple[int, int]) -> NDArray[np.float64]:
    """Values by session and position; NaN where a session has no such position."""
    grid = np.full(shape, np.nan)
    grid[place] = values
    return grid


def _targets(log: PolicyLog, policy: Any) -> tuple[NDArray[np.float64], float, list[Diagnostic]]:
    """How probably the new policy would have done the same, and what the log says nothing about."""
    if policy is None:
        if TARGET not in log.frame.columns:
            raise BadUsage(policies.no_policy(log.frame.columns))
        return log.frame[TARGET].to_numpy(), 1.0, []
    table = read_policy(policy, log)
    keys = [name for name in table.columns if name != PROBABILITY]
    joined = log.frame.select(keys).join(table, on=keys, how="left", maintain_order="left")[PROBABILITY]
    notices: list[Diagnostic] = []
    if joined.null_count():
        lost = log.frame.filter(joined.is_null())[ACTION].unique(maintain_order=True).to_list()
        notices.append(policies.unknown_actions(joined.null_count(), len(joined), lost[:5], len(lost)))
    supported = 1.0
    untried = table.filter(pl.col(PROBABILITY) > 0).join(
        log.frame.select(keys).unique(), on=keys, how="anti", maintain_order="left"
    )
    of_case = [name for name in keys if name != ACTION]
    if len(untried):
        visits = log.frame.group_by(of_case).len() if of_case else None
        share = (
            untried
            if visits is None
            else untried.join(visits, on=of_case, maintain_order="left").with_columns(
                pl.col(PROBABILITY) * pl.col("len") / len(log.frame)
            )
        )
        supported = 1.0 - float(share[PROBABILITY].sum())
        actions = untried[ACTION].unique(maintain_order=True).to_list()
        if supported < 1:
            notices.append(policies.unsupported(1 - supported, actions[:5], len(actions)))
    return joined.fill_null(0.0).to_numpy(), supported, notices


def _modelled(
    log: PolicyLog, given: dict[str, Any]
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None, list[Diagnostic]]:
    """What the model expects of the new policy in each row, and of the logged action."""
    if given.get("predictions") is None:
        return None, None, []
    if given.get("policy") is None:
        raise BadUsage(policies.needs("dr", "a table of the policy beside the predictions"))
    predictions, policy = read_predictions(given["predictions"], log), read_policy(given["policy"], log)
    keys = [name for name in predictions.columns if name != PREDICTION]
    predicted = log.frame.select(keys).join(predictions, on=keys, how="left", maintain_order="left")[PREDICTION]
    notices = [policies.no_prediction(predicted.null_count(), len(predicted))] if predicted.null_count() else []
    shared = [name for name in policy.columns if name in predictions.columns]
    of_row = list(dict.fromkeys(name for name in (*policy.columns, *predictions.columns) if name in {CASE, POSITION}))
    means = policy.join(predictions, on=shared, maintain_order="left").with_columns(
        (pl.col(PROBABILITY) * pl.col(PREDICTION)).alias("expected")
    )
    if not of_row:
        return np.full(len(log.frame), float(means["expected"].sum())), predicted.fill_null(0.0).to_numpy(), notices
    summed = means.group_by(of_row, maintain_order=True).agg(pl.col("expected").sum())
    expected = log.frame.select(of_row).join(summed, on=of_row, how="left", maintain_order="left")["expected"]
    return expected.fill_null(0.0).to_numpy(), predicted.fill_null(0.0).to_numpy(), notices


def _by_position(log: PolicyLog, given: dict[str, Any]) -> Weighing:
    """A click counts by how probably its new place is looked at, through how probably its old one is."""
    if given.get("examination") is None or given.get("policy") is None:
        raise BadUsage(policies.needs("weighing by position", "the examination of positions, and a run of the new ranking"))
    looked = read_examination(given["examination"])
    lists = read_lists(given["policy"], ReadOptions(), None, "error")
    ranks = lists.rows.filter(pl.col(RUN) == 0)
    docs = lists.docs[ranks[DOC]]
    new = pl.DataFrame(
        {
            CASE: pl.Series(lists.cases, dtype=pl.String).gather(docs[CASE]),
            ACTION: docs["item"],
            "new": ranks["rank"],
        }
    )
    rows = log.frame.join(new, on=[CASE, ACTION], how="left", maintain_order="left")
    before = rows[POSITION].replace_strict(looked, default=0.0, return_dtype=pl.Float64).to_numpy()
    unseen = (before <= 0) & (rows[REWARD] != 0).to_numpy()
    if unseen.any():
        raise BadData(policies.unexamined(int(rows[POSITION][int(unseen.argmax())])))
    after = rows["new"].replace_strict(looked, default=0.0, return_dtype=pl.Float64).fill_null(0.0).to_numpy()
    assert log.sessions is not None  # noqa: S101 - NEEDED has it
    place = log.sessions.to_numpy(), log.frame[POSITION].to_numpy() - 1
    shape = int(place[0].max()) + 1, int(place[1].max()) + 1
    weight = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
    rewards = _spread(rows[REWARD].to_numpy(), place, shape)
    data = Weighted(_spread(weight, place, shape), rewards, np.nansum(rewards, axis=1), normalised=False)
    supported, actions = _shown_share(log, new, looked)
    notices = [notice for notice in lists.notices if notice.code != MISSING_CASES]
    notices += [policies.unsupported(1 - supported, actions[:5], len(actions))] if supported < 1 else []
    return Weighing(data, supported, tuple(notices))


def _shown_share(log: PolicyLog, new: pl.DataFrame, looked: dict[int, float]) -> tuple[float, list[str]]:
    """How much of what users would look at in the new ranking the log has ever shown for the case."""
    visits = log.frame.group_by(CASE).agg(pl.col(SESSION).n_unique().alias("visits"))
    seen = new.join(visits, on=CASE, maintain_order="left").with_columns(
        pl.col("new").replace_strict(looked, default=0.0, return_dtype=pl.Float64).alias("look")
    )
    untried = seen.join(log.frame.select(CASE, ACTION).unique(), on=[CASE, ACTION], how="anti", maintain_order="left").filter(
        pl.col("look") > 0
    )
    total = float((seen["look"] * seen["visits"]).sum())
    lost = float((untried["look"] * untried["visits"]).sum())
    return (1 - lost / total if total else 0.0), untried[ACTION].unique(maintain_order=True).to_list()
