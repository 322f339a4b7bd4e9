"""why() of rankings: rows after the cut-off do not count, and one item can be looked at."""

from __future__ import annotations

import pytest

import plumbline as pb

GOLD = {"q1": {"a": 2, "b": 0, "c": 1, "d": 1}}
RUN = {"q1": {"a": 4.0, "b": 3.0, "c": 2.0, "x": 1.0}}


def test_rows_after_the_cutoff_are_counted_not_shown() -> None:
    why = pb.why(GOLD, {"mine": RUN}, "nDCG@2")
    assert why.rows["rank"].to_list() == [1, 2]
    assert why.remark == "1 judged item after rank 2 does not count"
    assert why.remark in repr(why)
    assert why.to_dict()["remark"] == why.remark
    assert why.rows["sum"][-1] == pytest.approx(why.total)


def test_a_list_that_ends_before_the_cutoff_has_no_remark() -> None:
    assert pb.why(GOLD, {"mine": RUN}, "nDCG@10").remark == ""
    assert pb.why(GOLD, {"mine": RUN}, "AP").remark == ""


@pytest.mark.parametrize(("item", "rows"), [("c", 1), ("d", 0), ("x", 0)])
def test_one_item_of_a_ranking(item: str, rows: int) -> None:
    why = pb.why(GOLD, {"mine": RUN}, "AP", item=item)
    assert why.rows["item"].to_list() == [item] * rows
    assert (why.remark == f"{item} adds nothing: it is not judged, or not in the list") == (rows == 0)
    assert why.value == pb.why(GOLD, {"mine": RUN}, "AP").value


def test_counts_do_not_tell_items_apart() -> None:
    with pytest.raises(pb.BadUsage, match="has no meaning"):
        pb.why({"a": "spam", "b": "ham"}, {"f": {"a": "spam", "b": "spam"}}, "P", positive="spam", item="a")
