"""How often significance tests, intervals and gates err on made scores whose truth is known.

python reproductions/verdict_simulation.py            2,000 data sets of each kind, some minutes
python reproductions/verdict_simulation.py 200        fewer, for a look

Every data set has a seed of its own, so the tables are the same at every run.
"""

from __future__ import annotations

import sys
from math import comb
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from printed import sections, table
from scipy import special

from plumbline import Comparison
from plumbline.comparison.combining import combined
from plumbline.comparison.cube import Cube
from plumbline.comparison.significance.correction import corrected
from plumbline.comparison.significance.effects import bootstrap_intervals, t_intervals
from plumbline.comparison.significance.equivalence import equivalence
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.pairs import Pairs
from plumbline.comparison.significance.power import detectable
from plumbline.comparison.significance.proportions import lower_end
from plumbline.comparison.significance.registry import UNCORRECTED, all_corrections, all_tests, find_test
from plumbline.comparison.significance.studentized import survival
from plumbline.comparison.significance.two_samples import two_samples, welch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Draw = Callable[[np.random.Generator, tuple[int, ...]], Numbers]

DATA_SETS: Final = 2_000
SYSTEMS: Final = 4
CASES: Final = 20
DRAWS: Final = 399
LEVEL: Final = 0.05
COVERED: Final = 0.95
FEWER: Final = 500
"""Data sets of the bootstrap, which takes much longer than formulas."""
TOGETHER: Final = 20
"""Data sets that are looked at in one table."""
SIZES: Final = (6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100)
UIR_SIZES: Final = (5, 10, 15, 20, 50)
GATE_SIZES: Final = (6, 10, 20, 50)
RANKED: Final = (3, 4, 5, 10, 20, 50)
"""Numbers of systems of which Nemenyi's test compares mean ranks."""
RANKED_CASES: Final = (5, 10, 20, 50)
FEW: Final = 10
NEAR: Final = (
    ("randomised_tukey", UNCORRECTED, "skewed"),
    ("randomised_tukey", UNCORRECTED, "heavy-tailed"),
    ("tukey", UNCORRECTED, "tied"),
    ("tukey", UNCORRECTED, "heavy-tailed"),
    ("t", "benjamini_hochberg", "tied"),
    ("wilcoxon", "benjamini_hochberg", "skewed"),
)
"""Tests, corrections and scores whose rate is so near the level that it takes more data sets to tell on which side it is."""
GROUPED: Final = "two groups of cases, 1 metric"
WELCH: Final = "two groups of cases, Welch's t"
NEAR_VERDICTS: Final = ((GROUPED, "skewed"), (WELCH, "tied"))
"""Verdicts and scores of which the same is true."""
FAMILIES: Final[Mapping[str, tuple[tuple[int, int, int], dict[str, Any]]]] = {
    "2 systems, 1 metric": ((1, 2, CASES), {}),
    "2 systems, 3 metrics": ((3, 2, CASES), {}),
    "4 systems, 2 metrics": ((2, 4, CASES), {}),
    "4 systems, 2 metrics, baseline": ((2, 4, CASES), {"baseline": "s0"}),
    "4 systems, 6 metrics, 10 cases: the first decides": ((6, 4, FEW), {}),
    GROUPED: ((1, 2, CASES), {}),
    WELCH: ((1, 2, CASES), {"test": "t"}),
}
"""Metrics, systems, cases and options of verdicts."""
SHARES_COLUMNS: Final = ("p of Welch's t", "p of compare", "p and interval", "power, 70 against 30 %")
GROUPS: Final = ((6, 6), (10, 10), (10, 50), (20, 20), (50, 50))
"""The sizes of two groups of cases."""
STEADY: Final = 0.1
"""The standard deviation of scores that hardly vary."""
SHIFT: Final = 0.7
"""What is added where power is measured, in standard deviations of the differences."""
VERDICT: Final = "randomization and interval"
"""What a verdict needs."""
FEW_COLUMNS: Final = ("t", "randomization", "randomization and interval", "equal by t", "equal by plumbline")
"""What is compared where there are few cases."""
GATES: Final = ("called worse", "called better", "apart by the margin, called equal")
SHARES: Final = ((0.93, 0.0), (0.6, 0.1), (0.3, 0.2), (0.05, 0.0))
"""True shares of wins and losses."""

SCORES: Final[Mapping[str, Draw]] = {
    "skewed": lambda generator, shape: generator.exponential(size=shape),
    "tied": lambda generator, shape: np.round(generator.random(shape), 1),
    "bounded": lambda generator, shape: (generator.random(shape) < 0.7).astype(np.float64),  # noqa: PLR2004 - a share
    "heavy-tailed": lambda generator, shape: generator.standard_t(3, size=shape),
}
"""Scores of systems that do not differ."""
MEANS: Final[Mapping[str, float]] = {"skewed": 1.0, "tied": 0.5, "bounded": 0.7, "heavy-tailed": 0.0}
"""Their true means."""
ROUNDING: Final = 1e-12
DIFFERENCES: Final[Mapping[str, tuple[Draw, float]]] = {
    "normal": (lambda generator, shape: generator.normal(size=shape), 0.0),
    "skewed": (lambda generator, shape: generator.exponential(size=shape), 1.0),
    "half tied, skewed": (lambda generator, shape: generator.exponential(size=shape) * (generator.random(shape) < 0.5), 0.5),  # noqa: PLR2004 - a share
    "bounded, three values": (lambda generator, shape: generator.choice([-1.0, 0.0, 1.0], p=[0.1, 0.6, 0.3], size=shape), 0.2),
    "bounded, nearly all won": (lambda generator, shape: generator.choice([-1.0, 1.0], p=[0.05, 0.95], size=shape), 0.9),
    "three quarters tied, skewed": (
        lambda generator, shape: generator.exponential(size=shape) * (generator.random(shape) < 0.25),  # noqa: PLR2004 - a share
        0.25,
    ),
    "heavy-tailed": (lambda generator, shape: generator.standard_t(3, size=shape), 0.0),
    "outliers": (
        lambda generator, shape: generator.normal(size=shape) * generator.choice([1, 5], p=[0.9, 0.1], size=shape),
        0.0,
    ),
    "very long tail": (lambda generator, shape: generator.lognormal(size=shape), float(np.exp(0.5))),
}
"""Differences of two systems and their true mean."""
LOST: Final = (0.5, 0.6, 0.75, 0.9)
"""Shares of cases that are lost by the same amount."""
NEARLY: Final = 0.05
"""The standard deviation of losses that are nearly the same."""


def lost(share: float, deviation: float = 0.0) -> Draw:
    """Differences of systems with equal means: so many cases are lost by 1, the others make up for it."""

    def draw(generator: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
        losses = generator.normal(-1.0, deviation, shape) if deviation else np.full(shape, -1.0)
        return np.where(generator.random(shape) < share, losses, generator.exponential(1.0 / (1.0 - share), shape) - 1.0)

    return draw


GATED: Final[Mapping[str, tuple[Draw, float]]] = {
    **DIFFERENCES,
    **{f"{share:.0%} lost by the same amount".replace("%", " %"): (lost(share), 0.0) for share in LOST},
    **{f"{share:.0%} lost by nearly the same amount".replace("%", " %"): (lost(share, NEARLY), 0.0) for share in LOST[2:]},
}
"""Differences of which gates are tried."""
NEAR_GATES: Final = ("very long tail", "75 % lost by the same amount", "90 % lost by the same amount")
"""Those whose rates are so near the level that it takes more data sets to tell on which side they are."""


def generators(data_sets: int, topic: str) -> Iterator[np.random.Generator]:
    """A generator for each data set."""
    return (np.random.default_rng([number, *topic.encode()]) for number in range(data_sets))


def family_rates(kind: str, data_sets: int) -> dict[tuple[str, str], float]:
    """How often any pair of equal systems is called significant, by test and correction."""
    claims: dict[tuple[str, str], int] = {}
    for generator in generators(data_sets, kind):
        values = SCORES[kind](generator, (SYSTEMS, CASES))
        for test in all_tests().values():
            p = test(values, resamples=DRAWS, seed=int(generator.integers(2**31))).p
            for name in [UNCORRECTED] if test.familywise else all_corrections():
                claims.setdefault((test.name, name), 0)
                claims[test.name, name] += bool((corrected(p, name) < LEVEL).any())
    return {key: count / data_sets for key, count in claims.items()}


def settled_rate(test: str, correction: str, kind: str, data_sets: int) -> float:
    """How often any pair of equal systems is called significant by one test and correction."""
    claims = 0
    for generator in generators(data_sets, f"near {kind}"):
        values = SCORES[kind](generator, (SYSTEMS, CASES))
        p = find_test(test)(values, resamples=DRAWS, seed=int(generator.integers(2**31))).p
        claims += bool((corrected(p, correction) < LEVEL).any())
    return claims / data_sets


def verdict_rate(kind: str, family: str, data_sets: int) -> float:
    """How often a verdict about equal systems is "better" or "trade-off", with the usual test and correction."""
    shape, options = FAMILIES[family]
    metrics = shape[0]
    claims = 0
    for generator in generators(data_sets, f"verdict {kind} {family}"):
        values = SCORES[kind](generator, shape)
        if family.startswith("two groups"):
            gap = np.full((metrics, 1, shape[2]), np.nan)
            values = np.concatenate((np.concatenate((values[:, :1], gap), 2), np.concatenate((gap, values[:, 1:]), 2)), 1)
        of_metrics, of_systems, of_cases = (
            tuple(f"{letter}{at}" for at in range(size)) for letter, size in zip("msc", values.shape, strict=True)
        )
        cube = Cube(of_metrics, of_systems, of_cases, values, np.zeros(metrics, dtype=np.bool_))
        comparison = Comparison(cube, combined(cube), resamples=DRAWS, **options)
        claims += bool(comparison.better.any() or comparison.trades.any())
    return claims / data_sets


def shares_rates(first: int, second: int) -> dict[str, float]:
    """How often two groups of successes and failures differ at 5 %, of the share at which that is most often; exactly.

    By Welch's p, by that of `compare --test t`, and by the latter and the interval; and its power if shares are 0.7 and 0.3.
    """
    outcomes = [(a, b) for a in range(first + 1) for b in range(second + 1)]
    values = np.full((2, first + second), np.nan)
    claims = np.zeros((3, first + 1, second + 1), dtype=np.bool_)
    for a, b in outcomes:
        values[0, :first], values[1, first:] = np.arange(first) < a, np.arange(second) < b
        result = two_samples(values, level=COVERED)
        p = float(result.p[0, 1])
        apart = bool(result.low[0, 1] > 0 or result.high[0, 1] < 0)
        claims[:, a, b] = result.welch[0, 1] < LEVEL, p < LEVEL, p < LEVEL and apart
    of = [
        [[comb(size, x) * share**x * (1 - share) ** (size - x) for x in range(size + 1)] for size in (first, second)]
        for share in (*np.arange(1, 100) / 100, 0.3)
    ]
    worst = [max(float(np.einsum("a,b,ab->", *pair, claimed)) for pair in of) for claimed in claims]
    power_of = float(np.einsum("a,b,ab->", of[69][0], of[-1][1], claims[2]))
    return dict(zip(SHARES_COLUMNS, (*worst, power_of), strict=True))


def nemenyi_rate(systems: int, cases: int, data_sets: int) -> float:
    """How often any pair of equal systems without ties is significant by the textbook's p of Nemenyi's test."""
    (generator,) = generators(1, f"Nemenyi {systems} {cases}")
    ranks = generator.random((data_sets, cases, systems)).argsort(axis=2).argsort(axis=2)
    means = ranks.mean(axis=1) / np.sqrt(systems * (systems + 1) / (6 * cases))
    return float((survival(np.ptp(means, axis=1) * np.sqrt(2), systems) < LEVEL).mean())


def _pairs_with_zero(draw: Draw, generator: np.random.Generator, cases: int, together: int) -> Numbers:
    """Rows of differences above a row of 0, so that the last column of every table is about them."""
    return np.concatenate((draw(generator, (together, cases)), np.zeros((1, cases))))


def interval_rates(kind: str, cases: int, data_sets: int) -> dict[str, float]:
    """How often each kind of interval holds the true mean difference, where there is one; the bootstrap's of fewer data sets.

    And how wide those of plumbline are, in widths of those of t.
    """
    draw, truth = DIFFERENCES[kind]
    together = min(TOGETHER, data_sets)
    blocks = data_sets // together
    held, known = (dict.fromkeys(("plumbline", "t", "percentile bootstrap"), 0) for _ in range(2))
    widths = np.zeros(2)
    for block, generator in enumerate(generators(blocks, f"{kind}{cases}")):
        values = _pairs_with_zero(draw, generator, cases, together)
        careful = mean_intervals(values, COVERED)
        results = {"plumbline": careful, "t": t_intervals(values, level=COVERED)}
        if block * together < FEWER:
            results["percentile bootstrap"] = bootstrap_intervals(values, level=COVERED, resamples=DRAWS)
        some = ~np.isnan(results["plumbline"].low[:-1, -1])
        for name, result in results.items():
            low, high = result.low[:-1, -1][some], result.high[:-1, -1][some]
            held[name] += int(((low <= truth) & (truth <= high)).sum())
            known[name] += len(low)
        widths += [float((results[name].high - results[name].low)[:-1, -1][some].sum()) for name in ("plumbline", "t")]
    return {**{name: held[name] / known[name] for name in held}, "width": float(widths[0] / widths[1])}


def group_rate(kind: str, sizes: tuple[int, int], data_sets: int, *, steady: bool) -> float:
    """How often the interval of two groups of cases, where there is one, holds the true difference.

    The second group has like scores, or steady ones.
    """
    held, known = 0, 0
    for generator in generators(data_sets, f"groups {kind} {sizes} {steady}"):
        first = SCORES[kind](generator, (sizes[0],))
        second = generator.normal(0, STEADY, sizes[1]) if steady else SCORES[kind](generator, (sizes[1],))
        values = np.full((2, sum(sizes)), np.nan)
        values[0, : sizes[0]], values[1, sizes[0] :] = first, second
        _, _, low, high = welch_of(Pairs(values), COVERED)
        truth = MEANS[kind] if steady else 0.0
        held += bool(low[0] <= truth + ROUNDING and truth <= high[0] + ROUNDING)
        known += not np.isnan(low[0])
    return held / known


def unanimity_rate(cases: int, won: float, lost: float, data_sets: int) -> float:
    """How often the interval of UIR holds the true one."""
    (generator,) = generators(1, f"UIR {cases} {won} {lost}")
    wins, losses, _ = generator.multinomial(cases, [won, lost, 1 - won - lost], size=data_sets).T
    size = np.full(data_sets, cases)
    low, high = lower_end(wins, losses, size, COVERED), -lower_end(losses, wins, size, COVERED)
    return float(((low <= won - lost + ROUNDING) & (won - lost <= high + ROUNDING)).mean())


def gate_rates(kind: str, cases: int, data_sets: int) -> dict[str, float]:
    """How often a gate errs if means are equal, or apart by the margin; bounded differences cannot be shifted.

    A gate calls a system worse or better if p of the usual test is below the level and the interval does not include 0, and
    equal if two one-sided tests are.
    """
    draw, truth = GATED[kind]
    together = min(TOGETHER, data_sets)
    blocks = data_sets // together
    rates = dict.fromkeys(GATES, 0.0)
    for generator in generators(blocks, f"gate {kind} {cases}"):
        values = _pairs_with_zero(draw, generator, cases, together)
        differences = values[:-1]
        if kind.startswith("bounded"):
            worse, better = np.full((2, together), np.nan)
            equal = equivalence(values, truth).p[-1, :-1] < LEVEL / 2
        else:
            margin = float(differences.std())
            moved = values - np.append(np.full(together, truth), 0.0)[:, None]
            interval = mean_intervals(moved, COVERED)
            outside = (interval.low[:-1, -1] > 0) | (interval.high[:-1, -1] < 0)  # without an interval nothing is claimed
            claimed = (find_test("randomization")(moved, resamples=DRAWS).p[:-1, -1] < LEVEL) & outside
            worse, better = (claimed & (sign * moved[:-1].mean(axis=1) > 0) for sign in (-1, 1))
            apart = moved + np.append(np.full(together, margin), 0.0)[:, None]
            equal = equivalence(apart, margin).p[:-1, -1] < LEVEL / 2
        for name, errors in zip(GATES, (worse, better, equal), strict=True):
            rates[name] += float(np.mean(errors)) / blocks
    return rates


def few_rates(cases: int, data_sets: int) -> dict[str, float]:
    """How often a difference of normal scores is found that t finds in 80 %, and how often equality is shown that t shows.

    The margin is the difference that the interval of t keeps within in 80 % of data sets.
    """
    far = detectable(np.array([np.resize([1.0, -1.0], cases), np.zeros(cases)]), level=LEVEL).difference[0, 1]
    far /= np.resize([1.0, -1.0], cases).std(ddof=1)
    margin = (special.stdtrit(cases - 1, (1 + COVERED) / 2) + special.ndtri(0.9)) / np.sqrt(cases)
    together = min(TOGETHER, data_sets)
    found = dict.fromkeys(FEW_COLUMNS, 0.0)
    for generator in generators(data_sets // together, f"few {cases}"):
        values = _pairs_with_zero(DIFFERENCES["normal"][0], generator, cases, together)
        moved = values + np.append(np.full(together, far), 0.0)[:, None]
        small = find_test("randomization")(moved, resamples=DRAWS).p[:-1, -1] < LEVEL
        outside = mean_intervals(moved, COVERED).low[:-1, -1] > 0
        rates = (
            find_test("t")(moved).p[:-1, -1] < LEVEL,
            small,
            small & outside,
            equivalence(values, margin, normal=True).p[:-1, -1] < LEVEL / 2,
            equivalence(values, margin).p[:-1, -1] < LEVEL / 2,
        )
        for name, hits in zip(FEW_COLUMNS, rates, strict=True):
            found[name] += float(hits.sum()) / (data_sets // together * together)
    return found


def power(kind: str, data_sets: int) -> dict[str, float]:
    """How often each test of pairs finds a difference, and how often the usual one and the interval do.

    For scores of 0 and 1 the sign test is McNemar's.
    """
    names = [test.name for test in all_tests().values() if not test.familywise]
    result = dict.fromkeys([*names, VERDICT], 0)
    for generator in generators(data_sets, f"power {kind}"):
        values = SCORES[kind](generator, (2, CASES))
        if kind == "bounded":
            values[1] = generator.random(CASES) < 0.25  # noqa: PLR2004 - a share
        else:
            values[0] += SHIFT * float(np.sqrt(2) * SCORES[kind](np.random.default_rng(0), (10_000,)).std())
        for name in names:
            result[name] += bool(find_test(name)(values, resamples=DRAWS).p[0, 1] < LEVEL)
        interval = mean_intervals(values, COVERED)
        small = find_test("randomization")(values, resamples=DRAWS).p[0, 1] < LEVEL
        result[VERDICT] += bool(small and (interval.low[0, 1] > 0 or interval.high[0, 1] < 0))
    return {name: count / data_sets for name, count in result.items()}


def _rate(value: float) -> str:
    return "-" if np.isnan(value) else f"{100 * value:.1f} %"


def report(data_sets: int = DATA_SETS) -> str:
    """All tables."""
    families = {kind: family_rates(kind, data_sets) for kind in SCORES}
    keys = list(next(iter(families.values())))
    powers = {kind: power(kind, data_sets) for kind in SCORES}
    many, most = 5 * data_sets, 10 * data_sets
    gates = {kind: [gate_rates(kind, cases, many) for cases in GATE_SIZES] for kind in GATED}
    settled = {kind: [gate_rates(kind, cases, most) for cases in GATE_SIZES] for kind in NEAR_GATES}
    intervals = {kind: {cases: interval_rates(kind, cases, many) for cases in SIZES} for kind in DIFFERENCES}
    return sections(
        {
            f"Equal systems: any of {SYSTEMS * (SYSTEMS - 1) // 2} pairs is significant at 5 %": table(
                ["test", *SCORES, "correction"],
                [[test, *(_rate(families[kind][test, name]) for kind in SCORES), name] for test, name in keys],
            ),
            f"Equal systems: rates near the level, of {most:,} data sets": table(
                ["claims", "scores", "rate", ""],
                [
                    *([f"{test}, {name}", kind, _rate(settled_rate(test, name, kind, most)), ""] for test, name, kind in NEAR),
                    *([f"verdicts, {name}", kind, _rate(verdict_rate(kind, name, most)), ""] for name, kind in NEAR_VERDICTS),
                ],
            ),
            "Equal systems: any verdict is better or trade-off": table(
                ["verdicts", *SCORES, ""],
                [[name, *(_rate(verdict_rate(kind, name, data_sets)) for kind in SCORES), ""] for name in FAMILIES],
            ),
            "Two groups of successes and failures with the same share: the worst of all shares, by exact computation": table(
                ["cases", *SHARES_COLUMNS, ""],
                [[f"{a} and {b}", *(_rate(rate) for rate in shares_rates(a, b).values()), ""] for a, b in GROUPS],
            ),
            "Equal systems: any pair is significant at 5 % by Nemenyi's test, p by the distribution of very many cases": table(
                ["systems", *(f"{cases} cases" for cases in RANKED_CASES), ""],
                [
                    [str(systems), *(_rate(nemenyi_rate(systems, cases, 10 * data_sets)) for cases in RANKED_CASES), ""]
                    for systems in RANKED
                ],
            ),
            **{
                f"Intervals of mean differences that hold the truth, of 95 %: {name}": table(
                    ["differences", *(f"{cases} cases" for cases in SIZES), ""],
                    [[kind, *(_rate(of[cases][name]) for cases in SIZES), ""] for kind, of in intervals.items()],
                )
                for name in ("plumbline", "t", "percentile bootstrap")
            },
            "Mean widths of these intervals of plumbline, in widths of those of t": table(
                ["differences", *(f"{cases} cases" for cases in SIZES), ""],
                [[kind, *(f"{of[cases]['width']:.2f}" for cases in SIZES), ""] for kind, of in intervals.items()],
            ),
            "Intervals of two groups of cases that hold the truth, of 95 %": table(
                ["scores", *(f"{a} and {b} cases" for a, b in GROUPS), ""],
                [
                    [
                        f"{kind} against {'steady ones' if steady else 'the same'}",
                        *(_rate(group_rate(kind, sizes, 2 * data_sets, steady=steady)) for sizes in GROUPS),
                        "",
                    ]
                    for kind in SCORES
                    for steady in (False, True)
                ],
            ),
            "Intervals of UIR that hold the truth, of 95 %": table(
                ["share of wins, of losses", *(f"{cases} cases" for cases in UIR_SIZES), ""],
                [
                    [f"{won}, {lost}", *(_rate(unanimity_rate(cases, won, lost, data_sets)) for cases in UIR_SIZES), ""]
                    for won, lost in SHARES
                ],
            ),
            "Gates that err: means are equal, or apart by the margin": table(
                ["differences", *(f"{name}, {cases}" for cases in GATE_SIZES for name in GATES), ""],
                [[kind, *(_rate(rate) for each in rates for rate in each.values()), ""] for kind, rates in gates.items()],
            ),
            f"Gates that err: rates near the level, of {most:,} data sets": table(
                ["differences", *(f"{name}, {cases}" for cases in GATE_SIZES for name in GATES), ""],
                [[kind, *(_rate(rate) for each in rates for rate in each.values()), ""] for kind, rates in settled.items()],
            ),
            "Power of few normal differences, where t has 80 %; and equality that t shows in 80 %": table(
                ["cases", *FEW_COLUMNS, ""],
                [[f"{cases}", *(_rate(rate) for rate in few_rates(cases, many).values()), ""] for cases in SIZES],
            ),
            f"Power with {CASES} cases at 5 %": table(
                ["scores", *next(iter(powers.values())), ""],
                [[kind, *(_rate(rate) for rate in rates.values()), ""] for kind, rates in powers.items()],
            ),
        }
    )


if __name__ == "__main__":
    sys.stdout.write(report(int(sys.argv[1]) if len(sys.argv) > 1 else DATA_SETS))
