"""A comparison in sentences: who is best, for which weights, how pairs compare, and what the numbers are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.bands import same_everywhere
from plumbline.comparison.finding import weight_range
from plumbline.comparison.leaderboard import circles
from plumbline.comparison.verdict import alone, kind_of, verdict
from plumbline.errors.base import listing, plural, some_of
from plumbline.errors.faces import either, rendered
from plumbline.render.grid import number, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.comparison.evidence import Evidence
    from plumbline.comparison.verdict import Verdict

MOST_VERDICTS: Final = 3
"""Verdicts that are part of a summary."""
MOST_NAMED: Final = 8
BEST: Final = 3
"""Systems that are named of more."""
MOST_SAME: Final = 5
"""Groups of equal systems that are named."""
PAIR: Final = 2


def summary(evidence: Evidence) -> list[str]:
    """The answer in sentences, the most important one first."""
    return _summary(evidence, lambda one: (" ".join(one.sentences),))


def summary_lines(evidence: Evidence) -> list[str]:
    """The same for people who read it line by line: verdicts are short, and their evidence is indented below them."""
    return _summary(evidence, lambda one: one.lines)


def _summary(evidence: Evidence, sentences_of: Callable[[Verdict], Sequence[str]]) -> list[str]:
    """The answer, with verdicts about single pairs as this function writes them."""
    cautions = [*_below_floor(evidence), *_same(evidence), *_unequal(evidence)]
    weights = [_by_weight(evidence)] if len(evidence.cube.metrics) > 1 else []
    pairs, more = verdicts(evidence)
    shown = [line for one in pairs for line in sentences_of(one)]
    if len(evidence.systems) == PAIR and evidence.rule == "significant":
        weighed = kind_of(evidence, 0, 1) in {"better", "trade-off"}  # the verdict itself says for which weights
        return [*shown, *([] if weighed else weights), *cautions]
    place = rendered(either("see .significance", "--pairs shows all"))
    rest = [f"There {_are(more)} {plural(more, 'more pair')}: {place}."] if more else []
    return [_answer(evidence), *weights, *cautions, *shown, *rest]


def _answer(evidence: Evidence) -> str:
    """Who is best, or better than the baseline."""
    if evidence.rule == "unanimous":
        return _by_the_paper(evidence)
    return _best(evidence) if evidence.baseline is None else _against_baseline(evidence, evidence.baseline)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _best(evidence: Evidence) -> str:
    """The first of the leaderboard, and what is shown about it."""
    systems, main = evidence.systems, evidence.main
    known = [at for at in evidence.order if not np.isnan(main.means[at])]
    if not known:
        return "No system has a score."
    top, others = known[0], known[1:]
    kinds = {at: kind_of(evidence, top, at) for at in others}
    tied = [at for at in others if main.ranks[at] == 1]
    if tied:
        names = some_of([systems[at] for at in (top, *tied)], MOST_NAMED)
        lead = f"{names} have the same best {main.name} ({_mean(evidence, top)})"
    else:
        lead = f"{systems[top]} has the best {main.name} ({_mean(evidence, top)})"
    beaten = [at for at in others if kinds[at] == "better" and evidence.beats[top, at]]
    if len(beaten) == len(others):
        joined = f". {systems[top]}" if tied else " and"
        return f"{lead}{joined} is better than every other system.{not_by_the_main_metric(evidence, top, beaten)}"
    groups = {
        "better than": beaten,
        "trades metrics with": [at for at in others if kinds[at] == "trade-off"],
        "equal to": [at for at in others if kinds[at] == "equal"],
        "not shown to differ from": [at for at in others if kinds[at] in {"open", "identical"}],
        "worse than": [at for at in others if kinds[at] == "better" and not evidence.beats[top, at]],
        "not comparable with": [at for at in others if kinds[at] == "nothing"],
    }
    parts = [_relation(evidence, words, members, len(others)) for words, members in groups.items() if members]
    first, again = (systems[top], systems[top]) if tied else ("It", "it")
    return f"{lead}. {first} {f'; {again} '.join(parts)}.{not_by_the_main_metric(evidence, top, beaten)}"


def not_by_the_main_metric(evidence: Evidence, top: int, beaten: Sequence[int]) -> str:
    """A sentence about systems than which one is shown to be better, but not by the metric that orders the leaderboard."""
    shown = evidence.wins[evidence.primary_at, top]
    names = [evidence.systems[at] for at in beaten if not shown[at] and evidence.main.ranks[at] != 1]
    if not names or evidence.rule == "unanimous":
        return ""
    return f" By {evidence.main.name} alone, {evidence.systems[top]} is not shown to differ from {best_of(names)}."


def _relation(evidence: Evidence, words: str, members: list[int], total: int) -> str:
    """`is better than 3 of 4 others (tuned, words, tags)`."""
    names = best_of([evidence.systems[at] for at in members])
    verb = words if words.startswith("trades") else f"is {words}"
    within = f" within {evidence.margin}" if words == "equal to" else ""
    counted = names if total <= MOST_NAMED or len(members) == 1 else f"{len(members):,} of {total:,} others ({names})"
    return f"{verb} {counted}{within}"


def best_of(names: list[str]) -> str:
    """Names, best first: all of them if they are few, else the best ones."""
    return ", ".join(names) if len(names) <= MOST_NAMED else f"the best of them: {', '.join(names[:BEST])}"


def _mean(evidence: Evidence, system: int) -> str:
    return number(float(evidence.main.shown_means()[system]))


def _against_baseline(evidence: Evidence, baseline: str) -> str:
    """Who is better and who is worse than the baseline; the other pairs are not tested."""
    at = evidence.systems.index(baseline)
    others = [other for other in evidence.order if other != at]
    kinds = {other: kind_of(evidence, at, other) for other in others}
    groups = {
        "better than": [other for other in others if kinds[other] == "better" and evidence.beats[other, at]],
        "worse than": [other for other in others if kinds[other] == "better" and evidence.beats[at, other]],
        "trade": [other for other in others if kinds[other] == "trade-off"],
        "equal to": [other for other in others if kinds[other] == "equal"],
        "not shown to differ from": [other for other in others if kinds[other] in {"open", "identical"}],
        "not comparable with": [other for other in others if kinds[other] == "nothing"],
    }
    parts = []
    for words, members in groups.items():
        if members:
            names = best_of([evidence.systems[other] for other in members])
            few = len(others) <= MOST_NAMED or len(members) == 1
            counted = names if few else f"{len(members):,} of {len(others):,} systems ({names})"
            relation = (
                f"trade{'s' if len(members) == 1 else ''} metrics with" if words == "trade" else f"{_are(len(members))} {words}"
            )
            parts.append(f"{counted} {relation} {baseline}")
    text = "; ".join(parts)
    return f"{text[:1].upper() if text[:1].isdigit() else text[:1]}{text[1:]}. Only pairs with {baseline} are tested."


def _by_the_paper(evidence: Evidence) -> str:
    """Whom nobody robustly beats, by the rule of the UIR paper."""
    robust = f"UIR from {evidence.uir_threshold:g} and p below {evidence.level:g}"
    if not evidence.beats.any():
        return f"No improvement is unanimous and significant ({robust})."
    if evidence.baseline is not None:
        at = evidence.systems.index(evidence.baseline)
        winners = [evidence.systems[other] for other in np.flatnonzero(evidence.beats[:, at])]
        losers = [evidence.systems[other] for other in np.flatnonzero(evidence.beats[at])]
        above = f"{some_of(winners, MOST_NAMED)} robustly improve{'s' if len(winners) == 1 else ''} on {evidence.baseline}"
        below = f"{evidence.baseline} robustly improves on {some_of(losers, MOST_NAMED) or 'no system'}"
        return f"{above if winners else f'No system robustly improves on {evidence.baseline}'}; {below} ({robust})."
    first = [evidence.systems[at] for at in evidence.order if not evidence.beats[:, at].any()]
    if not first or circles(evidence.beats).any():
        return f"On the cases that they share, systems robustly improve on each other in a circle ({robust})."
    return f"No system robustly improves on {some_of(first, MOST_NAMED)} ({robust})."


def _by_weight(evidence: Evidence) -> str:
    """Who has the best mean for which weights."""
    if evidence.best_for is None:
        return _by_drawn_weights(evidence)
    leads = list(evidence.best_for.table().iter_rows())
    if not leads:
        return "No system has the best mean for any weighting: they have different cases."
    if all(low <= 0 and high >= 1 for _, low, high in leads):
        leaders = _have([name for name, _, _ in leads])
        return f"{leaders} the best mean for every weighting{_exceptions(evidence, leads[0][0], 1.0)}."
    parts = [f"{name} if it is {weight_range(low, high)}" for name, low, high in leads]
    return f"Which mean is best depends on the weight of {evidence.cube.metrics[0]}: {listing(parts, 6)}."


def _by_drawn_weights(evidence: Evidence) -> str:
    drawn = evidence.shares if evidence.won_shares is None else evidence.won_shares
    shares = drawn.table().sort("best", descending=True, nulls_last=True, maintain_order=True)
    rows = [(name, share) for name, share in shares.select("system", "best").iter_rows() if share]
    count = f"{drawn.samples:,} weightings of the {len(evidence.cube.metrics)} metrics"
    if not rows:
        return f"No system has the best mean for any of {count}: they have different cases."
    parts = [f"{name} in {percent(share)}{_exceptions(evidence, name, share)}" for name, share in rows]
    parts[0] = parts[0].replace(f"{rows[0][0]} in ", f"{rows[0][0]} has the best mean in ", 1)
    return f"Of {count}, {listing(parts, 4)}."


def _exceptions(evidence: Evidence, name: str, share: float) -> str:
    """The metrics that alone prefer somebody else to a system that is the best by all weightings drawn."""
    against = evidence.opposed[:, evidence.systems.index(name)]
    metrics = [metric for metric, by in zip(evidence.cube.metrics, against, strict=True) if by.any()]
    return f" (but not by {alone(metrics)})" if share == 1 and metrics else ""


def _have(names: list[str]) -> str:
    return f"{names[0]} has" if len(names) == 1 else f"{some_of(names, 6)} together have"


def _below_floor(evidence: Evidence) -> list[str]:
    """Systems that score no better than an output that ignores the gold."""
    if evidence.floor is None or evidence.main.name not in evidence.floor.metrics:
        return []
    best, name = best_of_floor(evidence)
    below = [evidence.systems[at] for at in evidence.order if evidence.main.means[at] <= best]
    if not below:
        return []
    verb = "scores" if len(below) == 1 else "score"
    return [f"{some_of(below, MOST_NAMED)} {verb} no better than {name}, which ignores the gold."]


def best_of_floor(evidence: Evidence) -> tuple[float, str]:
    """The best mean of an output that ignores the gold, by the measure that orders the leaderboard, and its name."""
    assert evidence.floor is not None  # noqa: S101 - for type checkers: the caller has looked
    means = np.nanmean(evidence.floor.signed[evidence.floor.metrics.index(evidence.main.name)], axis=1)
    at = int(np.nanargmax(means))
    return float(means[at]), evidence.floor.systems[at]


def _same(evidence: Evidence) -> list[str]:
    """Systems that cannot be told apart, because they have the same scores everywhere."""
    if len(evidence.systems) == PAIR:
        return []
    groups = [[evidence.systems[at] for at in group] for group in same_everywhere(evidence.cube.values)]
    shown = sorted(groups, key=len, reverse=True)[:MOST_SAME] if len(groups) > MOST_SAME else groups
    texts = [f"{some_of(names, MOST_NAMED)} have the same scores in every case: are they the same output?" for names in shown]
    more = len(groups) - len(shown)
    return [*texts, *([f"There are {plural(more, 'more group')} of systems with the same scores."] if more else [])]


def _unequal(evidence: Evidence) -> list[str]:
    """Over which cases means are, where systems have different ones."""
    shared, cases = int(evidence.main.shared.sum()), evidence.main.values.shape[1]
    known = ~np.isnan(evidence.main.values)
    total = int(known.any(axis=0).sum())
    if shared == total or cases == 0:
        return []
    if shared:
        common = f"the {shared:,} of {plural(total, 'case')} that all have"
        return [f"Systems have different cases: means and weightings are over {common}, pairs over those that both have."]
    return ["No case has a score of every system: means are over different cases, only pairs are comparable."]


def verdicts(evidence: Evidence) -> tuple[list[Verdict], int]:
    """The first of the leaderboard, or the baseline, against the others; and how many of these are left out."""
    ordered = evidence.order
    against = ordered[0] if evidence.baseline is None else evidence.systems.index(evidence.baseline)
    others = [at for at in ordered if at != against]
    shown = [verdict(evidence, at, against) for at in others[:MOST_VERDICTS]]
    return shown, max(len(others) - MOST_VERDICTS, 0)


def caption(evidence: Evidence) -> str:
    """What the numbers are: cases, test, correction, thresholds."""
    main = evidence.main
    units = plural(len(evidence.cube.cases), "case" if evidence.overlap is None else "fold")
    empty = int(np.isnan(evidence.cube.values).all(axis=(0, 1)).sum())
    if empty:
        units = f"{units}, {empty:,} of them without any value"
    if main.unit in {"item", "document"}:
        pairs = main.test.cases[~np.eye(len(evidence.systems), dtype=np.bool_)]
        units = f"{units}, tested by {plural(int(pairs.max(initial=0)), main.unit)}"
    parts = [
        f"{plural(len(evidence.systems), 'system')}, {units}",
        f"ordered by {main.name}",
        f"{main.test.name}, significant below {evidence.level:g}",
        f"correction: {evidence.correction_used}",
        *([f"robust: UIR from {evidence.uir_threshold:g}, p below {evidence.level:g}"] if evidence.rule == "unanimous" else []),
        *([f"differences up to {evidence.eps:g} count as equal in UIR"] if evidence.eps else []),
        *([evidence.test_remarks] if evidence.test_remarks else []),
    ]
    return "; ".join(parts)
