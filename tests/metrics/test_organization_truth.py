"""Reliability and Sensitivity agree with the slow second implementation, with what is published and with what can be proved."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.align.sides import Side, Sides
from plumbline.views import relatedness, repeated
from plumbline.views.relations import CAUSES, Relations, Setting
from tests.helpers.filtering_oracles import harmonic
from tests.helpers.organization_oracles import (
    CURVES,
    EVERY_OVER,
    KINDS,
    half_life,
    losses,
    options_of,
    ranking,
    reading_time,
    rel,
    sens,
)
from tests.helpers.organization_worlds import NESTED, Pair, many, nested, pairs, random_organization, rows
from tests.helpers.ranking_worlds import ITEMS, World, moderate, worlds
from tests.helpers.score_values import Values, assert_same, values_of
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.helpers.organization_oracles import Occurrence, Organization

    Collection = Literal["unlimited", "finite"]
    Absent = Literal["unknown", "tail"]
    YesOrNo = Literal["false", "true"]

pytestmark = pytest.mark.slow

MEASURE_OF = {"Rel": rel, "Sens": sens}
SETTINGS: list[tuple[Collection, Absent, YesOrNo]] = list(
    product(("unlimited", "finite"), ("unknown", "tail"), ("false", "true"))
)
TOLERANCE = 1e-12


def sides_of(worlds: Sequence[Pair], seconds: Callable[[str, Organization], float] | None = None) -> Sides:
    """Many pairs as the two sides of one system, each a list of its own; `seconds` tells what an item takes there."""
    docs: dict[tuple[int, str], int] = {}
    made = []
    for at in (1, 0):
        clusters: dict[Any, int] = {}
        columns: list[tuple[int, int, int, int, float]] = []
        for number, pair in enumerate(worlds):
            levels = {level: place for place, level in enumerate(sorted({level for _, level, _ in pair[at]}))}
            for item, at_level, name in sorted(pair[at], key=lambda one: one[1]):
                of_item = docs.setdefault((number, item), len(docs))
                each = clusters.setdefault((number, name), len(clusters))
                columns.append((number, levels[at_level], of_item, each, seconds(item, pair.gold) if seconds else 1.0))
        table = np.array(columns, dtype=np.float64).reshape(-1, 5)
        lists, level, doc, cluster = table[:, :4].astype(np.int64).T.copy()
        made.append(Side(lists, level, doc, cluster, table[:, 4] if seconds else None))
    return Sides(len(worlds), np.array([number for number, _ in docs], dtype=np.int64), *made)


def view_of(worlds: Sequence[Pair]) -> Relations:
    """The relations of many pairs."""
    sides = sides_of(worlds)
    return Relations(lambda _: [sides])


def assert_oracle_agrees(worlds: Sequence[Pair], setting: Setting, **options: Any) -> float:
    """Values and losses of both measures over every kind of relation; the worst difference is returned."""
    view, worst = view_of(worlds), 0.0
    for over, (which, measure) in product(EVERY_OVER, MEASURE_OF.items()):
        requested: Any = (which, over, setting)
        actual = view.value(*requested)
        expected = numbers(measure(system, gold, over=over, **options) for gold, system in worlds)
        worst = max(worst, difference(actual, expected))
        if over not in KINDS:
            continue
        lost = view.losses(*requested)
        parameters = [losses(system, gold, over=over, side=which.lower(), **options) for gold, system in worlds]
        there = ~np.isnan(expected)
        assert tuple(lost) == CAUSES[requested[:2]]
        assert set().union(*parameters) <= set(lost)
        for cause, amounts in lost.items():
            worst = max(worst, difference(amounts[there], numbers(one.get(cause, 0) for one in parameters)[there]))
        worst = max(worst, difference(actual[there] + sum(lost.values())[there], np.ones(there.sum())))  # type: ignore[index]
    assert worst <= TOLERANCE, setting
    return worst


def numbers(values: Iterable[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """As floats, not a number where undefined."""
    return np.array([np.nan if value is None else float(value) for value in values])


def difference(actual: Any, expected: Any) -> float:
    """The largest one; what is undefined must be so on both sides."""
    assert np.array_equal(np.isnan(actual), np.isnan(expected))
    return float(np.nanmax(np.abs(actual - expected), initial=0.0, where=~np.isnan(expected)))


# --- the views and the oracle -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("collection", "absent", "credit"), SETTINGS)
def test_many_organizations_at_once(collection: Collection, absent: Absent, credit: YesOrNo) -> None:
    seed = SETTINGS.index((collection, absent, credit))
    setting = Setting(collection, n=4, tail_credit=credit, absent=absent)
    worlds = list(many(75, seed=seed))
    assert_oracle_agrees(worlds, setting, collection=collection, absent=absent, n=4, tail_credit=credit == "true")


@pytest.mark.parametrize("absent", ["unknown", "tail"])
@pytest.mark.parametrize(("n", "w"), [(1, 0.5), (3, 0.8), (30, 0.8), (100, 0.99), (2, 0.001)])
@pytest.mark.parametrize("discount", [*CURVES, "3:0:0.5", "1", "2:2:2:2:2:2:1:1:1:1:0.25"])
def test_every_discount(discount: Any, n: int, w: float, absent: Absent) -> None:
    parameters: dict[str, Any] = {"discount": discount} if discount in CURVES else {"weights": discount}
    setting = Setting(n=n, w=w, absent=absent, **parameters)
    worlds = list(many(12, seed=n + len(discount)))
    assert_oracle_agrees(worlds, setting, absent=absent, **options_of({"n": n, "w": w, **parameters}))


@pytest.mark.parametrize("absent", ["unknown", "tail"])
def test_positions_that_are_seconds(absent: Absent) -> None:
    lengths = {f"i{number}": 37 * number**3 % 2003 for number in range(40)}

    def seconds(item: str, gold: Organization) -> float:
        return float(reading_time(lengths, gold)(item))

    worlds = list(many(40, seed=7))
    sides, options = sides_of(worlds, seconds), {"absent": absent, "left": half_life()}
    view = Relations(lambda _: [sides])
    for over, (which, measure) in product(EVERY_OVER, MEASURE_OF.items()):
        requested: Any = (which, over, Setting(discount="time", absent=absent))
        expected = numbers(
            measure(system, gold, over=over, cost=reading_time(lengths, gold), **options) for gold, system in worlds
        )
        assert difference(view.value(*requested), expected) <= TOLERANCE


@pytest.mark.parametrize("size", [20, 60])
@pytest.mark.parametrize(("collection", "absent", "credit"), SETTINGS[::3])
def test_larger_organizations(size: int, collection: Collection, absent: Absent, credit: YesOrNo) -> None:
    worlds = list(many(60 // size, size=size, seed=size))
    setting = Setting(collection, tail_credit=credit, absent=absent)
    assert_oracle_agrees(worlds, setting, collection=collection, absent=absent, tail_credit=credit == "true")


def often(times: tuple[int, ...], seed: int) -> Pair:
    """Items that occur so often on each side, and some that occur once on one side or on both."""
    rng = np.random.default_rng(seed)
    made: list[list[Occurrence]] = []
    for k in times:
        names = [*(name for name in "ab" for _ in range(k)), *rng.choice(list("cdef"), 3, replace=False)]
        made.append([(str(name), int(rng.integers(0, 5)), place) for place, name in enumerate(names)])
        for place, (name, level, _) in enumerate(made[-1]):
            if rng.random() < 0.5 and ("x", name) not in {(one[2], one[0]) for one in made[-1]}:
                made[-1][place] = (name, level, "x")
    return Pair(made[0], made[1])


@pytest.mark.parametrize(("collection", "absent", "credit"), SETTINGS)
def test_items_that_occur_often(collection: Collection, absent: Absent, credit: YesOrNo) -> None:
    worlds = [often(times, seed) for seed, times in enumerate(product((0, 1, 2, 4, 6), repeat=2))]
    setting = Setting(collection, n=5, tail_credit=credit, absent=absent)
    assert_oracle_agrees(worlds, setting, collection=collection, absent=absent, n=5, tail_credit=credit == "true")


@pytest.mark.parametrize("together", [1, 7, 60])
@pytest.mark.parametrize("absent", ["unknown", "tail"])
def test_blocks_of_any_size_give_the_same(together: int, absent: Absent, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = [*many(30, seed=11), *(often((2, 3), seed) for seed in range(10)), *many(4, size=40, seed=12)]
    sides, setting = sides_of(worlds), Setting(absent=absent)
    requested: list[Any] = [(which, over, setting) for which, over in product(MEASURE_OF, KINDS)]
    full = Relations(lambda _: [sides])
    expected = [full.value(*one) for one in requested]
    monkeypatch.setattr(repeated, "MOST_TOGETHER", together)
    monkeypatch.setattr(repeated, "FEW", together)
    monkeypatch.setattr(relatedness, "MOST_TOGETHER", together)
    cut = Relations(lambda _: [sides])
    for one, values in zip(requested, expected, strict=True):
        assert difference(cut.value(*one), values) <= TOLERANCE
    assert_oracle_agrees(worlds[:70], setting, absent=absent)


def test_no_list_at_all_and_lists_without_anything() -> None:
    for some in ([], [Pair([], [])], [Pair([], []), Pair([("a", 0, 0)], []), Pair([], [("a", 0, 0)]), Pair([], [])]):
        assert_oracle_agrees(some, Setting())
        assert_oracle_agrees(some, Setting("finite", absent="tail"), collection="finite", absent="tail")


def test_systems_stand_one_after_the_other() -> None:
    worlds = list(many(30, seed=3))
    parts = [sides_of(worlds[:10]), sides_of(worlds[10:])]
    requested: Any = ("Rel", "both", Setting())
    assert np.array_equal(Relations(lambda _: parts).value(*requested), view_of(worlds).value(*requested), equal_nan=True)


# --- the organization task ----------------------------------------------------------------------------------------------

SPELLED = [
    f"{which}(over={over},collection={collection},absent={absent},tail_credit={credit},n=4)"
    for which, over, (collection, absent, credit) in product(MEASURE_OF, EVERY_OVER, SETTINGS)
]


def told_by(name: str) -> dict[str, Any]:
    """The options of the oracle for a spelled name."""
    parameters = dict(part.split("=") for part in name.split("(", 1)[1].rstrip(")").split(","))
    return parameters | {"n": int(parameters["n"]), "tail_credit": parameters["tail_credit"] == "true"}


def oracle_values(cases: dict[str, Pair], names: list[str], answered: set[str]) -> Values:
    """A case that the system lacks, or answers with nothing, scores 0, unless the gold has nothing there either."""
    actual: Values = {}
    for (case, pair), name in product(cases.items(), names):
        value = MEASURE_OF[name.split("(", 1)[0]](pair.system, pair.gold, **told_by(name))
        worst = pair.gold and (case not in answered or not pair.system)
        key = case, str(plumbline.parse(name, task="organization"))
        actual[key] = 0.0 if worst else None if value is None else float(value)
    return actual


@st.composite
def many_cases(draw: st.DrawFn, forms: Any) -> tuple[dict[str, Pair], set[str]]:
    """One to three cases, the first of which both sides have, and which of them the system answers."""
    cases = {"q1": draw(pairs(forms, least=1)), **{f"q{i}": draw(pairs(forms)) for i in range(2, draw(st.integers(2, 4)))}}
    return cases, {"q1", *(case for case in cases if draw(st.booleans()))}


def evaluated(sides: Sequence[Any], names: Sequence[str], **options: Any) -> Values:
    """Every value of the organization task; the sides are gold and system."""
    return values_of(plumbline.evaluate(sides[0], {"s": sides[1]}, list(names), task="organization", **options), "s")


@moderate(12)
@given(drawn=many_cases(NESTED))
def test_nested_levels_by_case(drawn: tuple[dict[str, Pair], set[str]]) -> None:
    cases, answered = drawn
    gold = {case: nested(pair.gold) for case, pair in cases.items()}
    run = {case: nested(cases[case].system) for case in sorted(answered, reverse=True)}
    actual, expected = evaluated((gold, run), [*SPELLED, "F(Rel,Sens)", "Rel", "Sens"]), oracle_values(cases, SPELLED, answered)
    for case in cases:
        one, other = (actual[case, name] for name in ("Rel", "Sens"))
        both = harmonic(one, other, 0.5)  # type: ignore[arg-type]  # no text
        expected |= {(case, "Rel"): one, (case, "Sens"): other, (case, "F(Rel,Sens)"): None if both is None else float(both)}
    assert_same(actual, expected)


@moderate(12)
@given(pair=pairs(NESTED, least=1))
def test_f_is_the_harmonic_mean_of_all_four(pair: Pair) -> None:
    names = ["F(Rel,Sens)", *(f"{which}(over={kind})" for which, kind in product(MEASURE_OF, KINDS))]
    together, *four = evaluated(({"q": nested(pair.gold)}, {"q": nested(pair.system)}), names).values()
    assert all(isinstance(one, float) for one in four)
    assert together == pytest.approx(4 / sum(1 / one for one in four) if all(four) else 0, rel=1e-12)  # type: ignore[operator,misc]


@moderate(12)
@given(drawn=many_cases(("spanning", "once", "nested")))
def test_tables_whose_clusters_span_levels(drawn: tuple[dict[str, Pair], set[str]]) -> None:
    cases, answered = drawn
    cases = {case: pair for case, pair in cases.items() if pair.gold}
    frames = [
        pl.DataFrame([{"case": case, **row} for case, pair in cases.items() if case in requested for row in rows(pair[at])])
        for at, requested in ((0, set(cases)), (1, answered))
    ]
    assert_same(evaluated(frames, SPELLED), oracle_values(cases, SPELLED, answered))


# --- published ----------------------------------------------------------------------------------------------------------


def published(name: str) -> dict[str, Any]:
    """An entry of the values that the papers print."""
    actual: dict[str, Any] = json.loads(shared("golden", "papers.json").read_text(encoding="utf-8"))[name]
    return actual


@pytest.mark.parametrize(("credit", "column"), [("false", "formula"), ("true", "tail_credit")])
def test_table_9(credit: str, column: str) -> None:
    table = published("rs_table9")
    names = [
        f"{which}(over={kind},n={table['n']},w={table['w']},tail_credit={credit})" for kind, which in product(KINDS, MEASURE_OF)
    ]
    systems = {f"s{number}": {"q": output["x"]} for number, output in enumerate(table["outputs"])}
    scores = plumbline.evaluate({"q": table["gold"]}, systems, names, task="organization")
    assert len(systems) * len(names) == 20
    for number, output in enumerate(table["outputs"]):
        assert list(values_of(scores, f"s{number}").values()) == pytest.approx(output[column], abs=0.00005)


LENGTHS = list(range(2, 61))
OF_THE_FORMULA = "tail_credit=false"
OF_THE_TAIL = "tail_credit=false,absent=tail"


@pytest.mark.parametrize(
    ("setting", "relevant", "cut"),
    [
        *(("", relevant, 20) for relevant in (88, 90, 100, 300, 1000, 3000)),
        *(("", relevant, cut) for relevant, cut in ((87, 21), (60, 22), (42, 24), (0, 29))),
        *((OF_THE_TAIL, relevant, cut) for relevant, cut in ((0, 20), (31, 25), (100, 48))),
        *((OF_THE_FORMULA, relevant, cut) for relevant, cut in ((0, 46), (100, None))),
        *(("tail_credit=true,absent=tail", relevant, cut) for relevant, cut in ((0, 7), (100, 2))),
    ],
)
def test_the_cut_point(setting: str, relevant: int, cut: int | None) -> None:
    """The n from which one relevant item at the top wins: 20 in section 4.4.1, which names no gold; 0 is a gold of n + 1."""
    lengths = [n for n in LENGTHS if not relevant or n < relevant]
    gold = {f"q{n}": dict.fromkeys([f"r{i}" for i in range(relevant or n + 1)], 1) for n in lengths}
    runs: dict[str, dict[str, dict[str, int]]] = {"early": {}, "late": {}}
    for n in lengths:
        noise = [f"n{i}" for i in range(2 * n - 1)]
        for name, items in {"early": ["r0", *noise], "late": [*noise[:n], *(f"r{i}" for i in range(1, n + 1))]}.items():
            runs[name][f"q{n}"] = {item: -place for place, item in enumerate(items)}
    scores = plumbline.evaluate(gold, runs, f"F(Rel({setting}),Sens({setting}))").per_case
    wide = scores.pivot("system", index="case", values="value")
    wins = {int(case.removeprefix("q")) for case in wide.filter(pl.col("early") > pl.col("late"))["case"]}
    assert wins == {n for n in lengths if cut is not None and n >= cut}


# --- other tasks are organizations --------------------------------------------------------------------------------------

Decisions = dict[str, dict[str, int]]


@st.composite
def decisions(draw: st.DrawFn) -> tuple[Decisions, Decisions]:
    """What a gold and a filter say about the same items of one to three cases."""
    cases = [f"q{i}" for i in range(draw(st.integers(1, 3)))]
    drawn = {
        case: draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=len(ITEMS))) for case in cases
    }
    gold, run = ({case: {ITEMS[i]: both[at] for i, both in enumerate(rows)} for case, rows in drawn.items()} for at in (0, 1))
    return gold, run


def two_levels(labels: dict[str, int]) -> list[list[list[str]]]:
    """Positive items above negative ones, each alone."""
    levels = [[[item] for item, label in labels.items() if label == one] for one in (1, 0)]
    return [level for level in levels if level]


@moderate(15)
@given(labels=decisions())
def test_a_filter_of_a_finite_collection_is_two_levels(labels: tuple[Decisions, Decisions]) -> None:
    gold, run = labels
    names = ["Rel", "Sens", "P", "NPV", "R", "Specificity"]
    scores = values_of(plumbline.evaluate(gold, {"s": run}, names, task="filtering"), "s")
    sides = [{case: two_levels(items) for case, items in side.items()} for side in labels]
    for absent in ("unknown", "tail"):
        finite = {which: f"{which}(over=priority,collection=finite,absent={absent})" for which in MEASURE_OF}
        levels = evaluated(sides, list(finite.values()))
        for case, (which, (one, other)) in product(gold, {"Rel": ("P", "NPV"), "Sens": ("R", "Specificity")}.items()):
            parts = scores[case, one], scores[case, other]
            expected = None if None in parts else pytest.approx(parts[0] * parts[1], abs=1e-12)  # type: ignore[operator]
            assert scores[case, which] == expected
            assert levels[case, str(plumbline.parse(finite[which], task="organization"))] == expected


@moderate(15)
@given(labels=decisions())
def test_a_filter_of_an_unlimited_collection_has_precision_and_recall(labels: tuple[Decisions, Decisions]) -> None:
    gold, run = labels
    names = ["Rel(collection=unlimited,tail_credit=false)", "P", "Sens(collection=unlimited,tail_credit=false)", "R"]
    scores = values_of(plumbline.evaluate(gold, {"s": run}, names, task="filtering"), "s")
    for case, (one, other) in product(gold, (names[:2], names[2:])):
        assert scores[case, one] == pytest.approx(scores[case, other], abs=1e-15)


CLOSED = [
    f"{which}(over={over},collection={collection},tail_credit={credit},n=4,w=0.6)"
    for which, over, collection, credit in product(MEASURE_OF, KINDS, ("unlimited", "finite"), ("false", "true"))
]


def options_in(name: str) -> dict[str, Any]:
    parameters: dict[str, Any] = dict(part.split("=") for part in name.split("(", 1)[1].rstrip(")").split(","))
    return options_of(parameters | {"n": int(parameters["n"]), "w": float(parameters["w"])})


@pytest.mark.parametrize("more", ["", ",discount=geometric", ",discount=logarithmic", ",discount=uniform", ",weights=1:3:0:1"])
@moderate(15)
@given(labels=decisions())
def test_closed_forms_of_filters(more: str, labels: tuple[Decisions, Decisions]) -> None:
    gold, run = labels
    names = [name[:-1] + more + ")" for name in CLOSED]
    actual = values_of(plumbline.evaluate(gold, {"s": run}, names, task="filtering"), "s")
    for case, name in product(gold, names):
        finite = "collection=finite" in name
        x, g = ([(item, 1 - label, item) for item, label in side[case].items() if label or finite] for side in (run, gold))
        value = MEASURE_OF[name.split("(", 1)[0]](x, g, **options_in(name))
        assert_same(
            {("", ""): actual[case, str(plumbline.parse(name, task="filtering"))]},
            {("", ""): None if value is None else float(value)},
        )


Memberships = list[tuple[str, str]]


@st.composite
def clusterings(draw: st.DrawFn, most: int) -> tuple[Memberships, Memberships]:
    """Two clusterings of the same items, each of which is in up to so many clusters."""
    items = ITEMS[: draw(st.integers(1, 7))]
    sets = st.sets(st.sampled_from("pqrs"), min_size=1, max_size=most)
    first, second = ([(item, cluster) for item in items for cluster in sorted(draw(sets))] for _ in range(2))
    return first, second


def as_frame(memberships: Memberships) -> pl.DataFrame:
    """Clusters of one case, all in one level."""
    columns = {"item": pl.String, "cluster": pl.String}
    return pl.DataFrame(memberships, schema=columns, orient="row").select(pl.lit("q").alias("case"), "item", "cluster")


@moderate(15)
@given(both=clusterings(1))
def test_a_finite_partition_has_bcubed_precision_and_recall(both: tuple[Memberships, Memberships]) -> None:
    gold, run = map(as_frame, both)
    names = ["Rel", "BCubedP", "Sens", "BCubedR"]
    actual = values_of(plumbline.evaluate(gold, {"s": run}, names, task="clustering"), "s")
    level = [frame.with_columns(pl.lit(1).alias("level")) for frame in (gold, run)]
    same = ["Rel(over=related,collection=finite)", "Sens(over=related,collection=finite)"]
    organized = list(evaluated(level, same).values())
    reliability, precision, sensitivity, recall = actual.values()
    assert [reliability, sensitivity] == pytest.approx([precision, recall], abs=1e-15)
    assert organized == pytest.approx([precision, recall], abs=1e-12)


@pytest.mark.parametrize("more", ["", ",discount=geometric", ",discount=logarithmic", ",discount=uniform", ",weights=1:3:0:1"])
@moderate(15)
@given(both=clusterings(3))
def test_closed_forms_of_clusterings(more: str, both: tuple[Memberships, Memberships]) -> None:
    gold, run = map(as_frame, both)
    names = [name[:-1] + more + ")" for name in CLOSED]
    actual = values_of(plumbline.evaluate(gold, {"s": run}, names, task="clustering"), "s")
    g, x = ([(item, 0, cluster) for item, cluster in side] for side in both)
    level = [frame.with_columns(pl.lit(1).alias("level")) for frame in (gold, run)]
    organized = evaluated(level, names)
    for name in names:
        value = MEASURE_OF[name.split("(", 1)[0]](x, g, **options_in(name))
        expected = None if value is None else pytest.approx(float(value), abs=1e-12)
        assert actual["q", str(plumbline.parse(name, task="clustering"))] == expected, name
        assert organized["q", str(plumbline.parse(name, task="organization"))] == expected, name


def levels_of(values: dict[str, float]) -> list[list[list[str]]]:
    """Single items in a level per value, the greatest first."""
    distinct = sorted(set(values.values()), reverse=True)
    return [[[item] for item, value in values.items() if value == one] for one in distinct]


@pytest.mark.parametrize(
    "setting", ["n=30", "n=3", "w=0.5", "tail_credit=false", "absent=tail", "discount=uniform", "weights=2:1", "over=related"]
)
@moderate(15)
@given(world=worlds())
def test_a_ranking_is_levels_of_single_items_above_a_tail(setting: str, world: World) -> None:
    gold = {
        case: levels_of({item: grade for item, grade in grades.items() if grade > 0}) for case, grades in world.gold.items()
    }
    run = {case: levels_of(scores) for case, scores in world.run.items()}
    answered = [case for case in world.run if world.run[case] and gold[case]]
    if not answered:
        return
    ranked = values_of(plumbline.evaluate(world.gold, {"s": world.run}, [f"{which}({setting})" for which in MEASURE_OF]), "s")
    parameters = setting if "over" in setting else f"over=priority,{setting}"
    organized = evaluated((gold, run), [f"{which}({parameters})" for which in MEASURE_OF])
    for case, levels in gold.items():
        mine = [value for (one, _), value in ranked.items() if one == case]
        theirs = [value for (one, _), value in organized.items() if one == case]
        assert mine == (pytest.approx(theirs, abs=1e-12) if levels else [None, None])


# --- seconds, by the whole program --------------------------------------------------------------------------------------


@moderate(15)
@given(world=worlds(), arguments=st.lists(st.integers(0, 3000), min_size=len(ITEMS), max_size=len(ITEMS)))
def test_rankings_by_seconds(world: World, arguments: list[int]) -> None:
    lengths = dict(zip(ITEMS, arguments, strict=True))
    names = [f"{which}(discount=time,over={kind})" for which, kind in product(MEASURE_OF, KINDS)]
    actual = values_of(plumbline.evaluate(world.gold, {"s": world.run}, names, lengths=lengths), "s")
    for case, grades in world.gold.items():
        relevant = [(item, 0.0, item) for item, grade in grades.items() if grade > 0]
        for which, kind in product(MEASURE_OF, KINDS):
            cost = reading_time(lengths, relevant)
            value = ranking(world.run.get(case, {}), grades, side=which.lower(), over=kind, left=half_life(), cost=cost)
            name = str(plumbline.parse(f"{which}(discount=time,over={kind})"))
            expected = None if value is None else pytest.approx(float(value), abs=1e-12)
            assert actual[case, name] == expected


@moderate(20)
@given(pair=pairs(NESTED, least=1), arguments=st.lists(st.integers(0, 3000), min_size=8, max_size=8))
def test_organizations_by_seconds(pair: Pair, arguments: list[int]) -> None:
    lengths = dict(zip("abcdefyz", arguments, strict=True))
    names = [f"{which}(discount=time,over={over})" for which, over in product(MEASURE_OF, EVERY_OVER)]
    actual = evaluated(({"q": nested(pair.gold)}, {"q": nested(pair.system)}), names, lengths=lengths)
    options: dict[str, Any] = {"left": half_life(), "cost": reading_time(lengths, pair.gold)}
    expected = [
        MEASURE_OF[which](pair.system, pair.gold, over=over, **options) for which, over in product(MEASURE_OF, EVERY_OVER)
    ]
    assert list(actual.values()) == pytest.approx([None if value is None else float(value) for value in expected], abs=1e-12)


# --- what must not matter -----------------------------------------------------------------------------------------------


def renamed(side: Organization, items: str, clusters: str) -> Organization:
    """The same with other names of items and clusters."""
    return [(items.format(item), level, clusters.format(cluster)) for item, level, cluster in side]


def test_names_and_the_order_of_occurrences_do_not_matter() -> None:
    rng = np.random.default_rng(4)
    worlds = list(many(100, seed=21))
    shuffled = [Pair(*([side[i] for i in rng.permutation(len(side))] for side in pair)) for pair in worlds]
    again = [Pair(*(renamed(side, "ü {} /", "z{}") for side in pair)) for pair in shuffled]
    one, other = view_of(worlds), view_of(again)
    for collection, absent, credit in SETTINGS:
        setting = Setting(collection, n=3, tail_credit=credit, absent=absent)
        for which, over in product(MEASURE_OF, EVERY_OVER):
            requested: Any = (which, over, setting)
            assert difference(one.value(*requested), other.value(*requested)) <= TOLERANCE


def test_a_list_scores_the_same_alone_and_in_company_and_sides_exchange() -> None:
    worlds = list(many(60, seed=22))
    together, turned = view_of(worlds), view_of([Pair(*reversed(pair)) for pair in worlds])
    every_alone = [view_of([pair]) for pair in worlds]
    for (collection, absent, credit), over in product(SETTINGS, EVERY_OVER):
        setting = Setting(collection, n=3, tail_credit=credit, absent=absent)
        rel_asked: Any = ("Rel", over, setting)
        sens_asked: Any = ("Sens", over, setting)
        actual = together.value(*rel_asked)
        alone = np.concatenate([view.value(*rel_asked) for view in every_alone])
        assert difference(actual, alone) <= TOLERANCE
        assert difference(actual, turned.value(*sens_asked)) <= TOLERANCE
        assert difference(together.value(*sens_asked), turned.value(*rel_asked)) <= TOLERANCE


@moderate(12)
@given(first=pairs(NESTED, least=1), second=pairs(NESTED, least=1))
def test_renamed_cases_and_more_cases_change_nothing(first: Pair, second: Pair) -> None:
    gold, run = ({"q": nested(side)} for side in first)
    alone = list(evaluated((gold, run), SPELLED).values())
    more = {"a": second, "ü ?": first, "z": Pair(second.system, second.gold)}
    sides = [{case: nested(pair[at]) for case, pair in more.items()} for at in (0, 1)]
    actual = evaluated(sides, SPELLED)
    assert [value for (case, _), value in actual.items() if case == "ü ?"] == pytest.approx(alone, abs=1e-12)
    backwards = evaluated(sides[::-1], SPELLED)
    for which, other in (("Rel", "Sens"), ("Sens", "Rel")):
        mine = [value for (_, name), value in actual.items() if name.startswith(which)]
        theirs = [value for (_, name), value in backwards.items() if name.startswith(other)]
        assert mine == pytest.approx(theirs, abs=1e-12)


def test_many_levels_and_many_items_keep_their_digits() -> None:
    """A perfect output of any size scores exactly 1."""
    rng = np.random.default_rng(9)
    side = random_organization(rng, 3000, "spanning", 2000)
    for over, which in product(EVERY_OVER, MEASURE_OF):
        requested: Any = (which, over, Setting())
        assert view_of([Pair(side, side)]).value(*requested).tolist() == [1.0]
