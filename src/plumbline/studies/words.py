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


def _are(names: list[str], singular: str, plural_form: str) -> str:
    return f"{names[0]} {singular}" if len(names) == 1 else f"{listing(names, 6)} {plural_form}"


def _who(found: Study, names: list[str], singular: str, plural_form: str) -> str:
    """Who has the best value, to be followed by the value; if all have it, or there is but one metric, nobody is named."""
    if len(found.metrics) == 1:
        return ""
    return "By all metrics alike " if len(names) == len(found.metrics) else f"{_are(names, singular, plural_form)}: "


def _strictest(found: Study) -> list[str]:
    fall, floor = best_of(found, "fall"), best_of(found, "floor")
    if fall is None or floor is None:
        return ["Strictness needs another metric to compare with."]
    outputs = plural(len(found.outputs), "output")
    told = f"{_are(fall[0], 'is', 'are')} strictest: no output falls further than {percent(-fall[1])} of the {outputs} in rank"
    top = f"the top {found.top} % by it" if len(floor[0]) == 1 else f"their top {found.top} %"
    low = f"{top} are at least as good as {percent(floor[1])} of the outputs by every other metric"
    if fall[0] == floor[0]:
        return [f"{told}, and {low}."]
    return [f"{told}.", f"By the floor {_are(floor[0], 'is', 'are')} strictest: {low}."]


def _robust(found: Study) -> str:
    best = best_of(found, "robustness")
    if best is None:
        return "Robustness needs two cases that tell the systems apart."
    pairs = int(found.robustness.filter(pl.col("metric") == best[0][0])["pairs"][0])
    how = f"over {plural(pairs, 'pair')} of cases" + ("" if found.pairs is None else f", drawn with seed {found.seed}")
    who = _who(found, best[0], "is most robust", "are most robust")
    return _sentence(f"{who}the mean Spearman correlation of systems is {number(best[1], 2)} {how}")


def _discriminating(found: Study) -> list[str]:
    power, swap = best_of(found, "power"), best_of(found, "swap_rate", least=True)
    told = []
    if power is not None:
        row = found.discrimination.row(found.metrics.index(power[0][0]), named=True)
        pairs = plural(row["pairs"], "pair")
        who = _who(found, power[0], "discriminates most", "discriminate most")
        share = f"{who}{row['significant']} of {pairs} of systems ({percent(power[1])}) differ significantly"
        some = share if row["significant"] else "no metric tells any two systems apart significantly"
        told.append(f"{some} at {found.level:g} ({row['test']})")
    if swap is not None:
        row = found.discrimination.row(found.metrics.index(swap[0][0]), named=True)
        equal = f", and {percent(row['tied'] / row['compared'])} are equal in one of the two" if row["tied"] else ""
        who = _who(found, swap[0], "has the lowest swap rate", "have the lowest swap rate")
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


def caption(found: Study) -> str:
    """What the numbers are."""
    cube = found.cube
    tested = list(found.tested.values())
    notes = list(dict.fromkeys(one.note for one in tested if one.note))
    others = "all others" if set(found.against) == set(found.metrics) else listing(list(found.against), 8)
    pairs = "all pairs of cases" if found.pairs is None else f"{plural(found.pairs, 'pair')} of cases (seed {found.seed})"
    told = [
        f"{plural(len(cube.systems), 'system')}, {plural(len(cube.cases), 'case')}, {plural(len(found.outputs), 'output')}",
        f"strictness against {others}, floor of the top {found.top} %",
        f"robustness over {pairs}",
        f"{tested[0].name}, level {found.level:g}, no correction",
        *(notes if len(notes) == 1 else [f"{len(notes)} notes, see discrimination"] if notes else []),
        f"swaps in {plural(found.splits, 'split')} (seed {found.seed})",
    ]
    return "; ".join(told)
