"""What a study found, in sentences."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import listing, plural
from plumbline.render.grid import number, percent

if TYPE_CHECKING:
    from plumbline.studies.study import Study

CLOSE: Final = 1e-9
"""Values that differ by less are equal."""


def summary(found: Study) -> list[str]:
    """Which metric is strictest, most robust and most discriminating, and which two agree least."""
    return [*_strictest(found), _robust(found), *_discriminating(found), *_agreeing(found)]


def best_of(found: Study, column: str, *, least: bool = False) -> tuple[list[str], float] | None:
    """The metrics with the best value, and the value."""
    known = found.table.drop_nulls(column)
    if known.is_empty():
        return None
    values = known[column].to_numpy()
    best = float(values.min() if least else values.max())
    return known.filter((pl.col(column) - best).abs() <= CLOSE)["metric"].to_list(), best


def _shared(table: pl.DataFrame, names: list[str], *columns: str) -> tuple[int, ...] | None:
    """Counts that all of these metrics share; none if they differ."""
    rows = table.filter(pl.col("metric").is_in(names)).select(columns).unique().rows()
    return rows[0] if len(rows) == 1 else None


def _are(names: list[str], singular: str, plural_form: str) -> str:
    return f"{names[0]} {singular}" if len(names) == 1 else f"{listing(names, 6)} {plural_form}"


def _who(found: Study, column: str, names: list[str], told: tuple[str, str]) -> str:
    """Who has the best value, to be followed by the value; nobody is the best where all that have a value have the same."""
    if len(found.metrics) == 1:
        return ""
    if len(names) < found.table[column].count():
        return f"{_are(names, *told)}: "
    alike = "" if len(names) == 1 else " alike"
    return f"By {'all metrics' if len(names) == len(found.metrics) else listing(names, 6)}{alike} "


def _strictest(found: Study) -> list[str]:
    fall, floor = best_of(found, "fall"), best_of(found, "floor")
    if fall is None or floor is None:
        return ["Strictness needs another metric to compare with."]
    outputs = plural(len(found.outputs), "output")
    who = _who(found, "fall", fall[0], ("is strictest", "are strictest"))
    told = f"{who}no output falls further than {percent(-fall[1])} of the {outputs} in rank"
    top = f"the top {found.top} % by it" if len(floor[0]) == 1 else f"their top {found.top} %"
    low = f"{top} are at least as good as {percent(floor[1])} of the outputs by {_held_against(found, floor[0])}"
    if fall[0] == floor[0]:
        return [f"{told}, and {low}."]
    some = len(floor[0]) < found.table["floor"].count()
    strictest = f"{_are(floor[0], 'is', 'are')} strictest" if some else f"{listing(floor[0], 6)} are alike"
    return [f"{told}.", f"By the floor {strictest}: {low}."]


def _held_against(found: Study, names: list[str]) -> str:
    """The metrics that strictness looks at, from some of them."""
    if set(found.against) == set(found.metrics):
        return "every other metric"
    if len(names) > 1 and not set(names).isdisjoint(found.against):
        return "the metrics they are held against"
    return listing([name for name in found.against if name not in names], 8)


def _drawn(found: Study) -> list[str]:
    """The metrics for which some pairs of cases are drawn; for the others all are taken."""
    every = pl.col("cases") * (pl.col("cases") - 1) // 2
    return found.robustness.filter(pl.col("pairs") < every)["metric"].to_list()


def _robust(found: Study) -> str:
    best = best_of(found, "robustness")
    if best is None:
        return "Robustness needs two cases that tell the systems apart."
    counted = _shared(found.robustness, best[0], "pairs")
    how = f"over {plural(counted[0], 'pair') if counted else 'pairs'} of cases"
    how += "" if set(best[0]).isdisjoint(_drawn(found)) else f", drawn with seed {found.seed}"
    who = _who(found, "robustness", best[0], ("is most robust", "are most robust"))
    return _sentence(f"{who}the mean Spearman correlation of systems is {number(best[1], 2)} {how}")


def _discriminating(found: Study) -> list[str]:
    power, swap = best_of(found, "power"), best_of(found, "swap_rate", least=True)
    told = []
    if power is not None:
        counted = _shared(found.discrimination, power[0], "significant", "pairs")
        who = _who(found, "power", power[0], ("discriminates most", "discriminate most"))
        share = f"{percent(power[1])} of the pairs of systems"
        if counted:
            share = f"{counted[0]} of {plural(counted[1], 'pair')} of systems ({percent(power[1])})"
        some = f"{who}{share} differ significantly" if power[1] else "no metric tells any two systems apart significantly"
        told.append(f"{some} at {found.level:g} ({found.discrimination['test'][0]})")
    if swap is not None:
        tied, compared = _shared(found.discrimination, swap[0], "tied", "compared") or (0, 0)
        equal = f", and {percent(tied / compared)} are equal in one of the two" if tied else ""
        who = _who(found, "swap_rate", swap[0], ("has the lowest swap rate", "have the lowest swap rate"))
        told.append(f"{who}{percent(swap[1])} of the pairs turn round from one half of the cases to the other{equal}")
    return [_sentence(sentence) for sentence in told]


def _sentence(text: str) -> str:
    """With a capital letter where it does not start with the name of a metric."""
    return f"{text[0].upper()}{text[1:]}." if text.startswith(("the mean ", "no metric ")) else f"{text}."


def _agreeing(found: Study) -> list[str]:
    """The two metrics that agree least, and the two that agree most."""
    pairs = [
        (float(found.similar[a, b]), found.metrics[a], found.metrics[b]) for a, b in combinations(range(len(found.metrics)), 2)
    ]
    known = [pair for pair in pairs if not isnan(pair[0])]
    if not known:
        return []
    least, most = min(known, key=lambda pair: pair[0]), max(known, key=lambda pair: pair[0])
    if len(known) == 1:
        return [f"{least[1]} and {least[2]} agree with Spearman {number(least[0], 2)} over all outputs."]
    told = f"{least[1]} and {least[2]} agree least: Spearman {number(least[0], 2)} over all outputs"
    return [f"{told}; {most[1]} and {most[2]} agree most: {number(most[0], 2)}."]


def _pairs(found: Study) -> str:
    """The pairs of cases that robustness is over."""
    drawn = _drawn(found)
    if found.pairs is None or not drawn:
        return "all pairs of cases"
    most = "" if len(drawn) == len(found.metrics) else "at most "
    return f"{most}{plural(found.pairs, 'pair')} of cases (seed {found.seed})"


def caption(found: Study) -> str:
    """What the numbers are."""
    cube = found.cube
    tested = list(found.tested.values())
    notes = list(dict.fromkeys(one.note for one in tested if one.note))
    others = "all others" if set(found.against) == set(found.metrics) else listing(list(found.against), 8)
    told = [
        f"{plural(len(cube.systems), 'system')}, {plural(len(cube.cases), 'case')}, {plural(len(found.outputs), 'output')}",
        f"strictness against {others}, floor of the top {found.top} %",
        f"robustness over {_pairs(found)}",
        f"{tested[0].name}, level {found.level:g}, no correction",
        *(notes if len(notes) == 1 else [f"{len(notes)} notes, see discrimination"] if notes else []),
        f"swaps in {plural(found.splits, 'split')} (seed {found.seed})",
    ]
    return "; ".join(told)
