"""Every effect a second time: unit by unit, by scipy and by statsmodels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats import proportion  # type: ignore[import-untyped]

import plumbline as pb
from plumbline.truth.experiments.quantiles import draws
from tests.helpers.experiment_oracles import Arm, cuped, drawn_quantiles, sequential_p

N = 600


def users(seed: int, effect: float = 0.0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    treated = rng.random(N) < 0.5
    habit = rng.gamma(2.0, 1.0, N)
    views = 1 + rng.poisson(3 * habit)
    return pl.DataFrame(
        {
            "user": np.arange(N),
            "variant": np.where(treated, "B", "A"),
            "views": views,
            "clicks": rng.binomial(views, 0.2 + effect * treated),
            "views_before": 1 + rng.poisson(3 * habit),
            "clicks_before": rng.poisson(0.6 * habit),
            "seconds": rng.lognormal(3, 1, N) * (1 + effect * treated),
            "bought": rng.random(N) < 0.3 + effect * treated,
            "country": rng.choice(["de", "es", "fr"], N),
        }
    )


def arms(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    return frame.filter(variant="A"), frame.filter(variant="B")


@pytest.mark.parametrize("seed", range(5))
def test_means_are_those_of_welch(seed: int) -> None:
    frame = users(seed, 0.05)
    control, arm = arms(frame)
    row = pb.experiment(frame, "seconds").effects.row(0, named=True)
    test = stats.ttest_ind(arm["seconds"], control["seconds"], equal_var=False)
    assert (row["statistic"], row["p"]) == pytest.approx((test.statistic, test.pvalue), rel=1e-10)
    ends = test.confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_shares_are_those_of_statsmodels(seed: int) -> None:
    frame = users(seed, 0.05)
    control, arm = arms(frame)
    counts, sizes = [arm["bought"].sum(), control["bought"].sum()], [len(arm), len(control)]
    z, p = proportion.proportions_ztest(counts, sizes)
    row = pb.experiment(frame, "bought").effects.row(0, named=True)
    assert (row["statistic"], row["p"]) == pytest.approx((z, p), rel=1e-10)
    for form, method in (("newcombe", "newcomb"), ("wald", "wald")):
        low, high = proportion.confint_proportions_2indep(counts[0], sizes[0], counts[1], sizes[1], method=method)
        row = pb.experiment(frame, "bought", proportions=form).effects.row(0, named=True)  # type: ignore[arg-type]
        assert (row["low"], row["high"]) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_ratios_and_cuped_unit_by_unit(seed: int) -> None:
    frame = users(seed, 0.03)
    made = [
        Arm(*(one[name].to_numpy().astype(float) for name in ("clicks", "views", "clicks_before", "views_before")))
        for one in arms(frame)
    ]
    row = pb.experiment(frame, "ctr = clicks / views", before="clicks_before / views_before").effects.row(0, named=True)
    assert (row["difference"], row["statistic"]) == pytest.approx(cuped(*made), rel=1e-9)
    ones = [Arm(one.numerator, np.ones(len(one.numerator)), one.before, np.ones(len(one.before))) for one in made]
    row = pb.experiment(frame, "clicks", before="clicks_before").effects.row(0, named=True)
    assert (row["difference"], row["statistic"]) == pytest.approx(cuped(*ones), rel=1e-9)
    assert row["narrower"] > 0


def test_quantiles_are_drawn_as_if_units_were() -> None:
    values = np.random.default_rng(3).lognormal(0, 1, 41)
    for share in (0.5, 0.9):
        fast = draws(np.sort(values), share, 40_000, np.random.default_rng(1))
        slow = drawn_quantiles(values, share, 40_000, seed=2)
        for value in np.quantile(values, [0.4, 0.5, 0.6, 0.85, 0.9, 0.95]):
            assert (fast <= value).mean() == pytest.approx((slow <= value).mean(), abs=0.015)
    row = pb.experiment(users(1, 0.6), "median(seconds)").effects.row(0, named=True)
    assert row["verdict"] == "better"
    assert row["low"] < row["difference"] < row["high"]


def test_sequential_p_is_one_over_the_averaged_likelihood_ratio() -> None:
    frame = users(2, 0.3)
    control, arm = (one["seconds"].to_numpy() for one in arms(frame))
    row = pb.experiment(frame, "seconds", peek=True, mixture=2.0).effects.row(0, named=True)
    assert row["p"] == pytest.approx(sequential_p(control, arm, 2.0), rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_an_always_valid_interval_leaves_out_0_if_its_p_is_below_the_level(seed: int) -> None:
    row = pb.experiment(users(seed, 0.25), "seconds", peek=True, planned=600).effects.row(0, named=True)
    assert (row["p"] < 0.05) == (row["low"] > 0 or row["high"] < 0)


def test_counted_sums_say_the_same_as_their_units() -> None:
    frame = users(4, 0.05)
    quantities = ["clicks", "views", "clicks_before", "views_before"]
    numbers = frame.with_columns(pl.col(quantities).cast(pl.Float64), pl.col("bought").cast(pl.Float64))
    sums = numbers.group_by("variant", "country").agg(
        pl.len().alias("n"),
        pl.col("bought").sum().alias("bought_sum"),
        *(pl.col(name).sum().alias(f"{name}_sum") for name in quantities),
        *((pl.col(name) ** 2).sum().alias(f"{name}_sum_of_squares") for name in quantities),
        *(
            (pl.col(a) * pl.col(b)).sum().alias(f"{a}_{b}_sum_of_products")
            for at, a in enumerate(quantities)
            for b in quantities[at + 1 :]
        ),
    )
    asked = (["bought", "clicks", "ctr = clicks / views"], {"before": ["ctr=clicks_before / views_before"], "by": ["country"]})
    units, counted = (pb.experiment(one, asked[0], **asked[1]) for one in (frame, sums))  # type: ignore[arg-type]
    for name in ("effects", "segments", "unanimity"):
        mine, other = getattr(units, name), getattr(counted, name)
        assert mine.columns == other.columns
        for column in mine.columns:
            if mine[column].dtype == pl.Float64:
                values = (one[column].fill_null(-1.0).to_list() for one in (mine, other))
                assert next(values) == pytest.approx(next(values), rel=1e-8), (name, column)
            else:
                assert mine[column].to_list() == other[column].to_list()
    assert [notice.code for notice in counted.notices] == ["N510"]


def test_one_sum_needs_no_name() -> None:
    table = {"variant": ["A", "B"], "n": [1000, 1000], "sum": [100, 150]}
    row = pb.experiment(table).effects.row(0, named=True)
    z, p = proportion.proportions_ztest([150, 100], [1000, 1000])
    assert (row["metric"], row["statistic"], row["p"]) == ("value", pytest.approx(z), pytest.approx(p))
    long = {"variant": ["A", "A", "B", "B"], "metric": ["x", "y"] * 2, "n": [1000] * 4, "sum": [100, 5, 150, 9]}
    assert pb.experiment(long).effects["metric"].to_list() == ["x", "y"]


def test_fieller_is_the_interval_of_ratios_that_a_t_test_does_not_refuse() -> None:
    frame = users(6, 0.1)
    control, arm = (one["seconds"].to_numpy() for one in arms(frame))
    row = pb.experiment(frame, "seconds", relative="fieller").effects.row(0, named=True)
    for end in (row["relative_low"], row["relative_high"]):
        scaled = control * (1 + end)
        error = np.sqrt(arm.var(ddof=1) / len(arm) + scaled.var(ddof=1) / len(scaled))
        assert abs(arm.mean() - scaled.mean()) / error == pytest.approx(1.964, abs=0.002)


def test_values_far_from_0_keep_their_digits() -> None:
    frame = users(7).with_columns(pl.col("seconds") + 1e9)
    control, arm = arms(frame)
    row = pb.experiment(frame, "seconds").effects.row(0, named=True)
    test = stats.ttest_ind(arm["seconds"], control["seconds"], equal_var=False)
    assert row["p"] == pytest.approx(test.pvalue, rel=1e-6)


def test_pairs_are_those_of_a_paired_t_test() -> None:
    rng = np.random.default_rng(5)
    days = np.repeat(np.arange(14), 2)
    frame = pl.DataFrame({"day": days, "variant": ["A", "B"] * 14, "rate": rng.normal(days / 10, 0.1) + np.tile([0, 0.1], 14)})
    row = pb.experiment(frame, "rate", paired="day").effects.row(0, named=True)
    control, arm = (one["rate"].to_numpy() for one in arms(frame))
    test = stats.ttest_rel(arm, control)
    assert (row["statistic"], row["p"]) == pytest.approx((test.statistic, test.pvalue))
    assert pb.experiment(frame, "rate").effects["p"][0] > 3 * row["p"]
