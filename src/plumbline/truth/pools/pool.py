"""pool(): what to judge, in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, pools, usage
from plumbline.errors.faces import option, switch
from plumbline.io.table import ReadOptions as Reading
from plumbline.options.evaluation import ReadOptions
from plumbline.options.option import checked, declared, documented
from plumbline.options.pools import PoolOptions
from plumbline.schema import CASE, ITEM, VALUE
from plumbline.truth.pools.lists import PooledLists, read_judgements, read_lists
from plumbline.truth.pools.orders import ADAPTIVE, ORDERS, order_of
from plumbline.truth.pools.result import Pool, Replay
from plumbline.truth.pools.stopping import Rule, Stop, parse_rule
from plumbline.truth.pools.strata import draw, parse_strata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

DEFAULT_ORDER = "rrf"


@documented(PoolOptions)
def pool(systems: Any, **options: Unpack[PoolOptions]) -> Pool | Replay:
    """Pool the lists of systems: which items to judge, in which order, or drawn with which probability.

    Args:
        systems: The outputs, as `evaluate` takes them.
        **options: See `plumbline.options.pools.PoolOptions`.

    Returns:
        A pool; or, with a gold to `simulate` the judging, how soon relevant items are found.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline
        >>> runs = {"one": {"q1": {"a": 3.0, "b": 2.0}}, "two": {"q1": {"b": 2.0, "c": 1.0}}}
        >>> plumbline.pool(runs, depth=2).to_polars()["item"].to_list()
        ['b', 'a', 'c']
    """
    given = checked(options, PoolOptions, "pool")
    orders, rules = _orders(given), _rules(given)
    _check(given, orders)
    reading = Reading(**{name: value for name, value in given.items() if name in declared(ReadOptions)})
    depth = None if given.get("judged_only") else given.get("depth")
    rule = given.get("on_duplicate", "error")
    lists = read_lists(systems, replace(reading, several_systems=True), depth, rule)
    rel, seed = given.get("rel", 1.0), given.get("seed", 0)
    if "simulate" in given:
        return _replayed(lists, given, orders, rules, reading)
    if "strata" in given:
        return _drawn(lists, given["strata"], seed)
    grades, notices = np.full(len(lists.docs), np.nan), list(lists.notices)
    if "judged" in given:
        grades, more = _judged(lists, read_judgements(given["judged"], reading, "judgements so far", rule))
        notices += more
    relevant = np.where(np.isnan(grades), np.nan, grades >= rel)
    order = order_of(orders[0], lists, relevant, given.get("forget", 0.0))
    done = _done(lists, order, relevant, rules)
    notices += [
        pools.cases_done([lists.cases[case] for case in cases], rule.text) for rule, cases in done.items() if len(cases)
    ]
    stopped = np.isin(lists.case, np.concatenate([np.empty(0, dtype=np.int64), *done.values()]))
    chosen = _within_budget(
        lists, order[np.isnan(relevant[order]) & ~stopped[order]], given.get("budget"), given.get("per_case")
    )
    if orders[0] in ADAPTIVE:
        notices.append(pools.batch_learns_nothing(orders, len(chosen)))
    table = _table(lists, chosen)
    return Pool(
        table, orders[0], given.get("depth"), lists.systems, len(lists.docs), int((~np.isnan(grades)).sum()), tuple(notices)
    )


def _orders(given: dict[str, Any]) -> list[str]:
    named = given.get("method", DEFAULT_ORDER)
    orders = [named] if isinstance(named, str) else list(named)
    unknown = next((name for name in orders if name not in ORDERS), None)
    if unknown is not None:
        raise BadUsage(usage.bad_option("method", unknown, list(ORDERS)))
    return list(dict.fromkeys(orders))


def _rules(given: dict[str, Any]) -> list[Rule]:
    named = given.get("stop", ())
    return [parse_rule(text) for text in ([named] if isinstance(named, str) else named)]


def _check(given: dict[str, Any], orders: list[str]) -> None:
    """Refuse what would change nothing, and what contradicts itself."""
    if "simulate" not in given:
        _check_without_replay(given, orders)
    if given.get("forget") and "bandit" not in orders:
        raise BadUsage(usage.goes_with(option("forget"), option("method", "bandit")))
    for other in ("method", "judged", "simulate", "budget", "per_case", "depth", "stop"):
        if "strata" in given and other in given:
            raise BadUsage(pools.contradiction(option("strata"), option(other), "strata say what is drawn and how deep"))
    if "judged" in given and "simulate" in given:
        raise BadUsage(pools.contradiction(option("judged"), option("simulate"), "a replay starts with nothing judged"))


def _check_without_replay(given: dict[str, Any], orders: list[str]) -> None:
    if len(orders) > 1:
        raise BadUsage(pools.several_orders(orders))
    learning = [name for name in orders if name in ADAPTIVE]
    if learning and "judged" not in given:
        raise BadUsage(pools.needs_judgements(learning))
    if given.get("judged_only"):
        raise BadUsage(usage.goes_with(switch("judged_only"), option("simulate")))
    if "stop" in given and "judged" not in given:
        raise BadUsage(usage.goes_with(option("stop"), option("judged")))
    if any(rule.name == "target" for rule in _rules(given)):
        raise BadUsage(pools.contradiction("target", option("judged"), "it needs a random sample, which only a replay draws"))


def _judged(lists: PooledLists, gold: Table) -> tuple[NDArray[np.float64], list[Diagnostic]]:
    grades = lists.grades(gold.frame)
    known = int((gold.frame[VALUE] >= 0).sum())
    outside = known - int((~np.isnan(grades)).sum())
    return grades, [*gold.notices, *([pools.judged_elsewhere(gold.label, outside, known)] if outside else [])]


def _done(
    lists: PooledLists, order: NDArray[np.int64], relevant: NDArray[np.float64], rules: list[Rule]
) -> dict[Rule, NDArray[np.int64]]:
    """The cases that each rule stops, by the order in which judged items would have been judged."""
    known = order[~np.isnan(relevant[order])]
    parts = np.split(relevant[known] > 0, np.searchsorted(lists.case[known], np.arange(1, len(lists.cases))))
    return {
        rule: np.array([case for case, part in enumerate(parts) if rule.stop(part) is not None], dtype=np.int64)
        for rule in rules
    }


def _within_budget(lists: PooledLists, docs: NDArray[np.int64], budget: int | None, per_case: int | None) -> NDArray[np.int64]:
    """Some of the items: the first ones of each case, then the second ones, until the budget is spent."""
    place = place_in_case(lists.case[docs])
    kept = docs if per_case is None else docs[place < per_case]
    if budget is None or len(kept) <= budget:
        return kept
    rounds = np.argsort(place_in_case(lists.case[kept]), kind="stable")[:budget]
    return kept[np.sort(rounds)]


def place_in_case(case: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each row within its case, from 0; rows of a case stand together."""
    return np.asarray(np.arange(len(case)) - np.searchsorted(case, case))


def _table(lists: PooledLists, docs: NDArray[np.int64]) -> pl.DataFrame:
    names = pl.Series(CASE, lists.cases, dtype=pl.String)
    case = lists.case[docs]
    return pl.DataFrame(
        [
            names.gather(pl.Series(case)).alias(CASE),
            lists.docs[ITEM].gather(pl.Series(docs)),
            pl.Series("order", place_in_case(case) + 1),
            lists.found_by.gather(pl.Series(docs)).list.join("\t"),
        ]
    )


def _drawn(lists: PooledLists, text: str, seed: int) -> Pool:
    strata = parse_strata(text)
    within = lists.cut(strata[-1].last)
    drawn = draw(within, strata, seed)
    everything = np.arange(len(within.docs))
    place = np.cumsum(drawn.drawn)
    before = np.concatenate(([0], place))[within.first[:-1]]
    order = np.where(drawn.drawn, place - before[within.case], 0)
    table = _table(within, everything).with_columns(
        pl.Series("order", order).replace(0, None),
        pl.Series("stratum", drawn.stratum),
        pl.Series("probability", drawn.probability),
    )
    columns = [CASE, ITEM, "order", "stratum", "probability", "found_by"]
    return Pool(
        table.select(columns), "strata", strata[-1].last, lists.systems, len(table), 0, lists.notices, strata=text, seed=seed
    )


def _replayed(lists: PooledLists, given: dict[str, Any], orders: list[str], rules: list[Rule], reading: Reading) -> Replay:
    gold = read_judgements(given["simulate"], reading, on_duplicate=given.get("on_duplicate", "error"))
    grades, notices = _judged(lists, gold)
    if np.isnan(grades).all():
        raise BadUsage(pools.no_common_item(gold.label))
    if given.get("judged_only"):
        lists = lists.only(~np.isnan(grades))
        lists = lists if given.get("depth") is None else lists.cut(given["depth"])
        grades = lists.grades(gold.frame)
    unknown = int(np.isnan(grades).sum())
    if unknown:
        notices.append(pools.unknown_in_replay(gold.label, unknown, len(grades)))
    relevant = (grades >= given.get("rel", 1.0)).astype(np.float64)
    seed, most = given.get("seed", 0), given.get("per_case")
    curves, stops = [], []
    for name in orders:
        order = order_of(name, lists, relevant, given.get("forget", 0.0))
        place = place_in_case(lists.case[order])
        curves.append(_curve(name, place, relevant[order], most, given.get("budget")))
        parts = np.split(relevant[order] > 0, lists.first[1:-1])
        stops += [_stop(name, rule, parts, seed) for rule in rules]
    return Replay(
        pl.concat(curves),
        pl.DataFrame(stops, schema=STOPS),
        len(lists.docs),
        int(relevant.sum()),
        len(lists.cases),
        lists.systems,
        (*lists.notices, *notices),
    )


def _curve(
    name: str, place: NDArray[np.int64], relevant: NDArray[np.float64], per_case: int | None, budget: int | None
) -> pl.DataFrame:
    """Relevant items found after so many judgements in each case, cases side by side."""
    judged = np.cumsum(np.bincount(place))
    relevant_so_far = np.cumsum(np.bincount(place, weights=relevant))
    steps = np.arange(1, len(judged) + 1)
    kept = (steps <= (per_case or len(steps))) & (judged <= (budget or judged[-1]))
    columns = {
        "per_case": steps,
        "judged": judged,
        "relevant": relevant_so_far.astype(np.int64),
        "share": relevant_so_far / max(relevant_so_far[-1], 1.0),
    }
    return pl.DataFrame({"order": [name] * len(steps), **columns}).filter(pl.Series(kept))


STOPS = {
    "order": pl.String,
    "rule": pl.String,
    "stopped": pl.Int64,
    "judged": pl.Int64,
    "relevant": pl.Int64,
    "recall": pl.Float64,
}


def _stop(name: str, rule: Rule, parts: list[NDArray[np.bool_]], seed: int) -> dict[str, Any]:
    """What a rule costs and finds over all cases; a case that it does not stop is judged to the end."""
    made = [rule.stop(part, seed + number) for number, part in enumerate(parts)]
    at = [Stop(len(part)) if stop is None else stop for stop, part in zip(made, parts, strict=True)]
    judged = sum(stop.after + stop.beside for stop in at)
    relevant = sum(int(part[: stop.after].sum()) for stop, part in zip(at, parts, strict=True))
    total = sum(int(part.sum()) for part in parts)
    recall = relevant / total if total else None
    stopped = sum(stop is not None for stop in made)
    return {"order": name, "rule": rule.text, "stopped": stopped, "judged": judged, "relevant": relevant, "recall": recall}
