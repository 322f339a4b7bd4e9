"""Click models a second time: every hidden event is listed, and loops count."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

Page = tuple[list[str], list[int]]
"""The items of a page, and which of them were clicked."""
Values = dict[Any, float]
"""A probability by parameter: ("attraction", item), ("examination", rank), ("persistence",), ..."""


def joint(model: str, values: Values, items: list[str], clicks: tuple[int, ...]) -> float:
    """The probability of all clicks of a page, by definition."""
    if model in {"ctr", "rank-ctr", "item-ctr", "pbm", "ubm"}:
        chance, last = 1.0, 0
        for rank, (item, click) in enumerate(zip(items, clicks, strict=True), 1):
            one = _alone(model, values, item, rank, last)
            chance *= one if click else 1 - one
            last = rank if click else last
        return chance
    return _chain(model, values, items, clicks, 0, examined=True)


def _alone(model: str, values: Values, item: str, rank: int, last: int) -> float:
    if model == "pbm":
        return values["attraction", item] * values["examination", rank]
    if model == "ubm":
        return values["attraction", item] * values["examination", rank, last]
    return values[{"ctr": ("rate",), "rank-ctr": ("rate", rank), "item-ctr": ("rate", item)}[model]]


def _chain(model: str, values: Values, items: list[str], clicks: tuple[int, ...], at: int, *, examined: bool) -> float:
    """A reader at a place: clicked or not, then on or not."""
    if at == len(items):
        return 1.0
    if not examined:
        return 0.0 if clicks[at] else _chain(model, values, items, clicks, at + 1, examined=False)
    a = values["attraction", items[at]]
    chance = a if clicks[at] else 1 - a
    on = _goes_on(model, values, items[at], at + 1, clicked=bool(clicks[at]))
    rest = [_chain(model, values, items, clicks, at + 1, examined=state) for state in (True, False)]
    return chance * (on * rest[0] + (1 - on) * rest[1])


def _goes_on(model: str, values: Values, item: str, rank: int, *, clicked: bool) -> float:
    if not clicked:
        return {"dbn": lambda: values[("persistence",)], "ccm": lambda: values[("after no click",)]}.get(model, lambda: 1.0)()
    if model == "cascade":
        return 0.0
    if model == "dcm":
        return values["continuation", rank]
    if model == "ccm":
        a = values["attraction", item]
        return (1 - a) * values[("after a click",)] + a * values[("after satisfaction",)]
    stays = 1 - values["satisfaction", item]
    return stays * values[("persistence",)] if model == "dbn" else stays


def conditional(model: str, values: Values, items: list[str], clicks: tuple[int, ...], rank: int) -> float:
    """A click at a rank, from 1, given the clicks above, by adding up everything that may follow."""

    def total(prefix: tuple[int, ...]) -> float:
        rest = product((0, 1), repeat=len(items) - len(prefix))
        return sum(joint(model, values, items, (*prefix, *tail)) for tail in rest)

    above = clicks[: rank - 1]
    return total((*above, 1)) / total(above)


def alone(model: str, values: Values, items: list[str], rank: int) -> float:
    """A click at a rank, from 1, without knowing any other."""
    everything = product((0, 1), repeat=len(items))
    return sum(joint(model, values, items, clicks) for clicks in everything if clicks[rank - 1])


def expectation_step(model: str, values: Values, pages: list[Page], prior: float) -> Values:
    """One round of expectation maximisation: every assignment of hidden events, weighed by its probability."""
    successes: dict[Any, float] = defaultdict(float)
    trials: dict[Any, float] = defaultdict(float)
    for items, clicks in pages:
        worlds = list(_worlds(model, values, items, clicks))
        total = sum(weight for weight, _ in worlds)
        for weight, events in worlds:
            for key, happened in events:
                trials[key] += weight / total
                successes[key] += happened * weight / total
    return {key: (successes[key] + prior) / (trials[key] + 2 * prior) for key in values if trials[key] + prior > 0}


def _worlds(model: str, values: Values, items: list[str], clicks: list[int]) -> Any:
    """All assignments that lead to the clicks: their probabilities, and the events that they consist of."""
    kinds = 3 if model in {"dbn", "ccm"} else 2
    for bits in product((0, 1), repeat=kinds * len(items)):
        coins = [bits[at * kinds : (at + 1) * kinds] for at in range(len(items))]
        events = (_stops_after_clicks if model in {"dcm", "sdbn"} else _story)(model, items, clicks, coins)
        if events is not None:
            weight = 1.0
            for key, happened in events:
                weight *= values[key] if happened else 1 - values[key]
            free = kinds * len(items) - len(events)
            yield weight / 2**free, events  # coins that decide nothing are listed twice


def _story(model: str, items: list[str], clicks: list[int], coins: list[tuple[int, ...]]) -> list[tuple[Any, int]] | None:
    """What happens with these coins, if it leads to the clicks."""
    events: list[tuple[Any, int]] = []
    examined, last = 1, 0
    for rank, (item, click, coin) in enumerate(zip(items, clicks, coins, strict=True), 1):
        attracts = coin[0]
        if model in {"pbm", "ubm"}:
            key = ("examination", rank) if model == "pbm" else ("examination", rank, last)
            events += [(("attraction", item), attracts), (key, coin[1])]
            if attracts * coin[1] != click:
                return None
            last = rank if click else last
            continue
        if examined or model == "dbn":
            events.append((("attraction", item), attracts))
        if attracts * examined != click:
            return None
        satisfied = coin[1] if click else 0
        if click:
            events.append(((("satisfaction" if model == "dbn" else "attraction"), item), satisfied))
        if model == "dbn" and examined and not satisfied:
            events.append((("persistence",), coin[2]))
            examined = coin[2]
        elif model == "dbn":
            examined = 0
        elif examined:
            name = "after no click" if not click else "after satisfaction" if satisfied else "after a click"
            events.append(((name,), coin[2]))
            examined = coin[2]
    return events


def _stops_after_clicks(
    model: str, items: list[str], clicks: list[int], coins: list[tuple[int, ...]]
) -> list[tuple[Any, int]] | None:
    """The same for users who stop only after a click: by the rank, or because they are satisfied."""
    events: list[tuple[Any, int]] = []
    examined = 1
    for rank, (item, click, (attracts, coin)) in enumerate(zip(items, clicks, coins, strict=True), 1):
        events.append((("attraction", item), attracts))
        if attracts * examined != click:
            return None
        if click and model == "sdbn":
            events.append((("satisfaction", item), coin))
            examined = 1 - coin
        elif click and rank < len(items):  # below the last place there is nothing to go on to
            events.append((("continuation", rank), coin))
            examined = coin
    return events


def counted(model: str, pages: list[Page], prior: float) -> Values:
    """The shares of models that are fitted by counting."""
    successes: dict[Any, float] = defaultdict(float)
    trials: dict[Any, float] = defaultdict(float)

    def add(key: Any, happened: int) -> None:
        trials[key] += 1
        successes[key] += happened

    for items, clicks in pages:
        clicked = [rank for rank, click in enumerate(clicks, 1) if click]
        end = clicked[-1] if clicked else len(items)
        for rank, (item, click) in enumerate(zip(items, clicks, strict=True), 1):
            if model.endswith("ctr"):
                add({"ctr": ("rate",), "rank-ctr": ("rate", rank), "item-ctr": ("rate", item)}[model], click)
            if model == "cascade" and not any(clicks[: rank - 1]):
                add(("attraction", item), click)
            if model in {"dcm", "sdbn"} and rank <= end:
                add(("attraction", item), click)
            if model == "dcm" and click:
                add(("continuation", rank), int(rank != end))
            if model == "sdbn" and click:
                add(("satisfaction", item), int(rank == end))
    return {key: (successes[key] + prior) / (trials[key] + 2 * prior) for key in trials}
