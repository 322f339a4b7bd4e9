"""experiment() and plan_experiment(): verdicts, segments, looks, plans, and the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from scipy import stats

import plumbline as pb
from plumbline.truth.experiments.power import Design
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

N = 4_000


def users(effect: float = 0.3, seed: int = 1, arms: tuple[str, ...] = ("A", "B")) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    arm = rng.integers(len(arms), size=N)
    return pl.DataFrame(
        {
            "user": np.arange(N),
            "variant": [arms[one] for one in arm],
            "orders": rng.poisson(2 + effect * (arm == 1)),
            "errors": rng.poisson(1 + effect * (arm == 1)),
            "visits": rng.poisson(5, N),
            "country": rng.choice(["de", "es", "fr", "it"], N),
            "day": [f"2026-03-{one:02d}" for one in np.sort(rng.integers(1, 21, N))],
        }
    )


def test_the_same_table_gives_the_same_digits() -> None:
    """Threads that add up fractions in another order would change the last ones."""
    fractions = users().with_columns(minutes=pl.col("orders") / 7 + pl.col("visits") / 3)
    results = {repr(pb.experiment(fractions, ["orders", "minutes"], by="day").effects.rows()) for _ in range(20)}
    assert len(results) == 1


def test_four_verdicts() -> None:
    result = pb.experiment(users(), ["orders", "errors", "visits"], lower="errors", margin="visits=0.5")
    assert [result.verdict(name) for name in ("orders", "errors", "visits")] == ["better", "worse", "equivalent"]
    assert pb.experiment(users(), "visits").verdict("visits") == "open"
    assert pb.experiment(users(), "visits", margin="0.1%").verdict("visits") == "open"
    assert any("B is a trade-off: better than A by orders, worse by errors." in line for line in result.summary)


def test_an_open_verdict_says_what_it_would_take() -> None:
    result = pb.experiment(users(), "visits", margin=["0.05"])
    assert any("it takes about" in line and "there are 4,000" in line for line in result.summary)


def test_equivalence_is_the_interval_at_twice_the_level() -> None:
    for margin in np.linspace(0.05, 0.4, 12):
        row = pb.experiment(users(), "visits", margin=f"{margin}").effects.row(0, named=True)
        wide = pb.experiment(users(), "visits", level=0.1).effects.row(0, named=True)
        assert (row["verdict"] == "equivalent") == (wide["low"] > -margin and wide["high"] < margin)


def test_several_arms_and_metrics_are_one_family() -> None:
    frame = users(arms=("A", "B", "C"))
    result = pb.experiment(frame, ["orders", "visits"])
    assert result.effects["arm"].to_list() == ["B", "C"] * 2
    p = result.effects["p"].to_numpy()
    expected = stats.false_discovery_control(p)
    corrected = pb.experiment(frame, ["orders", "visits"], correction="benjamini_hochberg").effects["p_corrected"].to_list()
    assert corrected == pytest.approx(expected.tolist())
    holm = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1)).clip(max=1)
    assert sorted(result.effects["p_corrected"].to_list()) == pytest.approx(holm.tolist())
    with pytest.raises(pb.BadUsage, match="arm"):
        result.verdict("orders", "D")


def test_segments_are_cases_of_uir() -> None:
    frame = users()
    result = pb.experiment(frame, ["orders", "errors"], lower="errors", by="country")
    means = dict(frame.group_by("country", "variant"))
    better = worse = 0
    for country in frame["country"].unique():
        gains = [
            (means[country, "B"][name].to_numpy().mean() - means[country, "A"][name].to_numpy().mean()) * sign
            for name, sign in (("orders", 1), ("errors", -1))
        ]
        better += all(gain >= 0 for gain in gains)
        worse += all(gain <= 0 for gain in gains)
    row = result.unanimity.row(0, named=True)
    assert (row["better"], row["worse"], row["segments"]) == (better, worse, 4)
    assert row["uir"] == pytest.approx((better - worse) / 4)
    assert len(result.segments) == 8
    for segment in result.segments.filter(metric="orders").iter_rows(named=True):
        alone = pb.experiment(frame.filter(country=segment["segment"]), "orders", accept_imbalance=True)
        assert segment["p"] == pytest.approx(alone.effects["p"][0])


def test_weightings_do_not_depend_on_the_unit_of_measurement() -> None:
    frame = users()
    cents = frame.with_columns(pl.col("orders") * 100)
    options = {"by": "country", "lower": "errors"}
    one, other = (pb.experiment(some, ["orders", "errors"], **options).unanimity for some in (frame, cents))  # type: ignore[arg-type]
    assert one["weightings"][0] == pytest.approx(other["weightings"][0])
    assert 0 < one["weightings"][0] < 1


def test_looks_add_up_to_the_whole() -> None:
    result = pb.experiment(users(), "orders", peek=True, when="day", planned=N)
    looks = result.sequence
    assert looks["when"].to_list() == sorted(looks["when"].to_list())
    last, total = looks.row(-1, named=True), result.effects.row(0, named=True)
    assert (last["n"], last["low"], last["high"]) == pytest.approx((N, total["low"], total["high"]))
    p = looks["p"].to_list()
    assert p == sorted(p, reverse=True)
    assert p[0] == 1.0  # the first day has too few units to look at


def test_a_planned_look_has_its_own_level() -> None:
    first, last = (pb.experiment(users(), "orders", look=look) for look in ("1/5", "5/5"))
    assert first.made["level"] == pytest.approx(5.1e-6, rel=0.02)
    assert last.made["level"] == pytest.approx(0.0413, abs=2e-4)
    widths = [one.effects["high"][0] - one.effects["low"][0] for one in (first, last)]
    assert widths[0] > 2 * widths[1]


def test_a_metric_that_does_not_vary_has_no_p() -> None:
    row = pb.experiment(users().with_columns(pl.lit(1.0).alias("same")), "same").effects.row(0, named=True)
    assert (row["p"], row["verdict"]) == (None, "open")
    assert row["reason"] == "no unit of either arm differs from the others"


def test_metrics_are_all_columns_of_numbers() -> None:
    frame = users().with_columns(pl.col("orders").alias("orders_before"))
    assert pb.experiment(frame).effects["metric"].to_list() == ["orders", "errors", "visits"]


def test_missing_values_of_a_ratio_leave_out_the_whole_unit() -> None:
    frame = users().with_columns(pl.when(pl.col("user") % 7 > 0).then("visits").alias("visits"))
    row = pb.experiment(frame, "r = orders / visits").effects.row(0, named=True)
    kept = pb.experiment(frame.drop_nulls(), "r = orders / visits", accept_imbalance=True).effects.row(0, named=True)
    assert row["p"] == pytest.approx(kept["p"], rel=1e-9)
    assert row["n"] == kept["n"]


@pytest.mark.parametrize(("baseline", "deviation", "detect"), [(0.2, None, 0.02), (10.0, 4.0, 0.3), (0.97, None, 0.02)])
def test_plans_agree_with_themselves(baseline: float, deviation: float | None, detect: float) -> None:
    plan = pb.plan_experiment(baseline=baseline, deviation=deviation, detect=detect, power=0.9)
    again = pb.plan_experiment(baseline=baseline, deviation=deviation, units=plan.units, power=0.9)
    assert again.change == pytest.approx(detect, rel=1e-3)
    power = pb.plan_experiment(baseline=baseline, deviation=deviation, units=plan.units, detect=detect).power
    assert power == pytest.approx(0.9, abs=1e-3)


def test_power_is_what_simulated_experiments_have() -> None:
    design = Design(0.3, None, shares=(0.75, 0.25))
    sizes = design.arm_units(0.05, 0.8)
    rng = np.random.default_rng(0)
    shares = [rng.binomial(size, share, 20_000) / size for size, share in zip(sizes, (0.3, 0.35), strict=True)]
    pooled = (shares[0] * sizes[0] + shares[1] * sizes[1]) / sum(sizes)
    z = (shares[1] - shares[0]) / np.sqrt(pooled * (1 - pooled) * (1 / sizes[0] + 1 / sizes[1]))
    assert (np.abs(z) > 1.96).mean() == pytest.approx(0.8, abs=0.03)


def test_clusters_and_arms_take_more_units() -> None:
    plain = pb.plan_experiment(baseline=0.2, detect=0.02).units
    clustered = pb.plan_experiment(baseline=0.2, detect=0.02, cluster_size=11, icc=0.05)
    assert clustered.units == pytest.approx(plain * 1.5, rel=1e-3)
    assert "clusters in all" in clustered.summary[-1]
    assert min(pb.plan_experiment(baseline=0.2, detect=0.02, arms=3).arm_units) > plain / 2


def test_a_plan_from_a_table(tmp_path: Path) -> None:
    frame = users(0)
    path = tmp_path / "past.csv"
    frame.write_csv(path)
    ran = plumbline("experiment", "plan", str(path), "-m", "r = orders / visits", "--detect", "5%", "--format", "json")
    made = json.loads(ran.out)
    orders, visits = (frame[name].to_numpy().astype(float) for name in ("orders", "visits"))
    ratio = orders.sum() / visits.sum()
    rest = (orders - ratio * visits) / visits.mean()
    assert made["made"]["baseline"] == pytest.approx(ratio)
    assert made["made"]["deviation"] == pytest.approx(rest.std(ddof=1))
    assert made["arm_units"][0] == pytest.approx(
        2 * rest.var(ddof=1) * (1.959964 + 0.841621) ** 2 / (0.05 * ratio) ** 2, rel=1e-3
    )


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    users().write_csv(path)
    ran = plumbline("experiment", str(path), "-m", "orders", "--by", "country", "--show", "segments")
    assert ran.code == 0
    assert "B is better than A by orders" in ran.out
    assert "UIR +1.00" in ran.out
    for words, text in (
        (("plan", "--by", "x", "--baseline", "0.2"), "does not go with plan"),
        ((str(path), "--detect", "1"), "goes with plan"),
        ((str(path), str(path)), "one table of units"),
        (("plan", "-m", "a", "-m", "b"), "one metric"),
    ):
        refused = plumbline("experiment", *words)
        assert (refused.code, text in refused.err) == (2, True)


def test_only_quantiles() -> None:
    result = pb.experiment(users(), ["p90(visits)"])
    assert result.effects.select("n", "n_control").row(0) == tuple(result.arms["n"].to_list()[::-1])


def test_what_was_shown_once_stays_shown() -> None:
    frame = users(0.0).with_columns(
        pl.when((pl.col("variant") == "B") & (pl.col("day") < "2026-03-11"))
        .then(pl.col("orders") + 1)
        .otherwise("orders")
        .alias("orders")
    )
    later = frame.with_columns(
        pl.when((pl.col("variant") == "B") & (pl.col("day") >= "2026-03-11"))
        .then(pl.col("orders") - 1)
        .otherwise("orders")
        .alias("orders")
    )
    result = pb.experiment(later, "orders", peek=True, when="day", planned=N)
    assert result.effects["p"][0] == result.sequence["p"].min()
    assert pb.experiment(later, "orders", peek=True, planned=N).effects["p"][0] > result.effects["p"][0]


def test_a_saved_experiment_has_a_page_with_its_figures(tmp_path: Path) -> None:
    saved, page = tmp_path / "shop.parquet", tmp_path / "shop.html"
    result = pb.experiment(users(), ["orders", "visits"], by="country", peek=True, when="day")
    result.save(saved)
    loaded = pb.load(saved)
    assert isinstance(loaded, pb.Experiment)
    assert loaded.summary == result.summary
    assert loaded.sequence.equals(result.sequence)
    assert plumbline("report", str(saved), "-o", str(page)).code == 0
    text = page.read_text(encoding="utf-8")
    assert "B is better than A by orders" in text
    assert "What did the variants change?" in text
    assert "What each look at the experiment showed" in text


def test_looks_that_nobody_took_cannot_be_drawn() -> None:
    with pytest.raises(pb.BadUsage, match="one look only"):
        pb.experiment(users(), "orders").plot.looks()
