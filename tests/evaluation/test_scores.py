"""What is made of scores: tables, saved files, representations."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import plumbline as pb
from plumbline.render.grid import number

if TYPE_CHECKING:
    from pathlib import Path

GOLD = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}}
GOOD = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}
POOR = {"q1": {"a": 1.0, "b": 2.0}, "q3": {"d": 1.0}}
HOSTILE = "a_b<i>&%|*`[x](y)\\\x1b"


@pytest.fixture
def scores() -> pb.Scores:
    """Two systems, a missing case and an undefined one."""
    return pb.evaluate(GOLD, {"poor": POOR, "good": GOOD}, ["AP", "P@1"])


def test_means_and_counts(scores: pb.Scores) -> None:
    assert scores.mean.rows() == [
        ("poor", "AP", 0.25, 2, 1, 1),
        ("poor", "P@1", 0.0, 2, 1, 1),
        ("good", "AP", 1.0, 2, 0, 1),
        ("good", "P@1", 1.0, 2, 0, 1),
    ]
    assert scores.per_case.filter(pl.col("case") == "q3")["value"].to_list() == [None] * 4


def test_means_by_name(scores: pb.Scores) -> None:
    assert scores["AP"] == {"poor": 0.25, "good": 1.0}
    assert scores["P@1", "good"] == 1.0
    asked = pb.evaluate(GOLD, {"poor": POOR, "good": GOOD}, "map")
    assert asked["map"] == asked["AP"] == scores["AP"]
    assert pb.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP")["AP"] == {"system": None}
    with pytest.raises(pb.BadUsage, match=r"(?s)no metric 'AQ'.*did you mean AP or P@1"):
        scores["AQ"]
    with pytest.raises(pb.BadUsage, match=r"(?s)no system 'god'.*did you mean poor or good"):
        scores["AP", "god"]


def test_saved_and_loaded(scores: pb.Scores, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    scores.save(path)
    loaded = pb.Scores.load(path)
    assert_frame_equal(loaded.per_case, scores.per_case)
    assert_frame_equal(loaded.mean, scores.mean)
    assert loaded.columns == scores.columns
    assert loaded.made == scores.made
    assert [notice.code for notice in loaded.notices] == [notice.code for notice in scores.notices]
    assert loaded.to_markdown().partition("\n\n")[0] == scores.to_markdown().partition("\n\n")[0]
    with pytest.raises(pb.BadUsage, match="E011"):
        scores.save(path)
    scores.save(path, force=True)


TIED = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}


def test_notices_keep_their_place(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(TIED), encoding="utf-8")
    scores = pb.evaluate({"q1": {"a": 1}}, tmp_path / "run.json", "AP")
    assert any(notice.place is not None and notice.code == "N205" for notice in scores.notices)
    scores.save(tmp_path / "scores.parquet")
    assert pb.Scores.load(tmp_path / "scores.parquet").notices == scores.notices


def test_scores_of_earlier_versions_keep_the_place_too(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(TIED), encoding="utf-8")
    scores = pb.evaluate({"q1": {"a": 1}}, tmp_path / "run.json", "AP")
    scores.save(tmp_path / "new.parquet")
    facts = json.loads(pl.read_parquet_metadata(tmp_path / "new.parquet")["plumbline"])
    facts["notices"] = [[notice.code, notice.headline(), notice.help] for notice in scores.notices]
    scores.per_case.write_parquet(tmp_path / "old.parquet", metadata={"plumbline": json.dumps(facts)})
    loaded = pb.Scores.load(tmp_path / "old.parquet")
    assert [(notice.headline(), notice.help) for notice in loaded.notices] == [
        (notice.headline(), notice.help) for notice in scores.notices
    ]


def test_what_is_no_saved_file(tmp_path: Path) -> None:
    other, text = tmp_path / "other.parquet", tmp_path / "text.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(other)
    text.write_text("text", encoding="utf-8")
    for path in (other, text, tmp_path / "none.parquet"):
        with pytest.raises(pb.PlumblineError):
            pb.Scores.load(path)


def test_to_pandas(scores: pb.Scores) -> None:
    frame = scores.to_pandas()
    assert list(frame.columns) == ["system", "case", "metric", "value"]
    assert len(frame) == 12


def test_markdown(scores: pb.Scores) -> None:
    table, *notes = scores.to_markdown().split("\n\n")
    assert (
        table
        == "| system | AP ↑ | P@1 ↑ |\n| --- | ---: | ---: |\n| good | **1.0000** | **1.0000** |\n| poor | 0.2500 | 0.0000 |"
    )
    assert any("N203" in note for note in notes)


def test_latex(scores: pb.Scores) -> None:
    lines = scores.to_latex().splitlines()
    comments = [line for line in lines if line.startswith("%")]
    assert any("N201" in line for line in comments)
    assert lines[len(comments) :] == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & AP $\uparrow$ & P@1 $\uparrow$ \\",
        r"\midrule",
        r"good & \textbf{1.0000} & \textbf{1.0000} \\",
        r"poor & 0.2500 & 0.0000 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_representations_say_what_is_to_be_known(scores: pb.Scores) -> None:
    shown = repr(scores)
    assert shown.index("good") < shown.index("poor")
    assert "N201" in shown
    assert "N203" in shown
    assert "N212" not in shown
    assert "<td><b>1.0000</b></td>" in scores._repr_html_()


def test_names_act_nowhere() -> None:
    scores = pb.evaluate(GOLD, {HOSTILE: GOOD}, "AP")
    assert "<i>" not in scores._repr_html_()
    assert "a_b&lt;i&gt;&amp;%|*`[x](y)\\\\x1b" in scores._repr_html_()
    assert r"a\_b\<i\>&%\|\*\`\[x\](y)\\\\x1b" in scores.to_markdown()
    assert r"a\_b\textless{}i\textgreater{}\&\%\textbar{}*`[x](y)\textbackslash{}\textbackslash{}x1b" in scores.to_latex()
    assert "\x1b" not in repr(scores)


def test_one_system_beats_nobody() -> None:
    assert "**" not in pb.evaluate(GOLD, {"good": GOOD}, "AP").to_markdown()


def test_best_of_a_metric_where_lower_is_better() -> None:
    made = pb.evaluate(GOLD, {"poor": POOR, "good": GOOD}, "AP")
    scores = replace(made, columns=tuple(replace(column, better="lower") for column in made.columns))
    assert scores.to_markdown().splitlines()[:4] == [
        "| system | AP ↓ |",
        "| --- | ---: |",
        "| poor | **0.2500** |",
        "| good | 1.0000 |",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "n/a"), (0.0, "0.0000"), (1.0, "1.0000"), (9.0, "9.0000"), (-0.25, "-0.2500")]
)
def test_numbers(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_scores_and_comparisons_are_pickled_without_their_gold(tmp_path: Path) -> None:
    gold = tmp_path / "qrels.txt"
    gold.write_text("".join(f"q{case} 0 d{item} {item % 2}\n" for case in range(20) for item in range(100)), encoding="utf-8")
    runs = {name: {f"q{case}": {"d1": 2.0, "d2": 1.0} for case in range(20)} for name in "ab"}
    with gold.open(encoding="utf-8") as opened:
        scores = pb.evaluate(opened, runs, "AP", watch=lambda outputs, _: outputs)
    for result in (scores, pb.compare(scores)):
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):  # noqa: S301 - our own bytes
            assert str(again) == str(result)
            assert again.evaluation is None
    assert len(pickle.dumps(scores)) < 20_000
