"""Metrics of spans: by hand, a second time by trying every pairing, and beside seqeval and nervaluate."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

import plumbline
from tests.helpers.extraction_oracles import added, drawn_tags, drawn_world, f_of, positions, verdicts

MATCHES = ("strict", "boundary", "type", "partial", "overlap")
GOLD = {"a": [(0, 2, "PER"), (5, 9, "ORG")], "b": [(1, 3, "LOC")]}
OUTPUT = {"a": [(0, 2, "PER"), (5, 8, "ORG"), (10, 11, "LOC")], "b": [(1, 3, "PER")]}


def values(gold: Any, output: Any, *metrics: str, **options: Any) -> list[float | None]:
    """The means of these metrics."""
    scores = plumbline.evaluate(gold, {"one": output}, list(metrics), task="extraction", **options)
    return scores.mean["value"].to_list()


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("P", 1 / 4),
        ("R", 1 / 3),
        ("P(match=boundary)", 2 / 4),
        ("R(match=boundary)", 2 / 3),
        ("P(match=type)", 2 / 4),
        ("R(match=type)", 2 / 3),
        ("P(match=partial)", 2.5 / 4),
        ("R(match=partial)", 2.5 / 3),
        ("P(match=overlap)", 2 / 4),
        ("R(match=overlap,iou=0.8)", 1 / 3),
        ("P(match=positions)", 5 / 8),
        ("R(match=positions)", 5 / 8),
        ("COR", 1),
        ("INC", 2),
        ("MIS", 0),
        ("SPU", 1),
        ("PAR(match=partial)", 1),
        ("SER", 3 / 3),
        ("MUCError", 3 / 4),
    ],
)
def test_metrics_by_hand(metric: str, expected: float) -> None:
    assert values(GOLD, OUTPUT, metric, pooled=True) == [pytest.approx(expected)]


def test_documents_are_cases_unless_they_are_pooled() -> None:
    scores = plumbline.evaluate(GOLD, {"one": OUTPUT}, ["P", "R"], task="extraction")
    assert scores.per_case["case"].unique(maintain_order=True).to_list() == ["a", "b"]
    assert scores.mean["value"].to_list() == [pytest.approx((1 / 3 + 0) / 2), pytest.approx((1 / 2 + 0) / 2)]
    assert [notice.code for notice in scores.notices] == ["N603"]


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("seed", range(60))
def test_metrics_agree_with_every_pairing_tried(match: str, seed: int) -> None:
    gold, output = drawn_world(seed)
    names = [f"{name}(match={match})" for name in ("COR", "INC", "PAR", "MIS", "SPU", "P", "R")]
    documents = [verdicts(gold[name], output[name], match) for name in gold]
    together = added(documents)
    expected = [*together, together.precision, together.recall, f_of(together)]
    results = values(gold, output, *names, f"F(P,R,match={match})", pooled=True)
    assert results == [None if one is None else pytest.approx(one) for one in expected]
    alone = plumbline.evaluate(gold, {"one": output}, [f"F(P,R,match={match})"], task="extraction")
    by_case = alone.per_case["value"].to_list()
    assert by_case == [None if one is None else pytest.approx(one) for one in map(f_of, documents)]


@pytest.mark.parametrize("match", ["strict", "type", "overlap"])
@pytest.mark.parametrize("seed", range(30))
def test_types_are_scored_alone(match: str, seed: int) -> None:
    """Where a right span has the right type, the value of a type is that of its spans alone."""
    gold, output = drawn_world(seed)
    for kind in "AB":
        if not any(one[2] == kind for spans in (*gold.values(), *output.values()) for one in spans):
            continue
        alone = [{name: [one for one in spans if one[2] == kind] for name, spans in side.items()} for side in (gold, output)]
        together = added([verdicts(alone[0][name], alone[1][name], match) for name in gold])
        expected = [together.precision, together.recall]
        results = values(gold, output, f"P(match={match},class={kind})", f"R(match={match},class={kind})", pooled=True)
        assert results == [None if one is None else pytest.approx(one) for one in expected]


@pytest.mark.parametrize("seed", range(40))
def test_positions_agree_with_sets_of_positions(seed: int) -> None:
    gold, output = drawn_world(seed)
    for name in gold:
        expected = positions(gold[name], output[name])
        results = values({name: gold[name]}, {name: output[name]}, "P(match=positions)", "R(match=positions)")
        assert results == [None if one is None else pytest.approx(one) for one in expected]


SCHEMES = {"IOB1": "OIB", "IOB2": "OIB", "IOE1": "OIE", "IOE2": "OIE", "IOBES": "OIBES", "BILOU": "OIBUL"}


def _drawn(letters: str, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    generator = random.Random(seed)  # noqa: S311 - no secret
    gold = [drawn_tags(generator, letters) for _ in range(6)]
    output = [[tag if generator.random() < 0.7 else drawn_tags(generator, letters, most=1)[0] for tag in one] for one in gold]
    return gold, output


def _of_seqeval(gold: Any, output: Any, average: str, **options: Any) -> list[float]:
    seqeval = pytest.importorskip("seqeval.metrics")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            getattr(seqeval, f"{name}_score")(gold, output, average=average, zero_division=0, **options)
            for name in ("precision", "recall", "f1")
        ]


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("seed", range(25))
def test_values_are_those_of_seqeval(average: str, seed: int) -> None:
    """It counts what is undefined as 0, also the precision of a type that was never given, which is left out here."""
    gold, output = _drawn("OIBES", seed)
    expected = _of_seqeval(gold, output, average)
    names = [f"P(average={average})", f"R(average={average})", f"F(P,R,average={average})"]
    scores = plumbline.evaluate(gold, {"one": output}, names, task="extraction", pooled=True)
    complete = not any(notice.code == "N211" or "left out" in notice.text for notice in scores.notices)
    for value, wanted, metric in zip(scores.mean["value"], expected, "PRF", strict=True):
        if average == "micro" or complete:
            assert (value or 0.0) == pytest.approx(wanted), metric


@pytest.mark.parametrize("seed", range(25))
def test_values_are_those_of_the_rules_of_spacy(seed: int) -> None:
    """Its scorer adds right, spurious and missing entities of all documents, in total and for each label, as sets."""
    generator = random.Random(seed)  # noqa: S311 - no secret
    gold, output = (
        {
            name: {
                (at, at + generator.choice((1, 2)), generator.choice("AB")) for at in range(0, 8, 2) if generator.random() < 0.6
            }
            for name in "xyz"
        }
        for _ in range(2)
    )
    names = [f"{name}{rest})" for rest in ("average=micro", "class=A", "class=B") for name in ("P(", "R(", "F(P,R,")]
    listed, given = ({name: list(spans) for name, spans in side.items()} for side in (gold, output))
    scores = plumbline.evaluate(listed, {"one": given}, names, task="extraction", pooled=True)
    expected = []
    for labels in ("AB", "A", "B"):
        wanted, shown = (
            {(name, *span) for name, spans in side.items() for span in spans if span[2] in labels} for side in (gold, output)
        )
        right, tiny = len(wanted & shown), 1e-100
        precision, recall = right / (len(shown) + tiny), right / (len(wanted) + tiny)
        expected += [precision, recall, 2 * precision * recall / (precision + recall + tiny)]
    assert [value or 0.0 for value in scores.mean["value"]] == pytest.approx(expected)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", range(40))
def test_strict_schemes_are_those_of_seqeval(scheme: str, seed: int) -> None:
    schemes = pytest.importorskip("seqeval.scheme")
    gold, output = _drawn(SCHEMES[scheme], seed)
    expected = _of_seqeval(gold, output, "micro", mode="strict", scheme=getattr(schemes, scheme))
    try:
        results = values(gold, output, "P", "R", "F(P,R)", pooled=True, scheme=scheme)
    except plumbline.BadData:
        pytest.fail("nothing is wrong with these tags")
    assert [one or 0.0 for one in results] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(40))
def test_lenient_spans_of_bilou_are_those_of_iobes(seed: int) -> None:
    """Where seqeval's lenient mode does not know L and U, they are read as E and S."""
    gold, output = _drawn("OIBES", seed)
    letters = {"E": "L", "S": "U"}
    other = [[[letters.get(tag[0], tag[0]) + tag[1:] for tag in one] for one in side] for side in (gold, output)]
    assert values(other[0], other[1], "F(P,R)", pooled=True) == values(gold, output, "F(P,R)", pooled=True)


def _in_block(generator: random.Random, first: int) -> tuple[int, int, str]:
    return first + generator.randint(0, 2), first + generator.randint(4, 6), generator.choice("AB")


@pytest.mark.parametrize("seed", range(60))
def test_counts_are_those_of_nervaluate(seed: int) -> None:
    """Where spans overlap one to one: elsewhere it takes the first overlap and not the best one."""
    nervaluate = pytest.importorskip("nervaluate")
    generator = random.Random(seed)  # noqa: S311 - no secret
    gold, output = [], []
    for _ in range(3):
        right = [_in_block(generator, 10 * block) for block in range(4) if generator.random() < 0.8]
        gold.append(right or [(0, 5, "A")])
        output.append([_in_block(generator, 10 * block) for block in range(4) if generator.random() < 0.8])
    as_dicts = [[[{"start": a, "end": b - 1, "label": kind} for a, b, kind in one] for one in side] for side in (gold, output)]
    theirs = nervaluate.Evaluator(*as_dicts, tags=["A", "B"], loader="dict").evaluate()["overall"]
    for mode, match in (("strict", "strict"), ("exact", "boundary"), ("partial", "partial"), ("ent_type", "type")):
        counts = [getattr(theirs[mode], name) for name in ("correct", "incorrect", "partial", "missed", "spurious")]
        rates = [theirs[mode].precision, theirs[mode].recall, theirs[mode].f1]
        names = [f"{name}(match={match})" for name in ("COR", "INC", "PAR", "MIS", "SPU", "P", "R")]
        ours = values(gold, output, *names, f"F(P,R,match={match})", pooled=True)
        assert [one or 0.0 for one in ours] == pytest.approx([*counts, *rates])


def test_nervaluate_takes_the_first_overlap_and_not_the_best_one() -> None:
    """A longer span before the right one takes its place, so that a correct span counts as spurious."""
    nervaluate = pytest.importorskip("nervaluate")
    gold, output = [[(2, 4, "A")]], [[(0, 4, "A"), (2, 4, "A")]]
    as_dicts = [[[{"start": a, "end": b - 1, "label": kind} for a, b, kind in one] for one in side] for side in (gold, output)]
    theirs = nervaluate.Evaluator(*as_dicts, tags=["A"], loader="dict").evaluate()["overall"]["strict"]
    assert theirs.correct == 0
    assert values(gold, output, "COR", pooled=True) == [1.0]


def test_a_threshold_that_changes_nothing_is_refused() -> None:
    with pytest.raises(plumbline.BadUsage, match="E611"):
        values(GOLD, OUTPUT, "P(iou=0.3)")
    with pytest.raises(plumbline.BadUsage, match="E612"):
        values(GOLD, OUTPUT, "COR(match=positions)")


@pytest.mark.parametrize("metric", ["COR", "INC", "PAR", "MIS", "SPU"])
def test_a_count_of_a_type_is_0_where_there_is_none_of_it(metric: str) -> None:
    """The sum over documents is that of all documents together, and nothing is undefined."""
    gold = {"a": [(0, 3, "X"), (5, 7, "Y")], "b": [(0, 3, "Y")], "c": []}
    output = {"a": [(0, 3, "X"), (5, 6, "X")], "b": [(1, 3, "Y")], "c": [(0, 1, "Y")]}
    scores = plumbline.evaluate(gold, {"mine": output}, [f"{metric}(average=none)"], task="extraction", undefined="error")
    assert scores.per_case["value"].null_count() == 0
    assert [notice for notice in scores.notices if notice.code == "N203"] == []
    together = plumbline.evaluate(gold, {"mine": output}, [f"{metric}(average=none)"], task="extraction", pooled=True)
    assert scores.mean["value"].to_list() == together.mean["value"].to_list()
