"""--ties levels: equal scores are one level, so that only metrics without an order within levels are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from tests.helpers.command_line import plumbline, write_pair

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.options.evaluation import Ties

SETS = ["SetP", "SetR", "SetF", "SetAP", "SetRelativeP"]
COUNTS = ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelJudgedRet"]
OTHERS = ["AP", "RR", "P@2", "nDCG", "Bpref", "Rprec", "ERR", "Success@1", "RelString@10"]

ITEMS = st.sampled_from("abcdef")
GOLDS = st.dictionaries(ITEMS, st.integers(-1, 2), min_size=1)
RUNS = st.dictionaries(ITEMS, st.sampled_from([0.0, 0.5, 1.0]), min_size=1)


def values(gold: Any, run: Any, ties: Ties) -> list[float | None]:
    scores = pb.evaluate({"q": gold}, {"s": {"q": run}}, [*SETS, *COUNTS], ties=ties)
    return scores.per_case["value"].to_list()


@given(GOLDS, RUNS)
def test_sets_and_counts_are_the_same_in_every_order(gold: dict[str, int], run: dict[str, float]) -> None:
    results = values(gold, run, "levels")
    assert results == values(gold, run, "best")
    assert results == values(gold, run, "worst")


@pytest.mark.parametrize("name", OTHERS)
def test_metrics_that_need_an_order_are_refused(name: str) -> None:
    with pytest.raises(pb.BadUsage, match="E312") as caught:
        pb.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["SetP", name], ties="levels")
    assert name.partition("@")[0] in str(caught.value)
    assert "SetP" not in str(caught.value)
    assert 'ties="id"|"average"|"best"|"worst"' in str(caught.value)


@pytest.mark.parametrize("name", [*SETS, *COUNTS])
def test_a_cut_through_a_level_is_refused(name: str) -> None:
    with pytest.raises(pb.BadUsage, match="E312"):
        pb.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [name], ties="levels", depth=2)


def test_on_the_command_line(tmp_path: Path) -> None:
    gold, run = write_pair(tmp_path)
    ended = plumbline("evaluate", gold, run, "-m", "SetP", "--ties", "levels")
    assert ended.code == 0
    assert "3 cases, equal scores as one level" in ended.out
    refused = plumbline("evaluate", gold, run, "-m", "AP", "--ties", "levels")
    assert (refused.code, refused.out) == (2, "")
    assert "E312" in refused.err
