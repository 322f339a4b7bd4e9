"""What can be said about two systems: which is better, how certain that is, for which weighting; as data and in sentences."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import isinf
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from plumbline.average import SAME
from plumbline.comparison.finding import Finding, decimals, findings_grid, names_of, relative, weight_range, with_amounts
from plumbline.comparison.marks import doubt
from plumbline.comparison.unanimity.interval import interval as uir_interval
from plumbline.errors.base import listing, plural
from plumbline.errors.faces import rendered
from plumbline.render.fitting import text_width
from plumbline.render.grid import Sentences, number, percent
from plumbline.render.html import html_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.evidence import Evidence

Kind = Literal["better", "trade-off", "equal", "open", "identical", "nothing"]
"""The first system is better; each is better by some metric; they are shown to be equal within the margin; neither is shown;
they have the same scores everywhere; nothing can be compared."""
_MOST_NAMED: Final = 3
if TYPE_CHECKING:
    _Text = Callable[[Sequence[Finding]], str]


@dataclass(frozen=True, repr=False)
class Verdict:
    """What can be said about two systems; `str()` says it in sentences.

    The system that is better comes first; if neither is shown to be, the one with the better mean.

    Example:
        >>> import plumbline
        >>> verdict = plumbline.compare({"old": [0.2, 0.4, 0.3], "new": [0.5, 0.6, 0.2]}).verdict("old", "new")
        >>> (verdict.better, verdict.kind, verdict.findings[0].significant)
        ('new', 'open', False)
    """

    better: str
    worse: str
    kind: Kind
    findings: tuple[Finding, ...]
    """One for each measure, the one that orders the leaderboard first."""
    units: int
    """How many cases, or items, the pair was compared on."""
    unit: str
    fewest: int
    """With fewer units the test can never be significant."""
    test: str
    margin: str = ""
    """The margin within which they were shown to be equal, if one was given."""
    about_items: str = ""
    """Why items cannot be the units, or how they can be, for where cases are too few."""
    two_groups: bool = False
    """Whether the systems have no case in common and were compared as two groups."""
    cases: int = 0
    """Cases on which both have every metric."""
    for_every_weighting: bool = False
    share: float | None = None
    """The share of weightings by which the first system has the better mean; None if no case has every metric of both."""
    drawn: int = 0
    """How many weightings were drawn to find out; 0 if all were looked at."""
    intervals: tuple[tuple[float, float], ...] = ()
    """With two metrics, the alphas for which the first system has the better mean."""
    improves: int = 0
    """Cases on which the first system is at least as good by every metric."""
    improved: int = 0
    """Cases on which the other system is at least as good by every metric."""
    biased: int = 0
    """Cases on which the metrics disagree."""
    equal: int = 0
    """Cases on which both are equal by every metric: they are among those of both."""
    uir: float | None = None
    uir_low: float | None = None
    uir_high: float | None = None
    """The 95 % confidence interval of UIR."""
    uir_p: float | None = None
    """The p of a sign test of the unanimous improvements."""
    uir_threshold: float = 0.25
    metrics: tuple[str, ...] = ()
    contrary: tuple[str, ...] = ()
    """Metrics that alone favour the other system, though all weightings that were drawn favour the first."""
    tested: bool = True
    """Whether the pair was tested: with a baseline, only the pairs with it are."""
    folds: bool = False
    """Whether the cases are folds, which share training data, so that UIR has no interval."""

    @property
    def threshold(self) -> float:
        """The old name of `uir_threshold`, which will be removed in the next version."""
        warnings.warn("Verdict.threshold is now Verdict.uir_threshold", DeprecationWarning, stacklevel=2)
        return self.uir_threshold

    @property
    def main(self) -> Finding:
        """The finding by the measure that orders the leaderboard."""
        return self.findings[0]

    @property
    def significant(self) -> bool:
        """Whether the difference by the measure that orders the leaderboard is significant."""
        return self.main.significant

    @property
    def unanimous(self) -> bool:
        """Whether the metrics agree on clearly more cases than not: UIR reaches the threshold."""
        return self.uir is not None and self.uir >= self.uir_threshold

    @property
    def robust(self) -> bool:
        """What the UIR paper calls robust: significant, unanimous, and better by the mean."""
        return self.significant and self.unanimous and self.main.better > 0

    @property
    def difference(self) -> float | None:
        """The difference by the measure that orders the leaderboard, in its unit."""
        return self.main.difference

    @property
    def p(self) -> float | None:
        """The corrected p of that measure."""
        return self.main.p

    # --- sentences ----------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows = ((f"{self.better} against {self.worse}", finding, "") for finding in self.findings)
        return html_of([Sentences((self.answer, *filter(None, [self.case_by_case]))), findings_grid(rows)])

    @property
    def lines(self) -> tuple[str, ...]:
        """The answer, and below it, indented, the evidence: a line for each measure, and what single cases say."""
        shown = () if self.kind in {"identical", "nothing"} else self.findings
        evidence = [(finding.measure, finding.amount) for finding in shown]
        counts = self._counts(f"{self.cases:,}")
        if counts:
            evidence.append((f"{self._one}s", counts))
        if counts and len(self.metrics) > 1:
            evidence.append(("UIR", self._uir().removeprefix("UIR ")))
        width = max((text_width(name) for name, _ in evidence), default=0)
        return (self.answer, *(f"  {name}{' ' * (width - text_width(name))}  {text}" for name, text in evidence))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline, and what single cases say if they say more."""
        return (self.headline, *filter(None, [self.case_by_case]))

    @property
    def answer(self) -> str:
        """Which is better, and for which weighting, in a short sentence without the numbers behind it."""
        return self._sentence_about(names_of, lambda _: "")

    @property
    def headline(self) -> str:
        """Which is better, how certain that is, and for which weighting, in one sentence with all its numbers."""
        return self._sentence_about(with_amounts, lambda findings: f" ({'; '.join(map(str, findings))})")

    def _sentence_about(self, listed: _Text, beside: _Text) -> str:
        """The sentence, with measures and what stands beside them as these functions write them."""
        say: dict[Kind, Callable[[_Text, _Text], str]] = {
            "better": self._better,
            "trade-off": self._trade_off,
            "equal": self._equal,
            "open": self._open,
            "identical": self._identical,
            "nothing": self._nothing,
        }
        return say[self.kind](listed, beside)

    def _better(self, listed: _Text, beside: _Text) -> str:
        won = [finding for finding in self.findings if finding.winner > 0]
        rest = [finding for finding in self.findings if finding.winner == 0]
        pair = f"{self.better} is better than {self.worse}"
        if len(self.findings) == 1:
            return f"{pair} by {listed(self.findings)}{self._groups()}."
        if rest:
            return f"{pair} by {listed(won)}{self._weighting()}; not shown to differ by {listed(rest)}{self._groups()}."
        both = "both metrics" if len(won) == len(self.metrics) == 2 else f"all {len(won)} measures"  # noqa: PLR2004 - both
        if len(won) == len(self.metrics) > 2:  # noqa: PLR2004 - as above
            both = f"all {len(won)} metrics"
        return f"{pair} by {both}{beside(won)}{self._groups()}{self._weighting()}."

    def _trade_off(self, listed: _Text, beside: _Text) -> str:  # noqa: ARG002 - every kind takes both
        metrics = [finding for finding in self.findings if finding.measure in self.metrics]
        won = [finding for finding in metrics if finding.winner > 0]
        lost = [finding for finding in metrics if finding.winner < 0]
        rest = [finding for finding in metrics if not finding.winner]
        text = f"{self.better} is better than {self.worse} by {listed(won)} but worse by {listed(lost)}"
        still_open = f", and not shown to differ by {listed(rest)}" if rest else ""
        return f"{text}{still_open}{self._groups()}; {self._preference()}."

    def _preference(self) -> str:
        """For which weights to prefer the first system."""
        if self.drawn or not self.intervals:
            return f"{self.better} has the better mean for {percent(self.share)} of all weightings"
        return f"prefer {self.better} if the weight of {self.metrics[0]} is {self._where()}"

    def _equal(self, listed: _Text, beside: _Text) -> str:  # noqa: ARG002 - every kind takes both
        return f"{self.better} and {self.worse} are equal within {self.margin}{beside(self.findings)}{self._groups()}."

    def _open(self, listed: _Text, beside: _Text) -> str:
        pair = f"{self.better} and {self.worse}"
        if not self.tested:
            return f"{pair} were not tested, since only the pairs with the baseline are{beside(self.findings)}."
        decided = [finding for finding in self.findings if finding.winner]
        if decided:  # by metrics that do not decide; both ways would be a trade-off
            still_open = listed([finding for finding in self.findings if not finding.winner])
            other = f"{self.better} is {'better' if decided[0].winner > 0 else 'worse'} by {listed(decided)}"
            return f"{pair} are not shown to differ by {still_open}{self._groups()}{self._power()}; {other}."
        return f"{pair} are not shown to differ{beside(self.findings)}{self._groups()}{self._power()}."

    def _power(self) -> str:
        """What these units could have shown."""
        about = f" ({rendered(self.about_items)})" if self.about_items else ""
        if self.main.p is None:
            return f": {plural(self.units, self.unit)} cannot be tested{about}"
        if self.units < self.fewest:
            few = f": no difference can be significant with {plural(self.units, self.unit)}, it takes {self.fewest} or more"
            return f"{few}{about}"
        still_open = [finding for finding in self.findings if not finding.winner]
        known = [finding for finding in still_open if finding.detectable]
        if not known:
            return ""
        can = [finding for finding in known if not isinf(finding.detectable or 0.0)]
        if not can:
            return f": with {plural(self.units, self.unit)} even the largest possible difference may go unnoticed"
        first, *others = ((number(one.detectable, one.digits), f" by {one.measure}") for one in can[:_MOST_NAMED])
        by = f"{first[1]}{''.join(f', {size}{measure}' for size, measure in others)}" if len(still_open) > 1 else ""
        return f": {plural(self.units, self.unit)} can show a difference of {first[0]} or more{by}"

    def _identical(self, *_: _Text) -> str:
        return f"{self.better} and {self.worse} have the same scores in all {plural(self.units, self.unit)}."

    def _nothing(self, *_: _Text) -> str:
        return f"{self.better} and {self.worse} have nothing in common that could be compared."

    def _groups(self) -> str:
        return ", compared as two groups of cases, since they have none in common" if self.two_groups else ""

    def _weighting(self) -> str:
        """For which weightings the first system has the better mean."""
        if len(self.metrics) == 1 or self.share is None:
            return ""
        if self.for_every_weighting:
            return f", for {f'all {self.drawn:,} weightings drawn' if self.drawn else 'every weighting'}"
        if self.contrary:
            return f", for every weighting but {alone(self.contrary)}"
        if self.drawn or not self.intervals:
            return f", for {percent(self.share)} of all weightings"
        return f", if the weight of {self.metrics[0]} is {self._where()}"

    def _where(self) -> str:
        return " or ".join(weight_range(low, high) for low, high in self.intervals)

    @property
    def case_by_case(self) -> str:
        """How often it is better; with several metrics, how often they agree, and the UIR."""
        counts, several = self._counts(plural(self.cases, self._one)), len(self.metrics) > 1
        return f"{self._one.capitalize()} by {self._one}: {counts}{f'; {self._uir()}' if several else ''}." if counts else ""

    @property
    def _one(self) -> str:
        return "fold" if self.folds else "case"

    def _counts(self, total: str) -> str:
        """In how many of these cases which system is better; nothing where that says no more than the means."""
        if self.cases == 0 or self.kind == "identical" or (self.unit != "case" and self.cases == 1):
            return ""
        won, lost = self.improves - self.equal, self.improved - self.equal
        alone = f"{self.better} is better in {won:,} of {total}, worse in {lost:,}"
        together = f"unanimous for {self.better} in {won:,} of {total}, for {self.worse} in {lost:,}"
        rest = {"equal": self.equal, "the metrics disagree": self.biased}
        tail = [f"{what} in {count:,}" for what, count in rest.items() if count]
        return ", ".join([alone if len(self.metrics) == 1 else together, *tail])

    def _uir(self) -> str:
        ends = "" if self.uir_low is None else f" [{number(self.uir_low, 2)}, {number(self.uir_high, 2)}]"
        label = f", which is called unanimous ({self.uir_threshold:g} or more)" if self.unanimous else ""
        return f"UIR {number(self.uir, 2)}{ends}{label}"


def alone(metrics: Sequence[str]) -> str:
    """Each of some metrics by itself."""
    return f"{listing(list(metrics), _MOST_NAMED)} alone"


# --- from the evidence --------------------------------------------------------------------------------------------------------


def verdict(evidence: Evidence, a: int, b: int) -> Verdict:
    """What can be said about two systems, given by their numbers."""
    kind = kind_of(evidence, a, b)
    a, b = (b, a) if evidence.second_first[a, b] else (a, b)
    main = evidence.main
    counts, weights = evidence.improvements, evidence.pair_weights(a, b)
    both = counts.pair(a, b)
    are_folds = evidence.overlap is not None
    low, high = (None, None) if are_folds else (_number(end[0, 1]) for end in uir_interval(both))
    order = [evidence.primary_at, *(at for at in range(len(evidence.measures)) if at != evidence.primary_at)]
    return Verdict(
        better=evidence.systems[a],
        worse=evidence.systems[b],
        kind=kind,
        findings=tuple(finding(evidence, at, a, b) for at in order),
        units=int(main.test.cases[a, b]),
        unit=main.unit,
        fewest=evidence.fewest_units,
        test=main.test.name,
        margin="" if evidence.margin is None else str(evidence.margin),
        about_items=evidence.about_items,
        two_groups=main.groups is not None and bool(np.isnan(main.sizes.mean_difference[a, b])),
        cases=int(counts.cases[a, b]),
        for_every_weighting=weights.always,
        share=_number(weights.share),
        drawn=weights.drawn,
        intervals=weights.intervals,
        improves=int(counts.a_ge_b[a, b]),
        improved=int(counts.b_ge_a[a, b]),
        biased=int(counts.biased[a, b]),
        equal=int(counts.equal[a, b]),
        uir=_number(counts.uir[a, b]),
        uir_low=low,
        uir_high=high,
        uir_p=None if are_folds else _number(both.p[0, 1]),
        uir_threshold=evidence.uir_threshold,
        metrics=evidence.cube.metrics,
        contrary=weights.contrary,
        tested=evidence.baseline in {None, evidence.systems[a], evidence.systems[b]},
        folds=are_folds,
    )


def finding(evidence: Evidence, measure: int, a: int, b: int) -> Finding:
    """What one measure says about a pair."""
    of = evidence.measures[measure]
    low, high = of.spread.low[a, b] * of.sign, of.spread.high[a, b] * of.sign
    lowest, highest = (float(end[0]) for end in of.extremes(np.array([a]), np.array([b])))
    apart = highest - lowest > SAME * of.largest
    ends = (lowest, highest) if apart else (float(low), float(high))
    difference, mean = _number(of.difference[a, b] * of.sign), abs(float(of.pair_means[a, b]))
    return Finding(
        measure=of.name,
        difference=difference,
        low=_number(min(low, high)),
        high=_number(max(low, high)),
        relative=None if difference is None else relative(difference, mean),
        p=_number(evidence.corrected[measure, a, b]),
        at_most=bool(of.at_most[a, b]),
        better=int(np.sign(np.nan_to_num(of.difference[a, b]))),
        level=evidence.level,
        detectable=_number(evidence.detectable[measure, a, b]),
        digits=decimals(*ends, of.largest),
        doubt=doubt(evidence, measure, a, b),
        lowest=_number(lowest),
        highest=_number(highest),
    )


def kind_of(evidence: Evidence, a: int, b: int) -> Kind:
    """What is shown about two systems by the tests of all measures."""
    kind: Kind = kinds_of(evidence, np.array([a]), np.array([b]))[0]
    return kind


def kinds_of(evidence: Evidence, a: NDArray[np.intp], b: NDArray[np.intp]) -> list[Kind]:
    """What is shown about many pairs, given by the numbers of both systems."""
    counts, cases = evidence.improvements, evidence.improvements.cases[a, b]
    unknown = np.logical_and.reduce([np.isnan(measure.difference[a, b]) for measure in evidence.measures])
    same = (cases > 0) & (counts.equal[a, b] == cases) & ((evidence.main.test.cases[a, b] == cases) | (evidence.unit != "case"))
    conditions: list[tuple[Kind, NDArray[np.bool_]]] = [
        ("nothing", unknown),
        ("identical", same),
        ("trade-off", evidence.trades[a, b]),
        ("better", evidence.better[a, b] | evidence.better[b, a]),
        ("equal", evidence.equal[a, b]),
    ]
    first = np.select([flags for _, flags in conditions], list(range(len(conditions))), len(conditions))
    names: list[Kind] = [*(kind for kind, _ in conditions), "open"]
    return [names[at] for at in first.tolist()]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
