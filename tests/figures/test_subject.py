"""What figures draw from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline import BadUsage, Scores, compare, evaluate
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject, subject_of
from tests.helpers.command_line import QRELS, RUN
from tests.helpers.figure_subjects import evaluated, named, table

if TYPE_CHECKING:
    from pathlib import Path

THREE = table(named(3), ("P", "R", "AP"))


def test_metrics_narrow_every_kind_of_source() -> None:
    scores = evaluated("ranking", 3).scores
    for source, metrics in ((THREE, ["AP", "P"]), (plumbline.compare(THREE), ["AP", "P"]), (scores, ["RR", "AP"])):
        made = subject_of(source, metrics=metrics)
        assert made.cube.metrics == tuple(metrics)
        assert made.comparison is not None
        assert made.comparison.cube.metrics == tuple(metrics)
    assert subject_of(THREE, metrics="AP").cube.metrics == ("AP",)
    with pytest.raises(BadUsage, match="E308 there is no metric"):
        subject_of(plumbline.compare(THREE), metrics=["nothing"])


def test_a_comparison_is_kept_as_it_is() -> None:
    comparison = plumbline.compare(THREE, test="t", eps=0.25)
    made = subject_of(comparison)
    assert made.comparison is comparison
    assert made.eps == 0.25
    assert made.compared_by(("P",)).test == "t"
    assert made.compared_by(systems=("system01", "system02")).systems == ("system01", "system02")


def test_options_of_compare_count() -> None:
    made = subject_of(THREE, comparing={"baseline": "system01", "lower": ["R"], "mean": "arithmetic"})
    assert made.comparison is not None
    assert made.comparison.baseline == "system01"
    assert made.cube.lower.tolist() == [False, True, False]
    assert made.mean == "arithmetic"


def test_one_system_is_not_compared() -> None:
    made = subject_of(table(["only"]))
    assert made.comparison is None
    with pytest.raises(BadUsage, match="E167"):
        made.compared_by(("P",))


def test_gold_and_systems_are_evaluated_and_kept() -> None:
    made = evaluated("ranking", 3)
    assert made.has_outputs
    assert made.task == "ranking"
    assert made.scores is not None
    assert made.notices == made.scores.notices


def test_nothing() -> None:
    assert not Subject().has_values
    assert Subject().notices == ()
    assert Subject().comparison is None


GOLD = {f"q{case}": {f"d{item}": int(item < 4) for item in range(9)} for case in range(3)}
RUNS = {
    name: {case: {item: (at * step) % 9 / 9 for at, item in enumerate(mine)} for case, mine in GOLD.items()}
    for name, step in (("one", 2), ("two", 4))
}
MAIL = {"m1": "spam", "m2": "ham", "m3": "spam"}
FILTERS = {"all": dict.fromkeys(MAIL, "spam"), "own": dict(MAIL)}


@pytest.mark.parametrize("saved", ["in memory", "saved"])
def test_outputs_are_looked_at_as_their_scores_were_made(saved: str, tmp_path: Path) -> None:
    scores = evaluate(GOLD, RUNS, ["AP", "RR"], depth=3)
    if saved == "saved":
        scores.save(tmp_path / "scores.parquet")
        scores = Scores.load(tmp_path / "scores.parquet")
    expected = FIGURES["precision_recall"].draw(subject_of(gold=GOLD, systems=RUNS, metrics=["AP", "RR"], depth=3)).to_dict()
    for source in (scores, compare(scores)):
        made = subject_of(source, gold=GOLD, systems=RUNS)
        assert (made.task, dict(made.options)) == ("ranking", {"depth": 3})
        assert FIGURES["precision_recall"].draw(made).to_dict() == expected
    unlimited = FIGURES["precision_recall"].draw(subject_of(gold=GOLD, systems=RUNS, metrics=["AP"])).to_dict()
    assert unlimited != expected


@pytest.mark.parametrize(
    ("options", "again"),
    [
        ({"positive": "spam"}, {"positive": ["spam"]}),
        ({"positive": ["spam"], "missing_items": "wrong"}, {}),
        ({"positive": ["spam"], "floor": True, "floor_rate": 0.25}, {"floor": True}),
    ],
)
def test_filters_keep_their_positive_label(options: dict[str, Any], again: dict[str, Any]) -> None:
    scores = evaluate(MAIL, FILTERS, ["P", "R"], **options)
    made = subject_of(scores, gold=MAIL, systems=FILTERS, **again)
    assert made.task == "filtering"
    assert made.options["positive"] in ("spam", ["spam"])
    assert made.options.get("missing_items") == options.get("missing_items")
    assert FIGURES["confusion"].draw(made)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depth": 5}, "E348 the scores were made with depth = 3, but depth = 5 was requested"),
        ({"ties": "average"}, "E348 the scores were made without ties, but ties = 'average' was requested"),
        ({"task": "organization"}, "E348 the scores were made with task = 'ranking', but task = 'organization'"),
        ({"as_": "trec_eval"}, "E348 the scores were made without as_"),
        ({"names": "tag"}, "E348 the scores were made without names"),
        ({"depht": 3}, "E371 evaluate: there is no option 'depht'\n  help: did you mean depth"),
        ({"metric": "AP"}, "E371 evaluate: there is no option 'metric'\n  help: did you mean metrics?"),
        ({"depth": "deep"}, "E371 evaluate: depth = 'deep' does not fit\n  help: give a whole number"),
        ({"comparing": {"levl": 3}}, "E371 compare: there is no option 'levl'\n  help: did you mean level"),
        ({"comparing": {"alpha": "x"}}, "E371 compare: alpha = 'x' does not fit\n  help: give a number"),
        ({"comparing": 3}, "E371 compare: comparing = 3 is not a dict"),
        ({"metrics": 3}, "E371 evaluate: metrics = 3 does not fit"),
        ({"systems": None}, "E332 gold was given without systems"),
        ({"gold": None, "systems": None, "depth": 3}, "E349 depth has no effect: nothing is evaluated"),
    ],
)
def test_what_contradicts_or_means_nothing_is_refused(options: dict[str, Any], words: str) -> None:
    scores = evaluate(GOLD, RUNS, ["AP"], depth=3)
    with pytest.raises(BadUsage) as caught:
        subject_of(scores, **{"gold": GOLD, "systems": RUNS, **options})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("task", "gold", "systems", "others"),
    [
        ("ranking", GOLD, RUNS, [{"one": RUNS["one"]}, {**RUNS, "three": RUNS["one"]}, {"one": RUNS["one"], "2": RUNS["two"]}]),
        ("classification", MAIL, FILTERS, [{"all": FILTERS["all"]}]),
        ("clustering", MAIL, FILTERS, [{"all": FILTERS["all"]}, {"all": FILTERS["all"], "mine": MAIL}]),
        ("organization", GOLD, RUNS, [{"one": RUNS["one"]}]),
    ],
)
def test_systems_are_those_of_the_scores(task: str, gold: Any, systems: Any, others: list[Any]) -> None:
    scores = evaluate(gold, systems, task=task, floor=task in {"classification", "clustering"})
    for source in (scores, compare(scores)):
        assert subject_of(source, gold=gold, systems=systems).has_outputs
        for other in others:
            with pytest.raises(BadUsage) as caught:
                subject_of(source, gold=gold, systems=other)
            assert "E174 the scores are of " in str(caught.value)


def test_what_agrees_with_the_scores_may_be_said() -> None:
    scores = evaluate(GOLD, RUNS, ["AP"], depth=3, as_="trec_eval")
    options: dict[str, Any] = {
        "depth": 3,
        "ties": "id",
        "undefined": "zero",
        "as_": "trec_eval",
        "task": "ranking",
        "names": "file",
        "seed": 0,
    }
    made = subject_of(scores, gold=GOLD, systems=RUNS, **options)
    assert dict(made.options) == {"depth": 3, "as_": "trec_eval"}


def test_options_of_a_comparison_that_is_there_are_refused() -> None:
    with pytest.raises(BadUsage, match="E349 baseline has no effect: the comparison was made before"):
        subject_of(compare(THREE), comparing={"baseline": "system01"})
    assert subject_of(compare(THREE), comparing={"baseline": None, "lower": ()}).compared is not None


def test_an_infinite_threshold_and_tables_are_told_in_plain_words(tmp_path: Path) -> None:
    scored = {"a": {"m1": 0.5, "m2": 0.25, "m3": -1.0}}
    scores = evaluate(MAIL, scored, ["P"], positive=("spam",), threshold=float("-inf"))
    assert scores.made["options"] == {"positive": ["spam"], "threshold": "-inf"}
    scores.save(tmp_path / "scores.parquet")
    made = subject_of(Scores.load(tmp_path / "scores.parquet"), gold=MAIL, systems=scored)
    assert made.options["threshold"] == float("-inf")
    with_lengths = evaluate(GOLD, RUNS, ["AP"], depth=3, seed=0, zscores=None, positive=())
    assert with_lengths.made["options"] == {"depth": 3}


def test_systems_called_by_tag_are_so_in_every_figure(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    for name, text in (("one", RUN), ("two", RUN.replace("3.0", "0.5"))):
        tagged = "\n".join(" ".join([*line.split()[:-1], f"tag-{name}"]) for line in text.splitlines())
        (tmp_path / f"{name}.run").write_text(tagged + "\n", encoding="utf-8")
    made = subject_of(gold=tmp_path / "qrels.txt", systems=str(tmp_path / "*.run"), metrics=["AP"], names="tag")
    assert made.cube.systems == ("tag-one", "tag-two")
    assert "tag-one" in str(FIGURES["precision_recall"].draw(made).to_dict())


def test_a_baseline_stays_among_the_systems_that_are_shown() -> None:
    made = subject_of(table(named(5)), comparing={"baseline": "system04"})
    result = made.compared_by(systems=("system01", "system02"))
    assert result.systems == ("system01", "system02", "system04")
    assert result.baseline == "system04"
    assert made.compared_by(systems=("system04", "system01")).systems == ("system04", "system01")
    assert "system04" in str(FIGURES["graph"].draw(made, systems=("system01", "system02")).to_dict())


def test_lengths_are_for_metrics_that_go_by_time() -> None:
    lengths = {f"d{item}": 100 + item for item in range(9)}
    made = subject_of(gold=GOLD, systems=RUNS, metrics=["Rel(discount=time)", "AP"], lengths=lengths)
    again = subject_of(made.scores, gold=GOLD, systems=RUNS, lengths=lengths)
    for subject in (made, again):
        assert subject.options["lengths"] == lengths
        assert FIGURES["precision_recall"].draw(subject)
        assert FIGURES["losses"].draw(subject)
        assert FIGURES["losses"].draw(subject, metrics=["Rel(discount=time)"])


def test_run_tags_are_looked_up_in_the_files_and_not_counted(tmp_path: Path) -> None:
    for name, tag, score in (("one", "A", 2), ("two", "B", 0)):
        (tmp_path / f"{name}.run").write_text(f"q Q0 a 1 {score} {tag}\nq Q0 b 2 1 {tag}\n", encoding="utf-8")
    gold, files = {"q": {"a": 1, "b": 0}}, [str(tmp_path / f"{name}.run") for name in ("one", "two")]
    scores = evaluate(gold, files, "AP", names="tag")
    subject = subject_of(scores, gold=gold, systems=files[::-1])
    assert sorted(subject.outputs.alignment().systems) == ["A", "B"]
