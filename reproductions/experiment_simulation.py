"""How often an experiment without any effect is called significant: every test, every interval, and peeking after each day.

python reproductions/experiment_simulation.py        1,000 experiments of each kind, several minutes
python reproductions/experiment_simulation.py 100    fewer, for a look

Users visit, click and buy by habits that vary from one to another, as they did before the start; half of them are in either
arm. Every experiment has a seed of its own, so the tables are the same at every run. With 1,000 experiments, 5 % is estimated
with an error of 1.4 points.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
from printed import sections, table
from scipy.special import ndtri

import plumbline as pb
from plumbline.truth.experiments.assignment import assignment
from plumbline.truth.experiments.sequential import FEWEST, obrien_fleming, sharpness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SETS: Final = 1_000
USERS: Final = 2_000
LONG: Final = 20_000
"""Users of an experiment that somebody looks at every day."""
LEVEL: Final = 0.05
DAYS: Final = 50
LOOKS: Final = 5
EFFECT: Final = 0.02
PLAIN: Final = {
    "clicks": "mean, Welch",
    "revenue": "mean of skewed values, Welch",
    "bought": "share, z and Newcombe",
    "complained": "share of 1 %, z and Newcombe",
    "clicks / views": "ratio, delta method",
    "median(revenue)": "median, bootstrap",
    "p90(revenue)": "90 % quantile, bootstrap",
}
ADJUSTED: Final = {"clicks": "mean, CUPED", "clicks / views": "ratio, CUPED"}
BEFORE: Final = ["clicks=clicks_before", "clicks / views=clicks_before / views_before"]
PAIRED: Final = {"clicks": "paired days, t"}
WATCHED: Final = {"clicks": "mean", "clicks / views": "ratio", "bought": "share"}


def users(seed: int, effect: float = 0.0, number: int = USERS) -> pl.DataFrame:
    """Users with habits; the effect is on the share of views that are clicked."""
    draw = np.random.default_rng(seed)
    habit = draw.gamma(2.0, 0.5, number)
    treated = draw.random(number) < 1 / 2
    views, before = 1 + draw.poisson(4 * habit), 1 + draw.poisson(4 * habit)
    rate = 0.1 + 0.1 * habit / (1 + habit)
    clicks = draw.binomial(views, rate + effect * treated)
    return pl.DataFrame(
        {
            "variant": np.where(treated, "B", "A"),
            "views": views,
            "clicks": clicks,
            "views_before": before,
            "clicks_before": draw.binomial(before, rate),
            "revenue": draw.lognormal(0, 1.2, number) * (1 + clicks),
            "bought": draw.random(number) < 0.2,  # noqa: PLR2004 - a share
            "complained": draw.random(number) < 0.01,  # noqa: PLR2004 - a share
            "country": draw.choice(list("abcdefgh"), number),
            "day": np.sort(draw.integers(0, DAYS, number)),
        }
    )


def analysed(frame: pl.DataFrame, metrics: Sequence[str], **options: Any) -> pb.Experiment:  # noqa: ANN401 - options of experiment()
    """The experiment, with a verdict whatever the sizes of its arms."""
    return pb.experiment(frame, list(metrics), accept_imbalance=True, **options)


def tests_of(frame: pl.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """The effect by every test, not corrected."""
    for names, options in (
        (PLAIN, {"resamples": 2_000}),
        (ADJUSTED, {"before": BEFORE}),
        (PAIRED, {"paired": "day"}),
    ):
        rows = analysed(frame, list(names), **options).effects.iter_rows(named=True)
        yield from ((names[row["metric"]], row) for row in rows)


def false_alarms(sets: int) -> list[list[str]]:
    """How often p of each test is below the level, and how often its interval leaves out 0."""
    alarms, missed = Counter[str](), Counter[str]()
    for seed in range(sets):
        for name, row in tests_of(users(seed)):
            alarms[name] += row["p"] < LEVEL
            missed[name] += not row["low"] <= 0 <= row["high"]
    names = [*PLAIN.values(), *ADJUSTED.values(), *PAIRED.values()]
    return [[name, f"{alarms[name] / sets:.1%}", f"{missed[name] / sets:.1%}"] for name in names]


def families(sets: int) -> list[list[str]]:
    """How often anything in a family of tests is significant, and how often the sizes of arms are."""
    metrics = segments = 0
    for seed in range(sets):
        result = analysed(users(seed), ["clicks", "bought", "clicks / views"], by="country")
        metrics += bool((result.effects["p_corrected"] < LEVEL).any())
        segments += bool((result.segments["p_corrected"] < LEVEL).any())
    counts = np.random.default_rng(0).binomial(LONG, 1 / 2, sets).tolist()
    sizes = [assignment(["A", "B"], [one, LONG - one], [1, 1]).p < LEVEL for one in counts]
    return [
        ["three metrics, Holm", f"{metrics / sets:.1%}"],
        ["three metrics in eight segments, Holm", f"{segments / sets:.1%}"],
        ["sizes of the arms", f"{np.mean(sizes):.1%}"],
    ]


def peeking(sets: int) -> list[list[str]]:
    """How often an experiment without effect is significant on any of its days."""
    ever = Counter[str]()
    for seed in range(sets):
        frame = users(seed, number=LONG)
        for planned in (5_000, LONG):
            looks = analysed(frame, list(WATCHED), peek=True, when="day", planned=planned).sequence
            for metric, name in WATCHED.items():
                ever[f"always valid, {name}, tightest at {planned:,}"] += looks.filter(metric=metric)["p"][-1] < LEVEL
        ever["ordinary p, mean"] += bool((np.abs(_daily(frame)) > -ndtri(LEVEL / 2)).any())
    ever["always valid, mean, after every two units, tightest at 5,000"] = round(every_unit(sets) * sets)
    rows = [[name, f"{count / sets:.1%}"] for name, count in sorted(ever.items())]
    return [*rows, [f"{LOOKS} planned looks, O'Brien and Fleming", f"{planned_looks(100 * sets):.1%}"]]


def _daily(frame: pl.DataFrame) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The ordinary statistic of the mean on each day, with all users so far."""
    value = pl.col("clicks").cast(pl.Float64)
    days = frame.group_by("day", "variant").agg(
        pl.len().alias("n"), value.sum().alias("first"), (value**2).sum().alias("second")
    )
    arms = []
    for arm in ("A", "B"):
        n, first, second = (
            days.filter(variant=arm).sort("day")[name].cum_sum().to_numpy() for name in ("n", "first", "second")
        )
        mean = first / n
        arms.append((mean, (second / n - mean**2) / (n - 1)))
    (control, error), (treated, other) = arms
    return np.asarray((treated - control) / np.sqrt(error + other))


def every_unit(sets: int, planned: int = 5_000) -> float:
    """How often skewed values without effect are ever significant if one looks after every two units, one of each arm."""
    ever = 0
    n = np.arange(1, LONG // 2 + 1)
    kept = n >= FEWEST
    for seed in range(sets):
        values = np.random.default_rng(seed).exponential(1.0, (2, len(n)))
        means = np.cumsum(values, axis=1) / n
        variances = (np.cumsum(values**2, axis=1) / n - means**2) / np.maximum(n - 1, 1)
        error, difference = variances.sum(axis=0)[kept], (means[1] - means[0])[kept]
        tau = error * 2 * n[kept] * sharpness(planned, LEVEL)
        log_p = np.log1p(tau / error) / 2 - tau * difference**2 / (2 * error * (error + tau))
        ever += bool((log_p < np.log(LEVEL)).any())
    return ever / sets


def planned_looks(sets: int) -> float:
    """How often any of five planned looks is significant."""
    levels = np.array([obrien_fleming(look, LOOKS, LEVEL) for look in range(1, LOOKS + 1)])
    sums = np.cumsum(np.random.default_rng(0).normal(size=(sets, LOOKS)), axis=1)
    return float((np.abs(sums) / np.sqrt(np.arange(1, LOOKS + 1)) > -ndtri(levels / 2)).any(axis=1).mean())


def coverage(sets: int) -> list[list[str]]:
    """How often intervals hold a true effect, and how wide they are with CUPED."""
    truth = true_effects()
    held, width = Counter[str](), Counter[str]()
    names = {"clicks": "mean", "clicks / views": "ratio"}
    for seed in range(sets):
        frame = users(seed, EFFECT)
        for way, options in (("plain", {}), ("CUPED", {"before": BEFORE})):
            for row in analysed(frame, list(names), **options).effects.iter_rows(named=True):
                name = f"{names[row['metric']]}, {way}"
                held[name] += row["low"] <= truth[row["metric"]] <= row["high"]
                width[name] += row["high"] - row["low"]
    return [[name, f"{held[name] / sets:.1%}", f"{width[name] / sets:.4f}"] for name in held]


def true_effects() -> dict[str, float]:
    """The effect on the mean and on the ratio: each view is clicked more often by a constant."""
    views = 1 + 4 * 2.0 * 0.5
    return {"clicks": EFFECT * views, "clicks / views": EFFECT}


PARTS: Final = {
    "Without any effect": (false_alarms, ("test", "p below 0.05", "interval leaves out 0")),
    "Families of tests": (families, ("family", "anything below 0.05")),
    "Peeking": (peeking, ("rule", "ever below 0.05")),
    "With an effect": (coverage, ("interval", "holds the effect", "mean width")),
}


def main(sets: int = SETS) -> None:
    """Print all tables, each as soon as it is there."""
    for title, (made, heading) in PARTS.items():
        sys.stdout.write(sections({title: table(list(heading), made(sets))}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
