"""How much of the order equal scores leave open, counted a second time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import plumbline
from plumbline.align.listing import Listing
from plumbline.align.ties import ranked
from plumbline.io.native import SWITCH

if TYPE_CHECKING:
    import pytest

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=12)
"""The case and the score of each row."""


def listing(rows: list[tuple[int, int]]) -> Listing:
    cases, scores = np.array([case for case, _ in rows], dtype=np.int32), np.array([float(score) for _, score in rows])
    return Listing(cases, scores, lambda: [f"d{number:02}" for number in range(len(rows))])


@given(ROWS, st.sampled_from(["id", "average", "best"]))
@example([(0, 1), (1, 1), (1, 1)], "id")
@example([(0, 2), (0, 1), (0, 1)], "id")
@example([(0, 1), (0, 1), (1, 2), (1, 1)], "id")
def test_share_of_tied_rows_and_cases_that_are_one_tie(rows: list[tuple[int, int]], rule: str) -> None:
    judged = np.arange(len(rows))
    facts = ranked(listing(rows), judged, np.ones(len(rows)), rule).ties  # type: ignore[arg-type]
    sizes, lengths = Counter(rows), Counter(case for case, _ in rows)
    assert facts.share == sum(size for size in sizes.values() if size > 1) / len(rows)
    assert facts.full_cases == sum(size > 1 and size == lengths[case] for (case, _), size in sizes.items())


@given(ROWS)
def test_ranks_by_the_rule_of_ids(rows: list[tuple[int, int]]) -> None:
    """Equal scores by id, the last one first, as trec_eval does it."""
    result = ranked(listing(rows), np.arange(len(rows)), np.ones(len(rows)), "id").settled
    wanted = {
        number: 1 + sum(other == case and (rank, place) > (score, number) for place, (other, rank) in enumerate(rows))
        for number, (case, score) in enumerate(rows)
    }
    assert dict(zip(result.given.tolist(), result.rank.tolist(), strict=True)) == wanted


def test_the_notice_counts_cases_with_a_list() -> None:
    scores = plumbline.evaluate({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, {"q1": {"a": 1.0, "b": 1.0}}, ["AP"])
    assert ["1 of 1 case fully tied" in notice.text for notice in scores.notices if notice.code == "N205"] == [True]


def test_scores_beyond_all_of_single_precision_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long lists of several lengths are put in order together; each has its last three items in the order of their ids."""
    monkeypatch.setenv(SWITCH, "0")
    lengths = {"q1": 600, "q2": 700, "q3": 513}
    lists = {case: [f"d{number:03}" for number in range(length)] for case, length in lengths.items()}
    system = {case: {item: -1.0 * at for at, item in enumerate(items[:-3])} for case, items in lists.items()}
    for case, items in lists.items():
        system[case] |= dict(zip(items[-3:], (-1e300, -1e40, -1e39), strict=True))
    gold = {case: {items[-1]: 1} for case, items in lists.items()}
    scores = plumbline.evaluate(gold, system, ["RR"], single_precision=True).per_case
    assert dict(scores.select("case", "value").rows()) == {case: 1 / (length - 2) for case, length in lengths.items()}
