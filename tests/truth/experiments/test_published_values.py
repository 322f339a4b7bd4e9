"""Values that others published or computed: tea-tasting, Cookie Cats, sample sizes, sequences, group-sequential bounds."""

from __future__ import annotations

import json
import lzma

import polars as pl
import pytest
from scipy.special import ndtri

import plumbline as pb
from plumbline.truth.experiments.sequential import half_width, mixture_variance, msprt, obrien_fleming
from tests.helpers.shared import shared

TEA = {
    "control": "control",
    "value": "treatment",
    "difference": "effect_size",
    "low": "effect_size_ci_lower",
    "high": "effect_size_ci_upper",
    "relative": "rel_effect_size",
    "relative_low": "rel_effect_size_ci_lower",
    "relative_high": "rel_effect_size_ci_upper",
    "p": "pvalue",
    "statistic": "statistic",
}
BEFORE = ["orders=orders_covariate", "per_session=orders_covariate / sessions_covariate", "revenue=revenue_covariate"]


@pytest.mark.parametrize(
    ("before", "names"),
    [
        ([], ("orders_per_user", "orders_per_session", "revenue_per_user")),
        (BEFORE, ("orders_per_user_cuped", "orders_per_session_cuped", "revenue_cuped")),
    ],
)
def test_all_digits_of_tea_tasting(before: list[str], names: tuple[str, ...]) -> None:
    folder = shared("data", "tea_tasting_users")
    expected = json.loads((folder / "expected_tea_tasting_1.14.0.json").read_text())
    result = pb.experiment(folder / "users.csv.xz", ["orders", "per_session = orders / sessions", "revenue"], before=before)
    for row, name in zip(result.effects.iter_rows(named=True), names, strict=True):
        for mine, its in TEA.items():
            assert row[mine] == pytest.approx(expected[name][its], rel=1e-11), (name, mine)
    assert result.arms["n"].to_list() == [expected["srm"]["control"], expected["srm"]["treatment"]]
    assert result.made["sizes_p"] == pytest.approx(expected["srm"]["pvalue"], abs=1e-4)  # theirs is a normal approximation


def cookie_cats(**options: object) -> pb.Experiment:
    path = shared("data", "cookie_cats", "cookie_cats.csv.xz")
    return pb.experiment(path, ["retention_7", "sum_gamerounds"], control="gate_30", **options)  # type: ignore[arg-type]


def test_cookie_cats() -> None:
    result = cookie_cats()
    assert result.made["sizes_p"] == pytest.approx(0.0086, abs=5e-5)
    assert any(notice.code == "N500" for notice in result.notices)
    retention, rounds = result.effects.iter_rows(named=True)
    assert retention["statistic"] == pytest.approx(-3.16436, abs=5e-6)
    assert retention["p"] == pytest.approx(0.0015542, abs=5e-8)
    assert retention["difference"] == pytest.approx(-0.0082013, abs=5e-8)
    assert (retention["low"], retention["high"]) == pytest.approx((-0.0132819, -0.0031213), abs=5e-8)
    assert rounds["p"] == pytest.approx(0.37592, abs=5e-6)
    wald = cookie_cats(proportions="wald").effects.row(0, named=True)
    assert (wald["low"], wald["high"]) == pytest.approx((-0.0132816, -0.0031210), abs=5e-8)


def test_cookie_cats_with_peeking() -> None:
    golden = json.loads(shared("golden", "truth.json").read_text())["cookie_cats_retention_7"]
    peeked = cookie_cats(peek=True).effects.row(0, named=True)
    assert (peeked["high"] - peeked["low"]) / 2 == pytest.approx(golden["sequence_half_width_N5000"], abs=5e-7)
    assert peeked["verdict"] == "open"
    for tau in (0.01, 0.005):
        mixed = cookie_cats(peek=True, mixture=tau).effects.row(0, named=True)
        assert mixed["p"] == pytest.approx(0.04, abs=0.005)
        variance = 2 * (0.154028 + 0.148879) / 2 / 44_700  # theirs takes the smaller arm for both
        assert msprt(mixed["difference"], variance, tau**2) == pytest.approx(golden[f"msprt_p_tau_{tau}"], abs=1e-5)


def test_confidence_sequence() -> None:
    golden = json.loads(shared("golden", "truth.json").read_text())["asymptotic_confidence_sequence"]
    for n, expected in golden["half_width"].items():
        units = int(n)
        tau = mixture_variance(1 / units, units, golden["N_star"], golden["alpha"])
        assert half_width(1 / units, tau, golden["alpha"]) == pytest.approx(expected, abs=1e-6)


def test_sample_sizes() -> None:
    golden = json.loads(shared("golden", "truth.json").read_text())["sample_size"]
    for text, units in golden.items():
        if "+-" in text:
            baseline, change = map(float, text.split("+-"))
            assert pb.plan_experiment(baseline=baseline, detect=change).arm_units == (units, units)


def test_bounds_of_obrien_and_fleming() -> None:
    """Jennison and Turnbull (2000), table 2.3: five looks at level 0.05."""
    bounds = [-float(ndtri(obrien_fleming(look, 5, 0.05) / 2)) for look in range(1, 6)]
    assert bounds == pytest.approx([4.562, 3.226, 2.634, 2.281, 2.040], abs=5e-4)
    assert -float(ndtri(obrien_fleming(2, 2, 0.05) / 2)) == pytest.approx(1.977, abs=5e-4)
    assert obrien_fleming(1, 1, 0.05) == pytest.approx(0.05)


def test_a_covariate_on_another_scale_changes_nothing() -> None:
    """A package once reported 193 % for an effect of 11.5 %, because the mean of a covariate was on another scale."""
    users = pl.read_csv(lzma.decompress(shared("data", "tea_tasting_users", "users.csv.xz").read_bytes()))
    plain = pb.experiment(users, "revenue", before="revenue_covariate").effects.row(0, named=True)
    shifted = users.with_columns(1e6 + 1000 * pl.col("revenue_covariate"))
    again = pb.experiment(shifted, "revenue", before="revenue_covariate").effects.row(0, named=True)
    assert again["relative"] == pytest.approx(plain["relative"], rel=1e-6)
    assert again["p"] == pytest.approx(plain["p"], rel=1e-6)
