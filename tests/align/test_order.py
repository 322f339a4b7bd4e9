"""The order of lists against sorting in plain Python, on shuffled, interleaved and tied data."""

from __future__ import annotations

import random
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from plumbline.align.alignment import AlignOptions
from plumbline.align.judgements import prepare_judgements
from plumbline.align.policy import Policy
from plumbline.align.ranking import align_ranking
from plumbline.io.read import read

Rows = list[tuple[str, str, float]]

CASES = ("q1", "q2", "q3")
ITEMS = ("d1", "d10", "d2", "é", "e", "Z")
PAIRS = st.sets(st.tuples(st.sampled_from(CASES), st.sampled_from(ITEMS)), min_size=1)
SCORES = st.sampled_from([-1.0, 0.0, -0.0, 0.5, 0.5000000000000001, 2.0])


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Judgements and a run in any order, with at least one case in common."""
    judged = sorted(draw(PAIRS))
    shown = sorted(draw(PAIRS) | {judged[0]})
    gold = [(case, item, float(draw(st.integers(-1, 3)))) for case, item in judged]
    run = [(case, item, draw(SCORES)) for case, item in shown]
    chance = random.Random(draw(st.integers(0, 1000)))  # noqa: S311 - nothing secret
    chance.shuffle(gold)
    chance.shuffle(run)
    return gold, run


def slowly(gold: Rows, run: Rows, rule: str) -> set[tuple[str, str, float, int]]:
    """Case, item, grade and rank of every judged item that is shown."""
    grades = {(case, item): grade for case, item, grade in gold}
    ranked = set()
    for case in {case for case, _, _ in gold}:
        listed = [(item, score) for other, item, score in run if other == case]
        listed.sort(key=lambda pair: pair[0].encode(), reverse=True)
        if rule != "id":
            sign = -1 if rule == "best" else 1
            listed.sort(key=lambda pair, case=case: sign * grades.get((case, pair[0]), 0.0))  # type: ignore[misc]
        listed.sort(key=lambda pair: -pair[1])
        for rank, (item, _) in enumerate(listed, 1):
            if (case, item) in grades:
                ranked.add((case, item, grades[case, item], rank))
    return ranked


def aligned(gold: Rows, run: Rows, rule: str) -> tuple[set[tuple[str, str, float, int]], dict[str, int]]:
    qrels = "".join(f"{case} 0 {item} {grade:g}\n" for case, item, grade in gold)
    output = "".join(f"{case} Q0 {item} 0 {score!r} t\n" for case, item, score in run)
    options = AlignOptions(Policy(ties=rule))  # type: ignore[arg-type]  # one of the words
    judgements = prepare_judgements(read(BytesIO(qrels.encode()), "gold"), options.policy)
    made = align_ranking(judgements, [("sys", read(BytesIO(output.encode()), "output"))], options)
    rows = made.rows.frame(made.gold).select("case", "item", "grade", "rank").rows()
    return (
        {(made.cases[code], item, grade, int(rank)) for code, item, grade, rank in rows},
        dict(zip(made.cases, made.shown.tolist(), strict=True)),
    )


@given(worlds(), st.sampled_from(["id", "best", "worst"]))
def test_ranks(world: tuple[Rows, Rows], rule: str) -> None:
    gold, run = world
    result, shown = aligned(gold, run, rule)
    assert result == slowly(gold, run, rule)
    assert shown == {case: sum(other == case for other, _, _ in run) for case, _, _ in gold}


@given(worlds())
def test_cases_stand_in_the_order_of_the_gold(world: tuple[Rows, Rows]) -> None:
    gold, run = world
    _, shown = aligned(gold, run, "id")
    assert list(shown) == list(dict.fromkeys(case for case, _, _ in gold))


@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(world: tuple[Rows, Rows], chance: random.Random) -> None:
    gold, run = world
    turned = list(run)
    chance.shuffle(turned)
    assert aligned(gold, run, "id") == aligned(gold, turned, "id")


@given(worlds())
def test_average_knows_the_tie_groups(world: tuple[Rows, Rows]) -> None:
    gold, run = world
    qrels = "".join(f"{case} 0 {item} {grade:g}\n" for case, item, grade in gold)
    output = "".join(f"{case} Q0 {item} 0 {score!r} t\n" for case, item, score in run)
    options = AlignOptions(Policy(ties="average"))
    judgements = prepare_judgements(read(BytesIO(qrels.encode()), "gold"), options.policy)
    made = align_ranking(judgements, [("s", read(BytesIO(output.encode()), "output"))], options)
    scores = {(case, item): score for case, item, score in run}
    for code, item, offset, size in made.rows.frame(made.gold).select("case", "item", "offset", "size").iter_rows():
        scored = scores[made.cases[code], item]
        others = [score for case, _, score in run if case == made.cases[code]]
        assert offset == sum(score > scored for score in others)
        assert size == sum(score == scored for score in others)
