"""Without a task, a gold that cannot be ranked says what it is; everything else stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline

LABELLED = "item,label\na,x\nb,y\n"
CLUSTERED = "case,item,cluster\nq,a,x\nq,b,y\n"


@pytest.mark.parametrize(("text", "task"), [(LABELLED, "classification"), (CLUSTERED, "clustering")])
def test_files_say_what_they_are(text: str, task: str, tmp_path: Path) -> None:
    for name in ("gold.csv", "mine.csv"):
        (tmp_path / name).write_text(text)
    gold, mine = (str(tmp_path / name) for name in ("gold.csv", "mine.csv"))
    scores = pb.evaluate(gold, mine)
    assert scores.made["task"] == task
    assert [notice.code for notice in scores.notices if notice.code != "N212"] == ["N297"]
    named = pb.evaluate(gold, mine, task=task)
    assert named.mean.rows() == scores.mean.rows()
    assert "N297" not in {notice.code for notice in named.notices}
    ended = plumbline("evaluate", gold, mine)
    assert (ended.code, f"N297 evaluated as {task}" in ended.err, "--task" in ended.err) == (0, True, True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gold.iob", "Ada B-PER\nsleeps O\n\n"),
        ("gold.jsonl", '{"id": "a", "text": "Ada sleeps", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n'),
        ("gold.json", '{"a": [{"text": "Ada", "start": 0, "end": 3, "label": "PER"}]}'),
        ("gold.csv", "case,start,end,label\na,0,3,PER\n"),
    ],
)
def test_files_of_spans_say_it(name: str, text: str, tmp_path: Path) -> None:
    gold = tmp_path / name
    gold.write_text(text)
    scores = pb.evaluate(str(gold), str(gold))
    assert (scores.made["task"], scores.mean["value"][0], "N297" in {notice.code for notice in scores.notices}) == (
        "extraction",
        1,
        True,
    )
    with pytest.raises(pb.PlumblineError) as raised:
        pb.evaluate(str(gold), str(gold), "AP")
    assert "extraction" not in str(raised.value), "AP is no metric of spans: the files are read as those of a ranking"


def test_json_with_a_start_and_no_end_has_no_spans(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text('{"q": {"start": 1, "middle": 0}}')
    assert pb.evaluate(str(tmp_path / "gold.json"), {"q": {"start": 1.0}}, "AP").made["task"] == "ranking"


@pytest.mark.parametrize("gold", [["x", "y", "x"], np.array([1, 0, 1]), pl.DataFrame({"id": ["a", "b"], "y_true": [1, 0]})])
def test_arrays_and_frames_say_it_too(gold: Any) -> None:
    output = gold if not isinstance(gold, pl.DataFrame) else gold.rename({"y_true": "y_pred"})
    scores = pb.evaluate(gold, {"mine": output})
    assert scores.made["task"] == "classification"
    assert scores.mean["value"].to_list() == [1.0] * len(scores.mean)
    filtered = pb.evaluate([1, 0], {"mine": [1, 1]}, "Specificity")
    assert filtered.made["task"] == "filtering", "the metrics decide where they can"
    scored = pb.evaluate([1, 0], {"mine": [0.9, 0.2]}, "roc_auc")
    assert scored.made["task"] == "filtering", "a ranking has AUC, too, but no array is its gold"


@pytest.mark.parametrize("labels", [["cat", "dog", "bird", "cat"], np.array([0, 1, 2, 0]), (3, 4, 5, 3)])
def test_three_classes_are_no_filter(labels: Any) -> None:
    """`accuracy` is a metric of filters and of classifiers; the classes of the gold decide."""
    scores = pb.evaluate(labels, {"mine": [labels[0]] * 4}, "accuracy")
    assert (scores.made["task"], scores.mean["value"].to_list()) == ("classification", [0.5])
    assert pb.evaluate(list(labels), {"mine": list(labels)}, "accuracy", positive=str(labels[0])).made["task"] == "filtering"
    assert pb.evaluate([1, 0, 1], {"mine": [1, 0, 0]}, "accuracy").made["task"] == "filtering"


@pytest.mark.parametrize(
    "text", ["case,item,grade\nq,a,1\n", "query,item,label\nq,a,1\n", "item,case,value\na,q,1\n", "q 0 a 1\n"]
)
def test_rankings_stay_rankings(text: str, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(text)
    scores = pb.evaluate(str(tmp_path / "gold.csv"), {"q": {"a": 1.0}}, "AP")
    assert scores.made["task"] == "ranking"
    assert "N297" not in {notice.code for notice in scores.notices}


def test_metrics_of_rankings_are_not_taken_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(LABELLED)
    with pytest.raises(pb.BadData, match="E109"):
        pb.evaluate(str(tmp_path / "gold.csv"), {"q": {"a": 1.0}}, "nDCG@10")


def test_levels_in_json_say_organization_whatever_the_task_of_the_metric_would_be(tmp_path: Path) -> None:
    gold, mine, drawn = (str(tmp_path / name) for name in ("gold.json", "mine.json", "losses.json"))
    for path in (gold, mine):
        Path(path).write_text('[{"case": "q", "levels": [[["a"], ["b", "c"]], [["d"]]]}]')
    for metrics in ((), ("Rel",), ("Rel(over=priority)",)):
        scores = pb.evaluate(gold, mine, metrics or None)
        assert (scores.made["task"], "N297" in {notice.code for notice in scores.notices}) == ("organization", True)
    ended = plumbline("plot", "losses", gold, mine, "-m", "Rel(over=priority)", "-o", drawn)
    assert (ended.code, Path(drawn).exists()) == (0, True)
    with pytest.raises(pb.BadData):
        pb.evaluate(gold, mine, "BCubedP")  # no metric of organizations


def test_a_table_of_spans_means_extraction(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text("case,start,end,label\na,0,2,PER\n", encoding="utf-8")
    scores = pb.evaluate(path, {"one": path})
    assert scores.made["task"] == "extraction"
    assert any("start and the end of spans" in notice.text for notice in scores.notices)


LABELS = "id,target\na,1\nb,0\nc,1\nd,0\n"


@pytest.mark.parametrize("metrics", [(), ("AUC",), ("F(P,R)",), ("AUC", "F(P,R)")])
def test_labels_and_scores_mean_filtering(metrics: tuple[str, ...], tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold.csv", tmp_path / "mine.csv"
    gold.write_text(LABELS, encoding="utf-8")
    mine.write_text("id,proba\na,0.9\nb,0.1\nc,0.3\nd,0.2\n", encoding="utf-8")
    named = pb.evaluate(gold, {"mine": mine}, metrics or None, task="filtering")
    for systems in (str(mine), [mine], {"mine": mine}, {"mine": pl.read_csv(mine, schema_overrides={"id": pl.String})}):
        scores = pb.evaluate(gold, systems, metrics or None)
        assert (scores.made["task"], scores.mean["value"].to_list()) == ("filtering", named.mean["value"].to_list())
    assert any("the output has scores" in notice.text for notice in scores.notices)


def test_a_metric_that_only_filters_have_is_enough(tmp_path: Path) -> None:
    for name in ("gold.csv", "mine.csv"):
        (tmp_path / name).write_text(LABELS, encoding="utf-8")
    scores = pb.evaluate(tmp_path / "gold.csv", tmp_path / "mine.csv", "AUC")
    assert (scores.made["task"], scores.mean["value"].to_list()) == ("filtering", [1.0])


def test_a_metric_without_its_cutoff_is_still_an_error_for_rankings(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text("q 0 a 1\n", encoding="utf-8")
    with pytest.raises(pb.BadUsage, match="E305 P needs k"):
        pb.evaluate(tmp_path / "gold.txt", {"q": {"a": 1.0}}, "P")
    with pytest.raises(pb.BadUsage, match="unknown"):
        pb.evaluate([1, 0], [1, 1], "Nonsense")


@pytest.mark.parametrize(
    ("name", "text", "task", "lines"),
    [
        ("in.iob", "Ada B-PER\nleft O\n\nBob B-PER\n", "extraction", ["case,start,end,label", "1,0,1,PER", "2,0,1,PER"]),
        ("in.csv", "item,cluster\na,1\nb,1\n", "clustering", ["case,item,label", "whole,a,1", "whole,b,1"]),
        ("in.csv", "item,label\na,x\nb,y\n", "classification", ["case,item,label", "whole,a,x", "whole,b,y"]),
        ("in.json", '[{"case": "q", "levels": [[["a"], ["b"]]]}]', "organization", None),
        ("in.run", "q Q0 a 1 0.5 x\n", None, ["case,item,score", "q,a,0.5"]),
        ("in.csv", "case,item,score\nq,a,0.5\n", None, ["case,item,score", "q,a,0.5"]),
    ],
)
def test_a_file_says_what_is_converted(name: str, text: str, task: str | None, lines: list[str] | None, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    conversion = pb.convert(tmp_path / name, tmp_path / "out.csv")
    assert [notice.text.partition(":")[0] for notice in conversion.notices if notice.code == "N277"] == (
        [f"read as {task}"] if task else []
    )
    named = pb.convert(tmp_path / name, tmp_path / "named.csv", task=task or "ranking")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "named.csv").read_bytes()
    assert named.rows == conversion.rows
    assert lines is None or (tmp_path / "out.csv").read_text().split() == lines


def test_only_a_path_is_converted(tmp_path: Path) -> None:
    with pytest.raises(pb.BadUsage, match="cannot read the source: a dict"):
        pb.convert({"q": {"a": 1.0}}, tmp_path / "out.csv")  # type: ignore[arg-type]
