"""What is said about tables and requests that cannot be analysed, and about those that should not be trusted."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

UNITS: dict[str, list[Any]] = {
    "user": list(range(40)),
    "variant": ["A", "B"] * 20,
    "orders": [0, 1, 2, 3, 1, 2, 0, 4] * 5,
    "views": [3, 4, 5, 6, 4, 5, 3, 7] * 5,
    "day": [f"2026-03-{1 + place // 8:02d}" for place in range(40)],
}


def units(**columns: list[Any]) -> dict[str, list[Any]]:
    return {**UNITS, **columns}


@pytest.mark.parametrize(
    ("table", "metrics", "options", "code", "text"),
    [
        (UNITS, "order", {}, "E500", "did you mean orders?"),
        (UNITS, "ctr = clicks / views", {}, "E500", "no column 'clicks'"),
        (UNITS, "quantile(orders, 0)", {}, "E500", "no column"),
        ({"x": [1, 2]}, None, {}, "E501", "no column is called variant"),
        ({"variant": [], "x": []}, None, {}, "E502", "no row"),
        (units(variant=["A"] * 40), "orders", {}, "E504", "variant has 1 arm: A"),
        (
            units(
                variant=list(map(str, range(2000))),
                user=list(range(2000)),
                orders=[1] * 2000,
                views=[1] * 2000,
                day=["x"] * 2000,
            ),
            "orders",
            {},
            "E504",
            "do not look like arms",
        ),
        (UNITS, "orders", {"control": "C"}, "E505", "no unit is in arm 'C'"),
        (UNITS, "orders", {"share": "A=1,C=1"}, "E505", "no unit is in arm 'C'"),
        (UNITS, "orders", {"share": "50:25:25"}, "E506", "do not fit the arms A, B"),
        (UNITS, "orders", {"share": "1:x"}, "E506", "do not fit"),
        (UNITS, "orders", {"share": "A=1"}, "E506", "do not fit"),
        (units(user=[0, 0, *range(2, 40)]), "orders", {}, "E507", "unit 0 is in A and in B"),
        (units(user=[0, 1, 0, *range(3, 40)]), "orders", {}, "E508", "unit 0 has 2 rows"),
        (units(orders=["1", "two", *["3"] * 38]), "orders", {}, "E509", "orders: 'two' is not a finite number"),
        (units(orders=[1.0, float("inf"), *[3.0] * 38]), "orders", {}, "E509", "'inf' is not a finite number"),
        (units(orders=[1e200, -1e200, *[3.0] * 38]), "orders", {}, "E524", "too large"),
        (units(orders=[[1]] * 40), "orders", {}, "E510", "not numbers"),
        ({"variant": ["A", "B"], "name": ["x", "y"]}, None, {}, "E511", "metrics=COLUMN says which cell is not a number"),
        (UNITS, "orders", {"lower": "views"}, "E512", "no metric 'views'"),
        (UNITS, "orders", {"margin": "views=1"}, "E512", "no metric 'views'"),
        (UNITS, ["orders", "views"], {"before": "user"}, "E513", "which metric does user predict?"),
        (UNITS, "orders / views", {"before": "user"}, "E514", "orders / views is a ratio, and user is not"),
        (UNITS, "median(orders)", {"before": "user"}, "E515", "median(orders) is a quantile"),
        (UNITS, "median(orders)", {"peek": True}, "E515", "is a quantile"),
        (units(orders=[None, 1] * 20), "orders", {}, "E516", "orders is undefined in arm A: no unit has a value"),
        (units(views=[0, 1] * 20), "r = orders / views", {}, "E516", "views is 0 in all units together"),
        (UNITS, "orders", {"look": "6/5"}, "E517", "look '6/5'"),
        (UNITS, "orders", {"look": "1/2", "peek": True}, "E518", "looks are either planned or not"),
        (UNITS, "orders", {"paired": "day", "by": "day"}, "E518", "cannot go together"),
        ({"variant": ["A", "B"], "n": [5, 5], "x_sum": [7, 3]}, None, {}, "E519", "x has no sum of squares"),
        ({"variant": ["A", "B"], "n": [5, 5], "x_sum": [7, 3], "x_sum_of_squares": [1, 9]}, None, {}, "E519", "smaller"),
        ({"variant": ["A", "B"], "n": [5, 0], "x_sum": [2, 3]}, None, {}, "E519", "whole numbers above 0"),
        ({"variant": ["A", "B"], "n": [5, 5], "x_sum": [2, "?"]}, None, {}, "E519", "cells that are not numbers"),
        ({"variant": ["A", "B"], "n": [5, 5], "x_sum": [2]}, None, {}, "E309", "columns of the same length"),
        ({"variant": ["A", "B"], "n": [5, 5], "x_sum": [2, 3], "y_sum": [4, 4]}, "x / y", {}, "E519", "x_y_sum_of_products"),
        (units(day=["d"] * 40), "orders", {"paired": "day"}, "E520", "both arms share 1 value of day"),
        (UNITS, "orders", {"mixture": 0.1}, None, "changes nothing without"),
        (UNITS, "orders", {"margin": "0"}, None, "margin"),
        (3, "orders", {}, "E309", "cannot read a int"),
    ],
)
def test_refused(table: Any, metrics: Any, options: dict[str, Any], code: str | None, text: str) -> None:
    with pytest.raises(pb.PlumblineError) as raised:
        pb.experiment(table, metrics, **options)
    assert text in str(raised.value)
    assert code is None or raised.value.code == code


@pytest.mark.parametrize(
    ("table", "options", "code", "text"),
    [
        (units(variant=[None, *["A", "B"] * 19, "A"]), {}, "N501", "1 row without an arm"),
        (units(orders=[None, *[1, 2, 3] * 13]), {}, "N502", "1 of 40 units without a value of orders"),
        (units(views=[1, 9] * 20), {"before": "views"}, None, ""),
        (units(views=[1 + place % 3 + 9 * (place % 2) for place in range(40)]), {"before": "views"}, "N503", "differs between"),
        (UNITS, {"when": "day"}, "N504", "still running: 8 units came at 2026-03-05, the last of 5"),
        (units(when=UNITS["day"]), {}, "N504", "still running: 8 units came at 2026-03-05, the last of 5"),
        (UNITS, {"planned": 100}, "N504", "40 of 100 planned units"),
        (units(user=[0, 0, *range(2, 40)]), {"on_duplicate": "drop"}, "N505", "1 unit in two arms, left out"),
        ({name: values for name, values in UNITS.items() if name != "user"}, {}, "N506", "every row counts as one"),
        (UNITS, {"by": "day"}, "N507", "5 segments with fewer than 30 units"),
        (units(variant=["x", "y"] * 20), {}, "N508", "x is taken as the control"),
        (UNITS, {"peek": True}, "N509", "tightest at 5,000 units"),
        (units(day=["d", *UNITS["day"][1:]]), {"paired": "day"}, "N511", "1 value of day with units of one arm only"),
        (units(orders_before=[1, 2] * 20), {}, "N512", "orders_before could make intervals narrower"),
    ],
)
def test_said(table: dict[str, list[Any]], options: dict[str, Any], code: str | None, text: str) -> None:
    result = pb.experiment(table, "orders", **options)
    assert code is None or any(notice.code == code and text in notice.text for notice in result.notices)


def test_moments_that_nobody_named_are_no_days() -> None:
    ended = [f"2026-03-{min(1 + place // 13, 3):02d}" for place in range(39)] + ["2026-03-04"]
    for when in (ended, [f"2026-03-01 {place:02d}:00" for place in range(2)] * 20):
        assert "N504" not in {notice.code for notice in pb.experiment(units(when=when), "orders").notices}


def test_a_covariate_that_tells_nothing_makes_intervals_hardly_narrower() -> None:
    every = list(product("AB", [1, 2, 3], [1, 2]))
    table = {name: list(values) for name, values in zip(("variant", "orders", "views"), zip(*every, strict=True), strict=True)}
    text = " ".join(pb.experiment(table, "orders", before="views").summary)
    assert "makes the interval of orders hardly narrower" in text


def test_a_mismatch_withholds_the_verdict() -> None:
    table = {"variant": ["A"] * 1200 + ["B"] * 1000, "x": [0, 1] * 600 + [1, 1] * 500}
    withheld = pb.experiment(table, "x")
    assert withheld.verdict("x") == "withheld"
    assert withheld.summary[0].startswith("No verdict: the arms do not have their planned shares (1,200 in A, 1,000 in B")
    assert any(notice.code == "N500" and "no verdict" in notice.text for notice in withheld.notices)
    assert pb.experiment(table, "x", accept_imbalance=True).verdict("x") == "better"
    assert pb.experiment(table, "x", share="12:10").verdict("x") == "better"
    assert pb.experiment(table, "x", share="B=10,A=12").verdict("x") == "better"


def test_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("user,variant,x\n1,A,1\n2,B,0\n1,B,1\n3,A,0\n", encoding="utf-8")
    ran = plumbline("experiment", str(path), "-m", "x")
    assert ran.code == 1
    assert f"{path}:4: E507 unit 1 is in A and in B (first at line 2)" in ran.err
    path.write_text("user,variant,x\n1,A,1\n2,B,0\n3,B,many\n4,A,0\n", encoding="utf-8")
    assert f"{path}:4: E509 x: 'many' is not a finite number" in plumbline("experiment", str(path), "-m", "x").err


def test_rows_of_units_are_added_up() -> None:
    sessions = pl.DataFrame(
        {"user": [1, 1, 2, 3, 3, 4], "group": list("AABBBA"), "x": [1, 2, 3, 4, 5, 6], "b": [7, 7, 1, 2, 2, 3]}
    )
    result = pb.experiment(sessions, "x", on_duplicate="sum", before="b")
    assert result.arms["n"].to_list() == [2, 2]
    assert pb.experiment(sessions, "x", on_duplicate="sum").effects.row(0, named=True)["control"] == 4.5


def test_a_large_file_is_read_in_pieces_and_says_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame({"user": range(120_000), "variant": ["A", "B"] * 60_000, "x": [0.5, 1.5, 2.0, 0.25] * 30_000})
    small = pb.experiment(frame, "x").effects
    for name in ("users.csv", "users.parquet"):
        path = tmp_path / name
        frame.write_csv(path) if name.endswith("csv") else frame.write_parquet(path, compression="uncompressed")
        assert path.stat().st_size > 2**20
        assert pb.experiment(path, "x").effects.equals(small)
    broken = tmp_path / "broken.csv"
    broken.write_text((tmp_path / "users.csv").read_text().replace("\n77777,B,1.5\n", "\n77777,B,ten\n"), encoding="utf-8")
    with pytest.raises(pb.BadData) as raised:
        pb.experiment(broken, "x")
    assert f"{broken}:77779: E509 x: 'ten'" in str(raised.value)
    broken.write_text((tmp_path / "users.csv").read_text().replace("\n77777,B,1.5\n", "\n77777,B,1.5,9\n"), encoding="utf-8")
    with pytest.raises(pb.BadData, match="77779"):
        pb.experiment(broken, "x")


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        ({}, "E521", "the value of the metric today is not given"),
        ({"baseline": 0.2}, "E521", "neither the change to detect nor"),
        ({"baseline": 3, "detect": 0.1}, "E521", "3 is not a share"),
        ({"baseline": 3, "detect": 0.1, "deviation": 0}, "E521", "does not vary"),
        ({"baseline": 0.2, "detect": 0.01, "units": 100, "power": 0.8}, "E521", "one of them must be left open"),
        ({"baseline": 0.2, "detect": 0.9}, "E522", "impossible"),
        ({"baseline": 0.2, "units": 4}, "E522", "4 units detect no change at all"),
        ({"baseline": 0.2, "detect": 0.01, "icc": 0.1}, None, "changes nothing without"),
        ({"baseline": 0.2, "detect": 0.01, "share": "1:2:3", "arms": 2}, "E506", "do not fit"),
        ({"baseline": 0.2, "detect": 0.01, "before": "x"}, "E521", "none is given"),
        ({"baseline": 0.2, "detect": 5e-324}, "E522", "not between 1e-100 and 1e+100"),
        ({"baseline": 0.2, "detect": 1e-9}, "E522", "takes more than 1,000,000,000,000,000 units"),
        ({"baseline": 5e-324, "detect": 0.01}, "E521", "not between 1e-100 and 1e+100"),
        ({"baseline": 1.0, "deviation": 1e308, "detect": 0.01}, "E521", "not between 1e-100 and 1e+100"),
    ],
)
def test_plans_that_are_refused(options: dict[str, Any], code: str | None, text: str) -> None:
    with pytest.raises(pb.BadUsage) as raised:
        pb.plan_experiment(**options)
    assert text in str(raised.value)
    assert code is None or raised.value.code == code


def test_a_change_that_dwarfs_the_baseline_is_no_share_of_it() -> None:
    plan = pb.plan_experiment(baseline=1e-50, deviation=1.0, detect=0.01)
    assert "%" not in str(plan.summary[0].partition("is detected")[0])
    assert plan.table["relative"].null_count() == len(plan.table)


def test_many_units_detect_a_change_however_small_the_baseline_is() -> None:
    plan = pb.plan_experiment(baseline=1e-5, units=10**18)
    again = pb.plan_experiment(baseline=1e-5, detect=plan.change * 10**3)
    assert again.units == pytest.approx(10**12, rel=0.01)  # a thousand times the change takes a millionth of the units


@pytest.mark.parametrize("form", ["log", "fieller"])
@pytest.mark.parametrize("squares", ["1e18", "1e200", "1e300"])
def test_a_relative_effect_of_which_nothing_is_known_has_no_interval(tmp_path: Path, squares: str, form: str) -> None:
    rows = f"variant,n,orders_sum,orders_sum_of_squares\nA,5000,2610,{squares}\nB,5000,2755,5790\n"
    (tmp_path / "counts.csv").write_text(rows)
    ended = plumbline("experiment", tmp_path / "counts.csv", "--relative", form)
    assert ended.code == 0, ended.err
    assert not any(word in ended.out for word in ("nan", "inf "))


@pytest.mark.parametrize("share", ["50:1e308", "1e-300:1", "50:inf", "50:nan", "0:1"])
def test_shares_that_no_test_can_use_are_refused(share: str) -> None:
    table = {"variant": ["A", "B"] * 20, "x": list(range(40))}
    with pytest.raises(pb.BadUsage, match=r"shares .* do not fit the arms"):
        pb.experiment(table, "x", share=share)
