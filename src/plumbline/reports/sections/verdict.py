"""The first screen: one sentence, three numbers, and the differences from the best system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.finding import signed
from plumbline.comparison.verdict import kinds_of, verdict
from plumbline.comparison.wording import not_by_the_main_metric, summary, verdicts
from plumbline.errors.base import listing, plural
from plumbline.figures.kinds.forest import reference
from plumbline.render.grid import number
from plumbline.reports.model import BigNumber
from plumbline.reports.sections.drawn import picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.comparison import Comparison
    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Picture

SECTION: Final = "verdict"
PAIR: Final = 2
NAMED: Final = 3
"""Systems that the sentence names; more are counted."""
THREE: Final = 3
TRADES: Final = "trades metrics with"
WORDS: Final = {
    "better": "better than",
    "trade-off": TRADES,
    "equal": "equal to",
    "open": "not shown to differ from",
    "worse": "worse than",
    "nothing": "not comparable with",
}


def sentences(subject: Subject) -> tuple[str, ...]:
    """The answer in one sentence, then what else there is to say; nothing about single pairs, which have a table."""
    comparison = subject.comparison
    if comparison is None:
        means = subject.means
        values = [f"{name} {number(float(value))}" for name, value in zip(means.metrics, means.value[:, 0], strict=True)]
        return (f"{means.systems[0]} is the only system: {listing(values, 6)}.",)
    everything = summary(comparison)
    if comparison.rule == "unanimous":
        return (everything[0], *_without_pairs(comparison, everything[1:]))
    if len(comparison.systems) == PAIR:
        of = verdict(comparison, 0, 1)
        rest = _without_pairs(comparison, everything)
        evidence = () if of.kind in {"identical", "nothing"} else tuple(map(str, of.findings))
        return (of.answer, *evidence, *filter(None, [of.case_by_case]), *rest)
    return (_answer(comparison), *_without_pairs(comparison, everything[1:]))


def _without_pairs(comparison: Comparison, everything: Sequence[str]) -> list[str]:
    """The sentences of a summary that are not about single pairs."""
    pairs, more = verdicts(comparison)
    counted = f"There {'is' if more == 1 else 'are'} {plural(more, 'more pair')}"
    shown = {" ".join(one.sentences) for one in pairs}
    return [text for text in everything if text not in shown and not (more and text.startswith(counted))]


def _answer(comparison: Comparison) -> str:
    """Who is best, or how systems compare with the baseline, in one sentence."""
    main, systems = comparison.main, comparison.systems
    known = [at for at in comparison.order if not np.isnan(main.means[at])]
    if not known:
        return "No system has a score."
    baseline = comparison.baseline_at
    top = known[0] if baseline is None else baseline
    others = [at for at in comparison.order if at != top]
    groups = _groups(comparison, top, others)
    if baseline is not None:
        parts = [_counted(systems, members, len(others), words) for words, members in groups.items() if members]
        text = "; ".join(f"{who} {_verb(words, one=one)} {comparison.baseline}" for who, words, one in parts)
        return f"{text}."
    tied = [at for at in known if main.ranks[at] == 1]
    best = listing([systems[at] for at in tied], NAMED)
    lead = f"{best} {'has' if len(tied) == 1 else 'have'} the best {main.name}, {number(float(main.shown_means()[top]))}"
    beaten = groups["better than"]
    alone = not_by_the_main_metric(comparison, top, beaten)
    if len(beaten) == len(others):
        return f"{lead}, and {'is' if len(tied) == 1 else systems[top] + ' is'} better than every other system.{alone}"
    who = "it" if len(tied) == 1 else systems[top]
    parts = [_counted(systems, members, len(others), words) for words, members in groups.items() if members]
    relations = [f"{words} {names}" for names, words, _ in parts if words != TRADES]
    clauses = [f"is {' and '.join(filter(None, (', '.join(relations[:-1]), relations[-1])))}"] if relations else []
    clauses += [f"{words} {names}" for names, words, _ in parts if words == TRADES]
    return f"{lead}; {who} {', and '.join(clauses)}.{alone}"


def _verb(words: str, *, one: bool) -> str:
    """`is better than` of one system, `are better than` of several."""
    if words == TRADES:
        return words if one else words.replace("trades", "trade")
    return f"{'is' if one else 'are'} {words}"


def _groups(comparison: Comparison, top: int, others: list[int]) -> dict[str, list[int]]:
    """The other systems by how they compare with one: from its side, or from theirs if it is the baseline."""
    kinds = kinds_of(comparison, np.full(len(others), top, dtype=np.intp), np.array(others, dtype=np.intp))
    groups: dict[str, list[int]] = {words: [] for words in WORDS.values()}
    for other, kind in zip(others, kinds, strict=True):
        wins, loses = comparison.beats[top, other], comparison.beats[other, top]
        if comparison.baseline is not None:
            wins, loses = loses, wins
        side = (
            ("better" if wins else "worse" if loses else "open")
            if kind == "better"
            else "open"
            if kind == "identical"
            else kind
        )
        groups[WORDS[side]].append(other)
    return groups


def _counted(systems: Sequence[str], members: list[int], total: int, words: str) -> tuple[str, str, bool]:
    """`a and b`, or `26 of 47 others`; then the words, and whether it is one."""
    few = len(members) <= NAMED
    names = " and ".join(", ".join(systems[at] for at in members).rsplit(", ", 1)) if few else ""
    return names or f"{len(members):,} of {total:,} others", words, len(members) == 1


def numbers(subject: Subject) -> tuple[BigNumber, ...]:
    """Three numbers: how good the best is, how many may be as good, and how certain that is."""
    comparison, means = subject.comparison, subject.means
    if comparison is None:
        values = zip(means.metrics, means.value[:, 0].tolist(), strict=True)
        return tuple(BigNumber(number(value), name) for name, value in list(values)[:THREE])
    top = comparison.order[0]
    if np.isnan(comparison.main.means[top]):
        return ()
    name, score = comparison.systems[top], float(comparison.main.shown_means()[top])
    best = BigNumber(number(score), f"{comparison.main.name} of {name}, the best of {len(comparison.systems):,} systems")
    return best, _how_many(comparison), _how_sure(comparison)


def _how_many(comparison: Comparison) -> BigNumber:
    """Of two systems the difference; of more, how many are in the first band or better than the baseline."""
    if len(comparison.systems) == PAIR:
        of = verdict(comparison, 0, 1)
        finding = of.main
        if finding.difference is None:
            return BigNumber("n/a", f"{finding.measure}: the two have no value in common")
        without = f", cases from {finding.of_cases}" if finding.of_cases else ""
        ends = f", 95 % interval {finding.interval}" if finding.interval else without
        label = f"{finding.measure}, {of.better} \N{MINUS SIGN} {of.worse}{ends}, {finding.chance}"
        return BigNumber(signed(finding.difference, finding.digits).replace("-", "\N{MINUS SIGN}"), label)
    if comparison.baseline_at is not None:
        better, others = int(comparison.beats[:, comparison.baseline_at].sum()), len(comparison.systems) - 1
        return BigNumber(f"{better:,} of {others:,}", f"systems better than {comparison.baseline}")
    first = int((comparison.bands == comparison.bands[comparison.order[0]]).sum())
    label = f"in the first band: not shown to be worse than the best by {comparison.main.name}"
    return BigNumber(f"{first:,} of {len(comparison.systems):,}", label)


def _how_sure(comparison: Comparison) -> BigNumber:
    """The difference that the cases could show, or how many there are if that is not known."""
    top = reference(comparison)
    sizes = np.delete(comparison.detectable[comparison.primary_at, top], top)
    units = int(comparison.main.test.cases[top].max(initial=0))
    counted = plural(units, comparison.main.unit)
    if not np.isfinite(sizes).any():
        return BigNumber(f"{units:,}", f"{comparison.main.unit}s that the systems were compared on")
    label = f"the difference by {comparison.main.name} that {counted} can show, with a power of 80 %"
    return BigNumber(number(float(np.median(sizes[np.isfinite(sizes)])), 3), label)


def forest(subject: Subject) -> Picture | None:
    """The differences of the first systems from the best one or from the baseline."""
    comparison = subject.comparison
    if comparison is None or np.isnan(comparison.main.means).all():
        return None
    return picture(subject, "forest")
