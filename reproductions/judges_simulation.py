"""How often intervals of agreement and prediction-powered means hold the truth, on made judgements whose truth is known.

python reproductions/judges_simulation.py        1,000 data sets of each kind, a few minutes
python reproductions/judges_simulation.py 100    fewer, for a look

Every data set has a seed of its own, so the tables are the same at every run.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from printed import table

from plumbline.truth.agreement.intervals import interval_of
from plumbline.truth.agreement.labels import Labelled
from plumbline.truth.agreement.ratings import Ratings
from plumbline.truth.judges.prediction_powered import powered_mean, stratified_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

SETS: Final = 1_000
NAMES: Final = ("agreement", "fleiss_kappa", "gwet_ac1", "alpha")
SIZES: Final = (20, 50, 200)
JUDGES: Final = {"useless judge": 0.0, "fair judge": 0.5, "good judge": 0.9}
"""How much each judge's scores correlate with the truth."""
HUMAN_CASES: Final = (10, 20, 50)
MANY: Final = 500
MEAN: Final = 0.4
"""Of Beta(2, 3), which scores come from."""
STRATA: Final = ((250, 2, 3), (150, 4, 2), (100, 1, 4))
"""Cases of each stratum, and the two numbers of the Beta distribution that its scores come from."""
IN_STRATUM: Final = (3, 5, 10, 20)
LARGE: Final = 200_000
"""Items of which the true coefficients are computed."""


def made(items: int, seed: int, *, assessors: int = 4, gaps: float = 0.2) -> Ratings:
    """Grades 0 to 3 of assessors who are right in 60 % and miss by one otherwise, with gaps."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(4, items, p=[0.5, 0.25, 0.15, 0.1])
    slip = draw.choice([-1, 0, 1], (items, assessors), p=[0.2, 0.6, 0.2])
    grades = np.clip(truth[:, None] + slip, 0, 3)
    unit, assessor = np.nonzero(draw.random((items, assessors)) >= gaps)
    names = tuple(f"a{one}" for one in range(assessors))
    return Ratings(
        unit,
        assessor,
        grades[unit, assessor],
        names,
        ("0", "1", "2", "3"),
        np.arange(4.0),
        np.zeros(items, dtype=np.int64),
        ("all",),
    )


def labelled(items: int, seed: int) -> Labelled:
    """The same, ready for coefficients."""
    return Labelled(made(items, seed), "ordinal", names=NAMES)


def true_values() -> Numbers:
    """The coefficients of so many items that they hardly vary."""
    large = labelled(LARGE, 10**6)
    tally = large.tallied.all_units()
    return np.array([one.compute(tally, large.scale)[0] for one in large.wanted])


def coverage(items: int, method: Any, sets: int, truth: Numbers) -> Numbers:  # noqa: ANN401 - a word of interval_of
    """The share of intervals of 95 % that hold the true coefficients."""
    held = np.zeros(len(NAMES))
    for seed in range(sets):
        one = labelled(items, seed)
        result = interval_of(
            one.tallied, one.scale, one.wanted, method=method, over="items", confidence=0.95, resamples=400, seed=seed
        )
        held += (result.low <= truth) & (truth <= result.high)
    return held / sets


def powered(correlation: float, cases: int, sets: int) -> tuple[float, float, float, float]:
    """Covered by the estimate and by the plain mean, the relative width, and what the cases are worth on average."""
    held = np.zeros(2)
    widths, worths = [], []
    for seed in range(sets):
        draw = np.random.default_rng([seed, cases])
        truth = draw.beta(2, 3, cases + MANY)
        noise = draw.beta(2, 3, cases + MANY)
        guess = correlation * truth + (1 - correlation) * noise + 0.1  # a judge who is too kind
        estimate = powered_mean(truth[:cases], guess[:cases], guess[cases:])
        plain = powered_mean(truth[:cases], guess[:cases], guess[cases:], weight=0.0)
        held += [one.low <= MEAN <= one.high for one in (estimate, plain)]
        widths.append((estimate.high - estimate.low) / (plain.high - plain.low))
        worths.append(estimate.worth)
    return held[0] / sets, held[1] / sets, float(np.mean(widths)), float(np.median(worths))


def stratified(correlation: float, cases: int, sets: int) -> tuple[float, float, float, float]:
    """As `powered`, with as many human cases in each of three strata; the width also relative to ignoring the strata."""
    expected = sum(size * a / (a + b) for size, a, b in STRATA) / sum(size for size, _, _ in STRATA)
    held = np.zeros(2)
    widths = []
    for seed in range(sets):
        draw = np.random.default_rng([seed, cases, 3])
        parts = []
        for size, a, b in STRATA:
            truth, noise = draw.beta(a, b, (2, size))
            guess = correlation * truth + (1 - correlation) * noise + 0.1
            parts.append((truth[:cases], guess[:cases], guess[cases:]))
        estimate, plain = stratified_mean(parts), stratified_mean(parts, weight=0.0)
        ignored = powered_mean(*(np.concatenate(values) for values in zip(*parts, strict=True)))
        held += [one.low <= expected <= one.high for one in (estimate, plain)]
        widths.append([(estimate.high - estimate.low) / (other.high - other.low) for other in (plain, ignored)])
    of_plain, of_ignored = np.mean(widths, axis=0)
    return held[0] / sets, held[1] / sets, float(of_plain), float(of_ignored)


def report(sets: int) -> Iterator[str]:
    """The three tables, line by line."""
    truth = true_values()
    yield from ("### Intervals of agreement that hold the truth, of 95 %", "")
    rows = [
        (f"{items} items, {method}", *(f"{100 * share:.1f} %" for share in coverage(items, method, sets, truth)), "")
        for items in SIZES
        for method in ("bootstrap", "analytic")
    ]
    yield from (*table(("four assessors, a fifth missing", *NAMES, ""), rows), "")
    yield from ("### Means of few human cases and 500 cases of a judge", "")
    rows = []
    for name, correlation in JUDGES.items():
        for cases in HUMAN_CASES:
            estimate, plain, width, worth = powered(correlation, cases, sets)
            cells = (f"{100 * estimate:.1f} %", f"{100 * plain:.1f} %", f"{width:.2f}", f"{worth:.0f}")
            rows.append((f"{name}, {cases} human cases", *cells, ""))
    head = ("judge", "estimate holds the truth", "plain mean holds it", "relative width", "worth so many human cases", "")
    yield from (*table(head, rows), "")
    yield from ("### Means of three strata of 250, 150 and 100 cases with as many human cases each", "")
    rows = []
    for name, correlation in JUDGES.items():
        for cases in IN_STRATUM:
            estimate, plain, width, ignored = stratified(correlation, cases, sets)
            cells = (f"{100 * estimate:.1f} %", f"{100 * plain:.1f} %", f"{width:.2f}", f"{ignored:.2f}")
            rows.append((f"{name}, 3 x {cases} human cases", *cells, ""))
    widths = ("width relative to it", "width relative to an estimate without strata")
    head = ("judge", "estimate holds the truth", "plain stratified mean holds it", *widths, "")
    yield from (*table(head, rows), "")


if __name__ == "__main__":
    for line in report(int(sys.argv[1]) if len(sys.argv) > 1 else SETS):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
