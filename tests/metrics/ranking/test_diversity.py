"""Diversity: a second time for golds with and without subtopics, by hand, and as ndeval has it."""

from __future__ import annotations

import lzma
import random
from math import log, log2
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from tests.helpers.ranking_oracles import Listed, Value, oracle
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Aspects = dict[str, float]
"""The grade of an item for each subtopic."""
DIVERSITY: dict[str, Callable[..., Value]] = {}


def diversity(name: str) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Register a formula of the subtopics of the items shown and of those of the gold; without subtopics there is one."""

    def register(formula: Callable[..., float]) -> Callable[..., float]:
        def of_subtopics(shown: Sequence[Aspects], gold: Sequence[Aspects], *, rel: float = 1.0, **parameters: Any) -> Value:
            about = [{subtopic for subtopic, grade in item.items() if grade >= rel} for item in shown]
            wanted = [{subtopic for subtopic, grade in item.items() if grade >= rel} for item in gold]
            if not any(wanted):
                return None
            if name == "RBU":
                return formula(shown, gold, rel, **parameters)
            return formula(about, wanted, **parameters)

        def of_list(case: Listed, **parameters: Any) -> Value:
            sides = ([{} if grade is None else {"": grade} for grade in side] for side in (case.shown, case.gold))
            return of_subtopics(*sides, **parameters)

        DIVERSITY[name] = of_subtopics
        oracle(name)(of_list)
        return formula

    return register


Sets = list[set[str]]


def novelty(about: Sets, alpha: float) -> list[float]:
    """What each item adds, by counting the items above it for each of its subtopics."""
    return [sum((1 - alpha) ** sum(s in above for above in about[:at]) for s in item) for at, item in enumerate(about)]


def number(wanted: Sets) -> int:
    return len(set().union(*wanted))


@diversity("alpha_nDCG")
def novelty_gain(about: Sets, wanted: Sets, *, k: int | None = None, alpha: float = 0.5) -> float:
    """A greedy list, of which each item is chosen by trying all."""
    best: Sets = []
    left = list(wanted)
    while left:
        chosen = max(left, key=lambda item: novelty([*best, item], alpha)[-1])
        left.remove(chosen)
        best.append(chosen)
    totals = [sum(gain / log2(at + 2) for at, gain in enumerate(novelty(side, alpha)[:k])) for side in (about, best)]
    return totals[0] / totals[1]


@diversity("ERR_IA")
def intent_aware_err(about: Sets, wanted: Sets, *, k: int | None = None, alpha: float = 0.5) -> float:
    """The sum of a list over that of a list with every subtopic at every rank."""
    every = -log(alpha) / (1 - alpha) if k is None else sum((1 - alpha) ** at / (at + 1) for at in range(k))
    return sum(gain / (at + 1) for at, gain in enumerate(novelty(about, alpha)[:k])) / every / number(wanted)


@diversity("NRBP")
def novelty_and_rank_biased_precision(about: Sets, wanted: Sets, *, alpha: float = 0.5, beta: float = 0.5) -> float:
    """A geometric sum."""
    total = sum(gain * beta**at for at, gain in enumerate(novelty(about, alpha)))
    return (1 - (1 - alpha) * beta) * total / number(wanted)


@diversity("AP_IA")
def intent_aware_precision(about: Sets, wanted: Sets) -> float:
    """Subtopic by subtopic."""
    total = 0.0
    for subtopic in set().union(*wanted):
        ranks = [at + 1 for at, item in enumerate(about) if subtopic in item]
        total += sum((hits + 1) / rank for hits, rank in enumerate(ranks)) / sum(subtopic in item for item in wanted)
    return total / number(wanted)


@diversity("P_IA")
def precision_of_subtopics(about: Sets, wanted: Sets, *, k: int) -> float:
    """Pairs of an item and a subtopic."""
    return sum(map(len, about[:k])) / k / number(wanted)


@diversity("StRecall")
def subtopic_recall(about: Sets, wanted: Sets, *, k: int | None = None) -> float:
    """Subtopics that the first items are about."""
    return len(set().union(*about[:k])) / number(wanted)


@diversity("RBU")
def rank_biased_utility(
    shown: Sequence[Aspects], gold: Sequence[Aspects], rel: float, *, k: int | None = None, p: float = 0.8, e: float = 0.03
) -> float:
    """A user of each subtopic goes down the list, and each step costs."""
    top = {s: max(item.get(s, 0.0) for item in gold) for item in gold for s, grade in item.items() if grade >= rel}
    total = 0.0
    unsatisfied = dict.fromkeys(top, 1.0)
    for at, item in enumerate(shown[:k]):
        gained = 0.0
        for subtopic, highest in top.items():
            grade = item.get(subtopic, 0.0)
            chance = (2**grade - 1) / 2**highest if grade >= rel else 0.0
            gained += unsatisfied[subtopic] * chance
            unsatisfied[subtopic] *= 1 - chance
        total += p**at * (gained / len(top) - e)
    return (1 - p) * total


NAMES = [
    "alpha_nDCG@3",
    "alpha_nDCG",
    "ERR_IA@3",
    "ERR_IA",
    "NRBP",
    "AP_IA",
    "P_IA@2",
    "StRecall@2",
    "StRecall",
    "RBU",
    "RBU@2",
]
NAMES += ["alpha_nDCG(alpha=0.2)@3", "NRBP(beta=0.8)", "AP_IA(rel=2)", "RBU(p=0.5,e=0.1,rel=2)"]


def frame(gold: dict[str, dict[str, Aspects]]) -> pl.DataFrame:
    rows = [
        (case, s, item, grade) for case, items in gold.items() for item, grades in items.items() for s, grade in grades.items()
    ]
    return pl.DataFrame(rows, schema=["case", "subtopic", "item", "grade"], orient="row")


@pytest.mark.parametrize("seed", range(8))
def test_oracles_agree_on_golds_with_subtopics(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    gold: dict[str, dict[str, Aspects]] = {
        case: {
            item: {s: float(draw.randint(0, 2)) for s in draw.sample("123", draw.randint(1, 3))}
            for item in draw.sample("abcdefg", draw.randint(2, 7))
        }
        for case in ("q1", "q2", "q3")
    }
    run = {case: {item: draw.random() for item in draw.sample("abcdefghij", draw.randint(1, 9))} for case in gold}
    scores = plumbline.evaluate(frame(gold), run, NAMES)
    for _, case, name, value in scores.per_case.iter_rows():
        measure = plumbline.parse(name)
        shown = [gold[case].get(item, {}) for item in sorted(run[case], key=lambda item: -run[case][item])]
        expected = DIVERSITY[measure.parts[0].metric.name](shown, list(gold[case].values()), **dict(measure.parts[0].arguments))
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-12)), name


def test_equal_scores_of_items_with_one_grade_are_told_apart() -> None:
    """The item about both subtopics stands first, or second, as often."""
    gold = frame({"q": {"a": {"1": 1, "2": 1}, "b": {"1": 1}}})
    scores = plumbline.evaluate(gold, {"q": {"a": 1.0, "b": 1.0}}, "StRecall@1", ties="average")
    assert scores.per_case["value"].to_list() == [0.75]


def test_ndeval_agrees(tmp_path: Path) -> None:
    """All topics of the Web track of 2013 that have a number below 216, and a list of their judged documents in some order."""
    pyndeval = pytest.importorskip("pyndeval")
    packed = shared("data", "trec_qrels", "qrels.web.201-250.ndeval.txt.xz").read_bytes()
    lines = [line.split() for line in lzma.decompress(packed).decode().splitlines() if int(line.split()[0]) < 216]
    (tmp_path / "web.qrels").write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")
    draw, run = random.Random(1), {}  # noqa: S311 - not for secrets
    for topic in {line[0] for line in lines}:
        items = sorted({line[2] for line in lines if line[0] == topic})
        run[topic] = {item: draw.random() for item in draw.sample(items, 40)} | {"unjudged": 0.5}
    named = {"alpha-nDCG@20": "alpha_nDCG@20", "alpha-nDCG@5": "alpha_nDCG@5", "ERR-IA@10": "ERR_IA@10", "NRBP": "NRBP"}
    named |= {"MAP-IA": "AP_IA", "P-IA@10": "P_IA@10", "strec@10": "StRecall@10"}
    scores = plumbline.evaluate(tmp_path / "web.qrels", run, list(named.values()))
    actual = {(case, name): value for _, case, name, value in scores.per_case.iter_rows()}
    judged = [pyndeval.SubtopicQrel(topic, subtopic, item, int(grade)) for topic, subtopic, item, grade in lines]
    listed = [pyndeval.ScoredDoc(topic, item, score) for topic, items in run.items() for item, score in items.items()]
    for topic, values in pyndeval.ndeval(judged, listed).items():
        for theirs, ours in named.items():
            assert actual[topic, ours] == pytest.approx(values[theirs], abs=1e-12), (topic, ours)


QRELS = "q 1 a 2\nq 2 a 1\nq 1 b 1\nq 2 c 1\nq 3 c 0\n"


def test_the_second_column_of_judgements_is_a_subtopic(tmp_path: Path) -> None:
    (tmp_path / "div.qrels").write_text(QRELS, encoding="utf-8")
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}}
    scores = plumbline.evaluate(tmp_path / "div.qrels", run, ["StRecall@1", "NumRel(rel=2)", "nDCG"])
    assert scores.per_case["value"].to_list()[:2] == [0.5, 1.0]
    assert "N282" in {notice.code for notice in scores.notices}
    table = plumbline.evaluate(frame({"q": {"a": {"1": 2, "2": 1}, "b": {"1": 1}, "c": {"2": 1, "3": 0}}}), run, "nDCG")
    assert table.per_case["value"].to_list() == scores.per_case["value"].to_list()[2:]


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "parquet", "qrels"])
def test_subtopics_are_kept_in_every_format(ending: str, tmp_path: Path) -> None:
    (tmp_path / "div.txt").write_text(QRELS, encoding="utf-8")
    plumbline.convert(tmp_path / "div.txt", tmp_path / f"again.{ending}", role="gold")
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}}
    both = [plumbline.evaluate(tmp_path / name, run, NAMES).per_case for name in ("div.txt", f"again.{ending}")]
    assert both[0]["value"].to_list() == both[1]["value"].to_list()


def test_one_grade_for_each_item_and_subtopic(tmp_path: Path) -> None:
    path = tmp_path / "div.qrels"
    path.write_text(QRELS + "q 2 a 0\n", encoding="utf-8")
    with pytest.raises(plumbline.BadData, match=r"div\.qrels:6.*a \(subtopic 2\)"):
        plumbline.evaluate(path, {"q": {"a": 1.0}}, "StRecall@1")
    path.write_text(QRELS + "q 2 a 1\n", encoding="utf-8")
    scores = plumbline.evaluate(path, {"q": {"a": 1.0}}, "StRecall@1")
    assert "N208" in {notice.code for notice in scores.notices}
