"""What a study found, in sentences."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors.base import listing, plural
from plumbline.render.grid import number, percent

if TYPE_CHECKING:
    from plumbline.studies.findings import Findings

CLOSE: Final = 1e-9
"""Values that differ by less are equal."""


def summary(study: Findings) -> list[str]:
    """Which metric is strictest, most robust and most discriminating, and which two agree least."""
    return [*_strictest(study), _robust(study), *_discriminating(study), *_agreeing(study), *_preferred(study)]


def best_of(study: Findings, column: str, *, least: bool = False) -> tuple[list[str], float] | None:
    """The metrics with the best value, and the value."""
    known = study.table.drop_nulls(column)
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


def _who(study: Findings, column: str, names: list[str], text: tuple[str, str]) -> str:
    """Who has the best value, to be followed by the value; nobody is the best where all that have a value have the same."""
    if len(study.metrics) == 1:
        return ""
    if len(names) < study.table[column].count():
        return f"{_are(names, *text)}: "
    return f"By {'every metric' if 1 < len(names) == len(study.metrics) else listing(names, 6)}, "


def _strictest(study: Findings) -> list[str]:
    fall, floor = best_of(study, "fall"), best_of(study, "floor")
    if fall is None or floor is None:
        return ["Strictness needs another metric to compare with."]
    outputs = plural(len(study.outputs), "output")
    who = _who(study, "fall", fall[0], ("is strictest", "are strictest"))
    text = f"{who}no output falls further than {percent(-fall[1])} of the {outputs} in rank"
    top = f"the top {study.top} % by it" if len(floor[0]) == 1 else f"their top {study.top} %"
    low = f"{top} are at least as good as {percent(floor[1])} of the outputs by {_held_against(study, floor[0])}"
    if fall[0] == floor[0]:
        return [f"{text}, and {low}."]
    some = len(floor[0]) < study.table["floor"].count()
    strictest = f"{_are(floor[0], 'is', 'are')} strictest" if some else f"{listing(floor[0], 6)} are alike"
    return [f"{text}.", f"By the floor {strictest}: {low}."]


def _held_against(study: Findings, names: list[str]) -> str:
    """The metrics that strictness looks at, from some of them."""
    if set(study.against) == set(study.metrics):
        return "every other metric"
    if len(names) > 1 and not set(names).isdisjoint(study.against):
        return "the metrics they are held against"
    return listing([name for name in study.against if name not in names], 8)


def _drawn(study: Findings) -> list[str]:
    """The metrics for which some pairs of cases are drawn; for the others all are taken."""
    every = pl.col("cases") * (pl.col("cases") - 1) // 2
    return study.robustness.filter(pl.col("pairs") < every)["metric"].to_list()


def _robust(study: Findings) -> str:
    best = best_of(study, "robustness")
    if best is None:
        return "Robustness needs two cases that tell the systems apart."
    counted = _shared(study.robustness, best[0], "pairs")
    how = f"over {plural(counted[0], 'pair') if counted else 'pairs'} of cases"
    how += "" if set(best[0]).isdisjoint(_drawn(study)) else f", drawn with seed {study.seed}"
    who = _who(study, "robustness", best[0], ("is most robust", "are most robust"))
    return _sentence(f"{who}the mean Spearman correlation of systems is {number(best[1], 2)} {how}")


def _discriminating(study: Findings) -> list[str]:
    power, swap = best_of(study, "power"), best_of(study, "swap_rate", least=True)
    text = []
    if power is not None:
        counted = _shared(study.discrimination, power[0], "significant", "pairs")
        who = _who(study, "power", power[0], ("discriminates most", "discriminate most"))
        share = f"{percent(power[1])} of the pairs of systems"
        if counted:
            share = f"{counted[0]} of {plural(counted[1], 'pair')} of systems ({percent(power[1])})"
        some = f"{who}{share} differ significantly" if power[1] else "no metric tells any two systems apart significantly"
        text.append(f"{some} at {study.level:g} ({study.discrimination['test'][0]})")
    if swap is not None:
        tied, compared = _shared(study.discrimination, swap[0], "tied", "compared") or (0, 0)
        equal = f", and {percent(tied / compared)} are equal in one of the two" if tied else ""
        who = _who(study, "swap_rate", swap[0], ("has the lowest swap rate", "have the lowest swap rate"))
        text.append(f"{who}{percent(swap[1])} of the pairs change order from one half of the cases to the other{equal}")
    return [_sentence(sentence) for sentence in text]


def _sentence(text: str) -> str:
    """With a capital letter where it does not start with the name of a metric."""
    return f"{text[0].upper()}{text[1:]}." if text.startswith(("the mean ", "no metric ")) else f"{text}."


def _agreeing(study: Findings) -> list[str]:
    """The two metrics that agree least, and the two that agree most."""
    pairs = [
        (float(study.similar[a, b]), study.metrics[a], study.metrics[b]) for a, b in combinations(range(len(study.metrics)), 2)
    ]
    known = [pair for pair in pairs if not isnan(pair[0])]
    if not known:
        return []
    least, most = min(known, key=lambda pair: pair[0]), max(known, key=lambda pair: pair[0])
    if len(known) == 1:
        return [f"{least[1]} and {least[2]} agree with Spearman {number(least[0], 2)} over all outputs."]
    text = f"{least[1]} and {least[2]} agree least: Spearman {number(least[0], 2)} over all outputs"
    return [f"{text}; {most[1]} and {most[2]} agree most: {number(most[0], 2)}."]


def _preferred(study: Findings) -> list[str]:
    """The metrics that follow most of what people prefer."""
    if study.judged is None:
        return []
    known = study.preferences.drop_nulls("agreement")
    if known.is_empty():
        return ["No metric has a value of the outputs that people compared."]
    best = float(known["agreement"].to_numpy().max())
    names = known.filter((pl.col("agreement") - best).abs() <= CLOSE)["metric"].to_list()
    verb = "follows" if len(names) == 1 else "follow"
    return [f"{listing(names, 8)} {verb} {percent(best)} of what people prefer, more than any other metric."]


def _pairs(study: Findings) -> str:
    """The pairs of cases that robustness is over."""
    drawn = _drawn(study)
    if study.pairs is None or not drawn:
        return "all pairs of cases"
    most = "" if len(drawn) == len(study.metrics) else "at most "
    return f"{most}{plural(study.pairs, 'pair')} of cases (seed {study.seed})"


def caption(study: Findings) -> str:
    """What the numbers are."""
    cube = study.cube
    tested = list(study.tested.values())
    notes = list(dict.fromkeys(one.note for one in tested if one.note))
    others = "all others" if set(study.against) == set(study.metrics) else listing(list(study.against), 8)
    text = [
        f"{plural(len(cube.systems), 'system')}, {plural(len(cube.cases), 'case')}, {plural(len(study.outputs), 'output')}",
        f"strictness against {others}, floor of the top {study.top} %",
        f"robustness over {_pairs(study)}",
        f"{tested[0].name}, level {study.level:g}, no correction",
        *(notes if len(notes) == 1 else [f"{len(notes)} notes, see discrimination"] if notes else []),
        f"swaps in {plural(study.splits, 'split')} (seed {study.seed})",
    ]
    return "; ".join(text)
