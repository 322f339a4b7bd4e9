"""The curves of prediction: their points are found again by counting pairs, threshold by threshold."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline as library
from plumbline.errors import BadUsage
from plumbline.figures.kinds.prediction import drawn_points
from plumbline.figures.subject import subject_of
from tests.helpers.command_line import plumbline
from tests.helpers.figure_subjects import CASES, data, named, spec, table

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMS = named(5)
SEEDS = {"banks": 1, "cars": 2}
TABLES = {name: table(SYSTEMS, seed=seed) for name, seed in SEEDS.items()}
Pairs = dict[tuple[str, str], float]


def values(frame: pl.DataFrame) -> dict[tuple[str, str, str], float]:
    """Values by system, case and metric."""
    return {(system, case, metric): value for system, case, metric, value in frame.iter_rows()}


def f_differences(frame: pl.DataFrame) -> Pairs:
    """The mean of F of one system minus that of the other."""
    of = values(frame)
    f = {system: fmean(2 / (1 / of[system, case, "P"] + 1 / of[system, case, "R"]) for case in CASES) for system in SYSTEMS}
    return {(a, b): f[a] - f[b] for a, b in permutations(SYSTEMS, 2)}


def uir(frame: pl.DataFrame) -> Pairs:
    """Cases in which both metrics agree on one system, minus those in which they agree on the other."""
    of, result = values(frame), {}
    for a, b in permutations(SYSTEMS, 2):
        apart = [[of[a, case, metric] - of[b, case, metric] for metric in "PR"] for case in CASES]
        result[a, b] = sum((min(one) >= 0) - (max(one) <= 0) for one in apart) / len(CASES)
    return result


def points(strength: Pairs, holding: set[tuple[str, str]]) -> list[tuple[float, float, int]]:
    """Recall, precision and the number of accepted pairs for every threshold, the strictest first."""
    results = []
    for least in sorted({round(value, 9) for value in strength.values()}, reverse=True):
        accepted = {pair for pair, value in strength.items() if round(value, 9) >= least}
        right = len(accepted & holding)
        results.append((right / len(holding), right / len(accepted), len(accepted)))
    return results


def test_its_lines_are_the_precision_and_recall_of_all_thresholds() -> None:
    differences = [f_differences(frame) for frame in TABLES.values()]
    holding = {pair for pair in differences[0] if all(each[pair] > 0 for each in differences)}
    assert 0 < len(holding) < 10
    chart = spec("prediction", subject_of(library.elsewhere(TABLES)))
    assert len(chart["hconcat"]) == 2
    for name, panel in zip(TABLES, chart["hconcat"], strict=True):
        assert panel["encoding"]["x"]["title"] == f"recall, from {name}"
        rows = sorted(chart["datasets"][panel["data"]["name"]], key=lambda row: row["order"])
        for predictor, strength in (("F difference", f_differences(TABLES[name])), ("UIR", uir(TABLES[name]))):
            drawn = [row for row in rows if row["predictor"] == predictor]
            expected = points(strength, holding)
            assert [row["accepted"] for row in drawn] == [accepted for *_, accepted in expected]
            assert [(row["recall"], row["precision"]) for row in drawn] == [pytest.approx(one[:2]) for one in expected]
        assert {row["predictor"] for row in rows} == {"F difference", "UIR", "parametric UIR"}


def test_halves_of_scores_are_drawn_as_elsewhere_tells_them() -> None:
    halves = library.elsewhere(TABLES["banks"], splits=20)
    rows = data(spec("prediction", subject_of(halves)), "recall")
    by_predictor = {row["predictor"]: row for row in halves.predictors.iter_rows(named=True)}
    assert len(rows) == 30
    for row in rows:
        assert row["precision"] == by_predictor[row["predictor"]][f"at_{row['recall']:g}"]
    assert data(spec("prediction", subject_of(TABLES["banks"])), "recall") == rows


def test_long_curves_are_drawn_by_fewer_points_and_both_ends() -> None:
    assert drawn_points(7) == list(range(7))
    some = drawn_points(100_000)
    assert len(some) <= 400
    assert some[:5] == [0, 1, 2, 3, 4]
    assert some[-1] == 99_999


def test_what_cannot_be_drawn_says_why() -> None:
    turned = TABLES["banks"].with_columns(value=1 - pl.col("value"))
    opposite = library.elsewhere({"one": TABLES["banks"], "other": turned}, ["P"])
    with pytest.raises(BadUsage, match="E341 prediction cannot be drawn: no pair of systems has the same winner"):
        opposite.plot.prediction()
    with pytest.raises(BadUsage, match="E341 prediction cannot be drawn: it shows the metrics and systems"):
        library.elsewhere(TABLES).plot.prediction(metrics=["P"])


def test_the_command_draws_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, frame in TABLES.items():
        frame.write_csv(f"{name}.csv")
    ended = plumbline("elsewhere", "banks.csv", "cars.csv", "--plot", "curves.svg", "-o", "both.parquet")
    assert (ended.code, ended.out) == (0, "")
    text = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "recall, from cars" in text
    saved = library.load("both.parquet")
    assert isinstance(saved, library.Elsewhere)
    assert saved.curves.equals(library.elsewhere(TABLES).curves)
    again = plumbline("elsewhere", "banks.csv", "--plot", "curves.svg")
    assert (again.code, again.out) == (2, ""), "a file is not overwritten, which is said before the work"
    assert plumbline("elsewhere", "banks.csv", "--splits", "5", "--plot", "curves.svg", "--force").code == 0
