"""analyse_interleaving(): counts, credits, intervals and tests, and the values of others."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

import plumbline
from plumbline.truth.interleaving.evidence import evidence, sign_flips
from plumbline.truth.interleaving.registry import interleaving_methods
from plumbline.truth.interleaving.scoring import by_counts
from tests.helpers.command_line import plumbline as program
from tests.helpers.shared import shared


def test_the_example_of_wikimedia() -> None:
    """The README of its package prints 74.3 % for A over 906 searches, with the interval (70.0, 77.9) %."""
    result = plumbline.analyse_interleaving(shared("data", "interleaved_example", "interleaved_a-pref.csv"))
    row = result.table.row(0, named=True)
    assert (row["wins"], row["losses"], row["ties"], row["sessions"]) == (754, 81, 71, 906)
    assert row["preference"] == pytest.approx(0.742826, abs=5e-7)
    assert (row["low"], row["high"]) == pytest.approx((0.700, 0.779), abs=0.006)
    assert row["outcome"] == pytest.approx(754 / 835)
    assert result.sentences()[0].startswith("Users prefer A to B (preference 0.743")


def test_its_example_without_a_preference() -> None:
    result = plumbline.analyse_interleaving(shared("data", "interleaved_example", "interleaved_no-pref.csv"))
    row = result.table.row(0, named=True)
    assert row["p"] == pytest.approx(binomtest(395, 395 + 342).pvalue)
    assert result.sentences()[0].startswith("Users are not shown to prefer A or B")


LOG = pl.DataFrame(
    {
        "session": ["s1"] * 3 + ["s2"] * 3 + ["s3"] * 2,
        "item": list("abcabcab"),
        "position": [1, 2, 3, 1, 2, 3, 1, 2],
        "team": list("XYXYXYXY"),
        "clicked": [1, 1, 1, 0, 1, 0, 0, 0],
        "dwell": [5.0, 50.0, 5.0, 0.0, 31.0, 0.0, 0.0, 0.0],
        "weight": [1.0, 5.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0],
        "timestamp": [30.0, 20.0, 10.0, 0.0, 5.0, 0.0, 0.0, 0.0],
    }
)


@pytest.mark.parametrize(
    ("credit", "expected"),
    [
        ("clicks", (2.0, 0.0)),  # s1 has two clicks on X and one on Y, s2 one on X
        ("first", (2.0, 0.0)),  # the first by time is the one on c
        ("last", (2.0, 0.0)),
        ("satisfied", (1.0, 1.0)),  # s1 stayed on b only
        ("weighted", (1.0, 1.0)),  # b weighs 5
    ],
)
def test_credits(credit: str, expected: tuple[float, float]) -> None:
    row = plumbline.analyse_interleaving(LOG, credit=credit).table.row(0, named=True)  # type: ignore[arg-type]
    assert (row["wins"], row["losses"]) == expected


def test_the_last_click_by_time_and_by_position() -> None:
    log = LOG.filter(pl.col("session") == "s1").with_columns(pl.Series("timestamp", [10.0, 30.0, 20.0]))
    by_time = plumbline.analyse_interleaving(log, credit="last").table
    assert by_time["losses"].to_list() == [1.0]
    by_position = plumbline.analyse_interleaving(log.drop("timestamp"), credit="last").table
    assert by_position["wins"].to_list() == [1.0]


def test_seconds_until_the_next_click() -> None:
    log = pl.DataFrame(
        {
            "session": [1, 1, 2, 2],
            "event": ["click"] * 4,
            "team": ["A", "B", "A", "B"],
            "timestamp": ["2026-01-01T00:00:00Z", "2026-01-01T00:00:10Z", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"],
        }
    )
    result = plumbline.analyse_interleaving(log, credit="satisfied")
    assert result.table.select("wins", "losses", "ties").row(0) == (0.0, 1.0, 1.0)
    assert "N565" in [notice.code for notice in result.notices]


def test_three_teams_are_three_pairs() -> None:
    log = pl.DataFrame({"session": range(9), "event": ["click"] * 9, "team": list("AAAAABBBC")})
    result = plumbline.analyse_interleaving(log, resamples=50)
    assert result.table.select("first", "second", "wins", "losses", "ties").rows() == [
        ("A", "B", 5.0, 3.0, 1.0),
        ("A", "C", 5.0, 1.0, 3.0),
        ("B", "C", 3.0, 1.0, 5.0),
    ]
    assert (result.table["corrected"] >= result.table["p"]).all()


def test_equally_many_wins_show_no_preference_and_no_lack_of_one() -> None:
    log = pl.DataFrame(
        {"session": [1, 1, 2, 2], "team": ["A", "B", "A", "B"], "clicked": [1, 0, 0, 1], "position": [1, 2, 1, 2]}
    )
    [sentence] = plumbline.analyse_interleaving(log).sentences()
    assert sentence.startswith("Users are not shown to prefer A or B (preference 0.000")
    assert sentence.endswith("1 win each, 0 are ties.")


def test_users_are_what_varies_where_the_log_has_them() -> None:
    """A user with many sessions is one observation: the interval is wider than over sessions."""
    users = ["heavy"] * 40 + [f"u{number}" for number in range(20)]
    teams = ["A"] * 40 + ["A", "B"] * 10
    log = pl.DataFrame({"session": range(60), "user": users, "event": ["click"] * 60, "team": teams})
    by_users = plumbline.analyse_interleaving(log)
    by_sessions = plumbline.analyse_interleaving(log, over="sessions")
    assert (by_users.over, by_users.units) == ("users", 21)
    assert by_users.table["preference"][0] == by_sessions.table["preference"][0]
    assert by_users.table["low"][0] < by_sessions.table["low"][0]
    assert by_users.table["p"][0] > by_sessions.table["p"][0]


def test_the_interval_is_the_plain_bootstrap() -> None:
    """Against a loop that draws sessions one by one."""
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 3, 80).astype(float), rng.integers(0, 2, 80).astype(float)
    margins = by_counts(first, second)
    result = evidence(
        margins, np.arange(80), by_credit=False, alone=True, confidence=0.9, resamples=20_000, rng=np.random.default_rng(1)
    )
    means = [margins.value[rng.integers(0, 80, 80)].mean() for _ in range(20_000)]
    assert (result.low, result.high) == pytest.approx(np.quantile(means, [0.05, 0.95]), abs=0.02)
    assert result.preference == pytest.approx(margins.value.mean())


def test_signs_of_units_are_flipped() -> None:
    ahead = np.array([3.0, 1.0, -1.0, 2.0, 2.0])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 5)).reshape(5, -1)
    exact = float((np.abs(np.abs(ahead) @ signs) >= abs(ahead.sum())).mean())
    assert sign_flips(ahead, 40_000, np.random.default_rng(2)) == pytest.approx(exact, abs=0.01)


RUNS = {
    "good": {f"q{case}": {item: 9.0 - place for place, item in enumerate("rabcde")} for case in range(30)},
    "poor": {f"q{case}": {item: 9.0 - place for place, item in enumerate("abrcde")} for case in range(30)},
}


@pytest.mark.parametrize("method", interleaving_methods())
def test_every_method_finds_the_better_ranking_again(method: str) -> None:
    """Lists are made, `r` is clicked wherever it is shown, and the ranking that has it higher is preferred."""
    lists = plumbline.interleave(RUNS, method=method, length=6, lists_per_case=10, seed=2)  # type: ignore[arg-type]
    log = lists.to_polars().with_columns(
        (pl.col("case") + "-" + pl.col("list").cast(pl.String)).alias("session"), (pl.col("item") == "r").alias("clicked")
    )
    teamless = log.rename({"case": "query"}).drop("team", "list")
    systems = None if method == "team-draft" else RUNS
    result = plumbline.analyse_interleaving(log if systems is None else teamless, systems, method=method, length=6)  # type: ignore[arg-type]
    row = result.table.row(0, named=True)
    assert (row["first"], row["second"]) == ("good", "poor")
    assert row["preference"] > 0.2
    assert row["corrected"] < 0.001


def test_teams_from_the_lists_that_were_shown() -> None:
    lists = plumbline.interleave(RUNS, length=3, seed=4)
    clicks = (
        lists.to_polars().filter(pl.col("position") == 1).with_columns(pl.col("case").alias("session"), event=pl.lit("click"))
    )
    expected = clicks["team"].value_counts().sort("team")["count"].to_list()
    result = plumbline.analyse_interleaving(clicks.select("session", pl.col("case"), "item", "event"), lists=lists.to_polars())
    assert result.table.select("wins", "losses").row(0) == tuple(map(float, expected))
    with pytest.raises(plumbline.BadData, match="E569"):
        plumbline.analyse_interleaving(clicks.select("session", "case", "item", "event"))


def test_a_coin_that_is_not_fair() -> None:
    rows = 400
    log = pl.DataFrame(
        {
            "session": [number // 2 for number in range(rows)],
            "position": [1, 2] * (rows // 2),
            "team": ["A", "B"] * (rows // 2),
            "clicked": [1, 0] * (rows // 2),
        }
    )
    assert "N563" in [notice.code for notice in plumbline.analyse_interleaving(log).notices]
    fair = log.with_columns(pl.Series("team", ["A", "B", "B", "A"] * (rows // 4)))
    assert "N563" not in [notice.code for notice in plumbline.analyse_interleaving(fair).notices]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"method": "balanced"}, "E571"),
        ({"lists_per_case": 2}, "E"),
        ({"credit": "clicks", "satisfied_after": 5.0}, "E339"),
        ({"softness": 1.0}, "E339"),
    ],
)
def test_what_does_not_fit(options: dict[str, object], code: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.analyse_interleaving(LOG, **options)  # type: ignore[arg-type]
    assert caught.value.code.startswith(code)


def test_rankings_need_what_was_shown() -> None:
    with pytest.raises(plumbline.BadData, match="E572"):
        plumbline.analyse_interleaving(LOG, RUNS, method="pairwise")
    with pytest.raises(plumbline.BadUsage, match="E339"):
        plumbline.analyse_interleaving(LOG, RUNS)


def test_the_command() -> None:
    done = program("interleave", "--log", shared("data", "interleaved_example", "interleaved_a-pref.csv"))
    assert done.code == 0
    assert "it wins 754 of 906 sessions and loses 81, 71 are ties" in done.out
    assert "N561 94 of 1,000 sessions" in done.err
    assert program("interleave", "--audit", "--seed", "3").code == 2
    assert program("interleave", "--length", "3").code == 2
    assert "goes with --log" in program("interleave", "a.run", "--credit", "first").err


def test_moments_may_be_missing() -> None:
    rows = {
        "session": ["a", "a", "b", "b"],
        "user": ["u", "u", "v", "v"],
        "item": ["x", "y", "x", "y"],
        "position": [1, 2, 1, 2],
    }
    log = pl.DataFrame({**rows, "team": ["A", "B", "A", "B"], "clicked": [1, 0, 0, 1]})
    expected = str(plumbline.analyse_interleaving(log, resamples=10))
    dated = log.with_columns(when=pl.Series(["2026-01-01", None, "2026-01-02", "2026-01-02"]))
    assert str(plumbline.analyse_interleaving(dated, resamples=10)) == expected
