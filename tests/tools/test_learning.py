"""Learning curves: known curves are found again, crossings by a second search, and nothing is promised beyond the data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
import pytest
from scipy import optimize

import plumbline
from plumbline.errors import PlumblineError
from plumbline.tools.learning_fit import Curves, crossings, fitted
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

SIZES = np.array([50.0, 100.0, 200.0, 400.0, 800.0])
SIZED: Final[dict[str, Any]] = {"sizes": "labels", "runs": "fold"}


def one(limit: float, gap: float, speed: float) -> Curves:
    return Curves(*(np.array(value) for value in (limit, gap, speed)))


def table(noise: float = 0.01, folds: int = 8, **learners: tuple[float, float, float]) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (name, int(n), fold, float(limit - gap * n**-speed + noise * rng.normal()))
        for name, (limit, gap, speed) in learners.items()
        for n in SIZES
        for fold in range(folds)
    ]
    return pl.DataFrame(rows, schema=["system", "labels", "fold", "Accuracy"], orient="row")


@pytest.mark.parametrize(("limit", "gap", "speed"), [(0.9, 1.0, 0.5), (0.8, 3.0, 0.9), (0.95, 0.8, 0.3)])
def test_a_known_curve_is_found_again(limit: float, gap: float, speed: float) -> None:
    curve = fitted(SIZES, one(limit, gap, speed).at(SIZES), np.ones(len(SIZES)))
    assert curve.at(2 * SIZES) == pytest.approx(one(limit, gap, speed).at(2 * SIZES), abs=2e-3)
    assert float(curve.limit) == pytest.approx(limit, abs=0.01)


def test_the_fit_is_that_of_scipy() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        scores = one(0.9, 1.5, 0.5).at(SIZES) + 0.01 * rng.normal(size=len(SIZES))
        ours = fitted(SIZES, scores, np.ones(len(SIZES)))
        theirs, _ = optimize.curve_fit(
            lambda n, limit, gap, speed: limit - gap * n**-speed,
            SIZES,
            scores,
            p0=(0.9, 1.0, 0.5),
            bounds=([-9, 0, 0.02], [9, 99, 3]),
            max_nfev=20_000,
        )
        squares = [float(((curve.at(SIZES) - scores) ** 2).sum()) for curve in (ours, one(*theirs))]
        assert squares[0] <= squares[1] * 1.02 + 1e-9


def test_curves_never_fall_and_never_exceed_what_is_possible() -> None:
    falling = fitted(SIZES, np.array([0.9, 0.8, 0.7, 0.6, 0.5]), np.ones(5))
    assert float(falling.gap) == 0
    assert float(falling.limit) == pytest.approx(0.7)
    steep = fitted(SIZES, np.array([0.5, 0.6, 0.7, 0.8, 0.9]), np.ones(5), highest=1.0)
    assert float(steep.limit) <= 1.0


def test_crossings_by_bisection() -> None:
    a, b = one(0.95, 3.0, 0.5), one(0.85, 1.0, 0.5)
    size = float(crossings(a, b, 50.0, 8000.0))
    root = optimize.brentq(lambda n: float((a.at(np.array([n])) - b.at(np.array([n])))[0]), 50.0, 8000.0)
    assert size == pytest.approx(root, rel=1e-4)
    assert size == pytest.approx(400, rel=1e-3)
    assert np.isnan(crossings(b, a, 50.0, 8000.0))


def test_a_target() -> None:
    curve = one(0.9, 1.0, 0.5)
    assert float(curve.needed(0.8)) == pytest.approx(100)
    assert float(curve.needed(0.95)) == np.inf
    assert float(curve.needed(-0.5)) == 0


def test_who_overtakes_whom_and_after_how_many_more_labels() -> None:
    result = plumbline.learning(table(slow=(0.95, 5.0, 0.5), fast=(0.85, 1.0, 0.5)), sizes="labels", runs="fold")
    row = result.crossings.row(0, named=True)
    assert (row["a"], row["b"], result.crossings.height) == ("slow", "fast", 1)
    assert row["low"] < 1600 < row["high"], "the truth"
    assert row["more"] == pytest.approx(row["size"] - 800)
    assert row["share"] > 0.9
    assert "more labels" in result.summary[0]


def test_a_crossing_among_the_sizes() -> None:
    result = plumbline.learning(table(slow=(0.95, 2.0, 0.5), fast=(0.85, 1.0, 0.5)), sizes="labels", runs="fold")
    row = result.crossings.row(0, named=True)
    assert (row["a"], row["more"]) == ("slow", 0)
    assert row["size"] == pytest.approx(100, rel=0.2)
    assert "is ahead of fast" in result.summary[0]


def test_what_the_data_do_not_tell_is_not_promised() -> None:
    result = plumbline.learning(table(worse=(0.7, 1.0, 0.5), better=(0.9, 1.0, 0.5)), sizes="labels", runs="fold")
    assert result.crossings.select("a", "size").rows() == [("worse", None)]
    assert "cannot be told from these data" in result.summary[0]


def test_errors_are_better_when_lower() -> None:
    frame = table(slow=(0.95, 5.0, 0.5), fast=(0.85, 1.0, 0.5)).with_columns(error=1 - pl.col("Accuracy"))
    scores = plumbline.learning(frame.drop("error"), sizes="labels", runs="fold")
    errors = plumbline.learning(frame.drop("Accuracy"), sizes="labels", runs="fold", lower="error")
    assert errors.crossings["size"].to_list() == pytest.approx(scores.crossings["size"].to_list(), rel=1e-6)
    assert errors.curves["limit"].to_list() == pytest.approx((1 - scores.curves["limit"]).to_list())


@pytest.mark.parametrize(
    ("column", "code"), [("few", "E498"), ("name", "E497"), ("none", "E396 no column 'none' for the number of labels")]
)
def test_what_has_no_curve_is_refused(column: str, code: str) -> None:
    frame = table(a=(0.9, 1.0, 0.5)).with_columns(few=pl.col("labels") > 100, name=pl.concat_str(pl.lit("n"), "labels"))
    frame = frame.select("system", column, "fold", "Accuracy") if column in frame.columns else frame
    if column == "few":
        frame = frame.with_columns(pl.col("few").cast(pl.Int64) + 1).unique(["system", "few", "fold"], maintain_order=True)
    with pytest.raises(PlumblineError, match=code):
        plumbline.learning(frame, sizes=column, runs="fold")


def test_the_program_draws(tmp_path: Path) -> None:
    table(slow=(0.95, 5.0, 0.5), fast=(0.85, 1.0, 0.5)).write_csv(tmp_path / "scores.csv")
    given = ("--sizes", "labels", "--runs", "fold", "--target", "0.9", "--plot", tmp_path / "curves.svg")
    ended = program("learning", tmp_path / "scores.csv", *given)
    assert (ended.code, "labels for 0.9" in ended.out) == (0, True), ended.err
    assert "<svg" in (tmp_path / "curves.svg").read_text()


def test_a_size_without_a_score_is_left_out_of_the_curve() -> None:
    complete = table(noise=0.0, a=(0.9, 1.0, 0.5), b=(0.8, 2.0, 0.7))
    gone = pl.col("labels").is_in([200, 800]) & (pl.col("system") == "b")
    curves, partly = plumbline.learning(complete, **SIZED).curves, plumbline.learning(complete.filter(~gone), **SIZED)
    assert partly.curves["limit"].to_list() == pytest.approx(curves["limit"].to_list(), abs=1e-3)
    assert partly.curves["limit_high"][0] <= 1  # a mean that is missing does not make shares anything else
    assert "n/a" in str(partly)
    assert "nan" not in str(partly)


def test_with_too_few_sizes_there_is_no_curve() -> None:
    complete = table(a=(0.9, 1.0, 0.5), b=(0.8, 2.0, 0.7), c=(0.8, 2.0, 0.6))
    result = plumbline.learning(complete.filter((pl.col("labels") < 200) | (pl.col("system") != "b")), target=0.85, **SIZED)
    row = result.curves.row(1, named=True)
    assert {name for name, value in row.items() if value is None} == set(row) - {"system", "metric"}
    assert result.lines.filter(pl.col("system") == "b")["value"].is_null().all()
    assert not result.crossings.filter((pl.col("a") == "b") | (pl.col("b") == "b")).height
    assert next(str(one) for one in result.notices if one.code == "N484").startswith("N484 no curve for b: fewer than 3 sizes")
    assert result.curves["limit"].drop_nulls().len() == 2


@pytest.mark.parametrize("score", ["1e300", "-1e300", "1e200"])
def test_a_very_large_score_spoils_no_other_curve(score: str) -> None:
    complete = table(a=(0.9, 1.0, 0.5), b=(0.8, 2.0, 0.7))
    odd = (pl.col("system") == "a") & (pl.col("labels") == 100)
    result = plumbline.learning(
        complete.with_columns(pl.when(odd).then(float(score)).otherwise("Accuracy").alias("Accuracy")), **SIZED
    )
    assert result.curves.row(1, named=True)["limit"] == pytest.approx(0.8, abs=0.05)
    assert not re.search(r"\b(nan|inf)\b", str(result))


@pytest.mark.parametrize("size", ["inf", "1e308", "0", "-3", "nan"])
def test_a_size_that_no_training_set_has_is_refused(size: str) -> None:
    frame = table(a=(0.9, 1.0, 0.5)).with_columns(pl.col("labels").cast(pl.String).replace("100", size))
    with pytest.raises(PlumblineError, match="E497"):
        plumbline.learning(frame, **SIZED)


def test_the_curve_of_some_sizes_is_scipys() -> None:
    """The same least squares, searched over all three numbers, where some scores are missing."""
    scores = np.array([0.31, np.nan, 0.62, 0.73, np.nan, 0.84])
    sizes, weights = np.array([50.0, 100, 200, 400, 800, 1600]), np.array([5.0, 5, 4, 3, 2, 5])
    curve, known = fitted(sizes, scores[None], weights), ~np.isnan(scores)

    def miss(curve: Curves) -> float:
        return float((((curve.at(sizes[known]).ravel() - scores[known]) ** 2) * weights[known]).sum())

    start = np.array([float(curve.limit[0]), float(curve.gap[0]), float(curve.speed[0])])
    best = optimize.minimize(
        lambda given: miss(one(*given)), start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14}
    )
    assert miss(curve) == pytest.approx(best.fun, abs=1e-5)
    assert curve.limit[0] == pytest.approx(best.x[0], abs=0.02)
