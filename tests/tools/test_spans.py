"""What people do with spans beside scoring: why, losses, choose."""

from __future__ import annotations

import pytest

import plumbline
from tests.helpers.extraction_oracles import drawn_world

GOLD = {"a": [(0, 2, "PER"), (5, 9, "ORG"), (12, 14, "LOC"), (20, 22, "PER")]}
OUTPUT = {"a": [(0, 2, "PER"), (5, 8, "ORG"), (12, 14, "PER"), (21, 24, "LOC"), (30, 31, "LOC")]}
RECORDS = [
    {
        "id": "a",
        "text": "Ada met Bob.",
        "spans": [{"start": 0, "end": 3, "label": "PER"}, {"start": 8, "end": 11, "label": "PER"}],
    }
]


def test_every_span_has_its_verdict() -> None:
    rows = plumbline.why(GOLD, {"one": OUTPUT}, "F(P,R)", task="extraction").rows
    assert rows.rows() == [
        ("correct", "0-2 PER", "0-2 PER"),
        ("wrong boundary", "5-9 ORG", "5-8 ORG"),
        ("wrong type", "12-14 LOC", "12-14 PER"),
        ("wrong type and boundary", "20-22 PER", "21-24 LOC"),
        ("spurious", None, "30-31 LOC"),
    ]
    missed = plumbline.why(GOLD, {"one": {"a": []}}, "R", task="extraction").rows
    assert missed["verdict"].to_list() == ["missed"] * 4


def test_a_span_is_named_by_its_place() -> None:
    rows = plumbline.why(GOLD, {"one": OUTPUT}, "P", task="extraction", item="5-8").rows
    assert rows["verdict"].to_list() == ["wrong boundary"]
    with pytest.raises(plumbline.BadUsage, match="did you mean 5-9"):
        plumbline.why(GOLD, {"one": OUTPUT}, "P", task="extraction", item="5-7")


def test_the_text_of_a_span_is_shown_where_it_is_known() -> None:
    output = [{"id": "a", "text": "Ada met Bob.", "spans": [{"start": 4, "end": 7, "label": "PER"}]}]
    rows = plumbline.why(RECORDS, {"one": output}, "P", task="extraction").rows
    assert rows.select("verdict", "text").rows() == [("missed", "Ada"), ("spurious", "met"), ("missed", "Bob")]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("metric", ["P", "R", "P(match=partial)", "R(match=type)", "R(match=overlap)"])
@pytest.mark.parametrize("pooled", [True, False])
def test_the_value_and_what_was_lost_add_up_to_one(seed: int, metric: str, pooled: bool) -> None:  # noqa: FBT001 - a column
    gold, output = drawn_world(seed)
    losses = plumbline.losses(gold, {"one": output}, metric, task="extraction", pooled=pooled).per_case.drop_nulls("value")
    for (_, _), rows in losses.group_by("case", "metric"):
        assert rows["value"][0] + rows["lost"].sum() == pytest.approx(1.0)
        assert min(rows["lost"].to_list()) >= 0


def test_losses_name_the_kind_of_error() -> None:
    losses = plumbline.losses(GOLD, {"one": OUTPUT}, "P", task="extraction").mean
    lost = dict(zip(losses["cause"], losses["lost"], strict=True))
    causes = ("wrong type", "wrong boundary", "wrong type and boundary", "spurious")
    assert lost == {cause: pytest.approx(1 / 5) for cause in causes}


def test_losses_of_other_metrics_are_refused() -> None:
    for metric in ("F(P,R)", "SER", "P(match=positions)", "P(average=macro)"):
        with pytest.raises(plumbline.BadUsage):
            plumbline.losses(GOLD, {"one": OUTPUT}, metric, task="extraction")


@pytest.mark.parametrize("use", ["values", "places", "types", "masks", "unknown"])
def test_metrics_are_chosen_by_the_use_of_spans(use: str) -> None:
    advice = plumbline.choose(task="extraction", spans=use)  # type: ignore[arg-type]  # one of the words
    assert plumbline.evaluate(GOLD, {"one": OUTPUT}, list(advice.metrics), task="extraction").mean["value"].null_count() == 0
