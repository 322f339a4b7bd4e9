"""What smoothing changes, against the second writing of each metric."""

from __future__ import annotations

from itertools import product

import pytest

import plumbline
from plumbline import BadUsage
from plumbline.studies.smoothing import PUBLISHED
from tests.helpers.filtering_oracles import FILTERING
from tests.helpers.filtering_oracles import Counts as Cells
from tests.helpers.filters_by_counts import Counts, filters
from tests.helpers.score_worlds import nested

EVERY: list[Counts] = [(tp, fp, 3 - tp, 4 - fp) for tp, fp in product(range(4), range(5))]
"""All outputs on three positive and four negative items."""
METRICS = ["Accuracy", "Lam", "MI", "P", "R"]


@pytest.fixture(scope="module")
def actual() -> plumbline.Study:
    """A system for each output, on two cases that are the same."""
    gold, systems = filters({f"{tp} {fp}": {"q": (tp, fp, fn, tn), "r": (tp, fp, fn, tn)} for tp, fp, fn, tn in EVERY})
    requested = [*METRICS, "F(P,R)", "Lam(smooth=laplace)"]
    return plumbline.meta(
        gold=gold, systems=systems, metrics=requested, task="filtering", undefined="zero", splits=1, resamples=1
    )


def test_values_are_those_of_the_second_writing(actual: plumbline.Study) -> None:
    table = actual.smoothing
    assert set(table["metric"]) == {*METRICS, "F(P,R)"}
    assert len(table) == 2 * len(EVERY) * (len(METRICS) + 1)
    for row in table.filter(case="q").iter_rows(named=True):
        tp, fp = map(int, row["system"].split())
        cells = Cells(tp, fp, 3 - tp, 4 - fp)
        for smooth in PUBLISHED:
            expected = _slow(row["metric"], cells, smooth)
            assert row[smooth] == (None if expected is None else pytest.approx(expected, abs=1e-9)), (row, smooth)


def _slow(name: str, cells: Cells, smooth: str) -> float | None:
    if name != "F(P,R)":
        value = FILTERING[name](cells, smooth, {})
        return None if value is None else float(value)
    parts = [FILTERING[part](cells, smooth, {}) for part in ("P", "R")]
    if any(part is None for part in parts):
        return 0.0 if 0 in parts else None
    first, second = (float(part) for part in parts if part is not None)
    return 2 * first * second / (first + second) if first + second else 0.0


def test_the_greatest_change_comes_first(actual: plumbline.Study) -> None:
    rows = actual.smoothing.drop_nulls("change")
    for row in rows.head(40).iter_rows(named=True):
        moved = [abs(row[smooth] - row["none"]) for smooth in PUBLISHED[1:] if row[smooth] is not None]
        assert row["change"] == pytest.approx(max(moved))
    changes = rows["change"].round(9).to_list()
    assert changes == sorted(changes, reverse=True)
    assert actual.smoothing["change"].tail(actual.smoothing["change"].null_count()).is_null().all()


def test_effects_are_counted(actual: plumbline.Study) -> None:
    rows = {(row["metric"], row["smooth"]): row for row in actual.effects.iter_rows(named=True)}
    assert list(rows)[:2] == [("Accuracy", "laplace"), ("Accuracy", "noninformative")]
    each = actual.smoothing.filter(metric="Lam").drop_nulls(["none", "laplace"])
    moved = [abs(a - b) for a, b in each.select("laplace", "none").iter_rows()]
    row = rows["Lam", "laplace"]
    assert row["greatest_change"] == pytest.approx(max(moved))
    assert row["mean_change"] == pytest.approx(sum(moved) / len(moved))
    assert row["changed"] == sum(value > 1e-12 for value in moved)
    assert row["outputs"] + row["undefined"] == 2 * len(EVERY)


def test_outputs_that_know_nothing_are_not_moved_by_noninformative_smoothing(actual: plumbline.Study) -> None:
    """Section 5.2 of the filtering paper: two more observations that show what the marginals show."""
    still = actual.smoothing.filter(metric="Lam").drop_nulls("kind").drop_nulls("none")
    assert len(still) >= 4
    assert still["noninformative"].to_list() == pytest.approx(still["none"].to_list())


def test_there_must_be_something_to_smooth() -> None:
    with pytest.raises(BadUsage, match="E331"):
        _ = plumbline.meta(nested([[[1, 2], [3, 4]]])).smoothing
    gold, systems = filters({"a": {"q": (1, 1, 1, 1), "r": (1, 2, 3, 1)}, "b": {"q": (2, 1, 0, 1), "r": (2, 2, 2, 1)}})
    study = plumbline.meta(gold=gold, systems=systems, metrics=["AUC"], task="filtering")
    with pytest.raises(BadUsage, match="E331"):
        _ = study.smoothing
