"""Properties that every registered metric must have. A new metric is tested here as soon as it is declared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plumbline
from plumbline.metrics.measure import Single
from tests.helpers.published import ROOT
from tests.helpers.values import LONG, assert_same, values, values_of
from tests.helpers.worlds import SAMPLES, World, ideal, moderate, outputs, spelled, worlds

if TYPE_CHECKING:
    from tests.helpers.worlds import Case, Table

METRICS = plumbline.all_metrics()
every_metric = pytest.mark.parametrize("name", METRICS)
every_number = pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if not metric.text])
where_more_is_better = pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.better == "higher"])


def whole(gold: Table) -> Table:
    """The gold without fractional grades, so that what has a gain is what is relevant at rel=1."""
    return {case: {item: float(int(grade)) for item, grade in judged.items()} for case, judged in gold.items()}


# --- range and best value ---------------------------------------------------------------------------------------------


@every_number
@moderate(12)
@given(world=worlds(most=6), ties=st.sampled_from(["id", "average"]))
@example(world=LONG, ties="id")
def test_stays_in_its_range(name: str, world: World, ties: str) -> None:
    least, most = METRICS[name].range
    for value in values(spelled(METRICS[name]), world.gold, world.run, ties=ties).values():
        if isinstance(value, float):
            assert least is None or value >= least
            assert most is None or value <= most * (1 + 1e-12)


REACHED_ONLY_SOMETIMES: dict[str, tuple[str, list[str]]] = {
    "P": ("a case may have fewer than k relevant items", []),
    "R": ("k may be below R", ["R@20"]),
    "AP": ("k may be below R", ["AP", "AP@20"]),
    "RprecMult": ("more than R items can be asked for", ["RprecMult@1", "RprecMult@0.5"]),
    "RBP": ("a finite list leaves the tail of the geometric series out", []),
    "ERR": ("1 is reached only with an infinite top grade", []),
    "infAP": ("its epsilon keeps it just below 1", []),
    "SetP": ("the ideal list also shows items with a gain below rel", ["SetP"]),
    "SetF": ("as SetP", ["SetF", "SetF(beta=0)", "SetF(beta=2)"]),
    "SetAP": ("as SetP", ["SetAP"]),
    "SetRelativeP": ("as SetP", ["SetRelativeP"]),
    "Q": ("as SetP", ["Q", "Q(beta=0)", "Q(beta=7)"]),
    "CG": ("no upper end", []),
    "DCG": ("no upper end", []),
    "Utility": ("no upper end", []),
    "Rel": ("items of one grade have different ranks, which states an order that the gold does not", ["Rel(over=related)"]),
}
"""Where the ideal output does not reach 1 under every setting: why, and the settings under which it does."""


@where_more_is_better
@moderate(10)
@given(world=worlds())
@example(world=LONG)
def test_ideal_output_reaches_the_best(name: str, world: World) -> None:
    names = REACHED_ONLY_SOMETIMES[name][1] if name in REACHED_ONLY_SOMETIMES else spelled(METRICS[name])
    gold = whole(world.gold)
    for (_, setting), value in values(names, gold, ideal(gold)).items() if names else ():
        assert value is None or value == pytest.approx(1.0), setting


MAY_BEAT_THE_IDEAL = {
    "Utility": "its weights are free, so that showing less can be worth more",
    "infAP": "its estimate rewards items that are pooled but not judged above a relevant one",
    "Rel": "equal scores state less, so that less can be wrong",
}
COLLECTION_OF_WHAT_IS_SHOWN = "collection=finite"
"""A finite collection is made of what is judged or shown, so that what the gold says about it depends on the output."""


@where_more_is_better
@moderate(10)
@given(world=worlds())
@example(world=LONG)
def test_no_output_beats_the_ideal(name: str, world: World) -> None:
    gold = whole(world.gold)
    apart = ("rel=2", COLLECTION_OF_WHAT_IS_SHOWN)
    spellings = spelled(METRICS[name]) if name not in MAY_BEAT_THE_IDEAL else []
    names = [setting for setting in spellings if not any(part in setting for part in apart)]
    best, found = (values(names or ["AP"], gold, run) for run in (ideal(gold), world.run))
    for key, value in found.items():
        top = best[key]
        assert (value is None) == (top is None), key
        assert not isinstance(value, float) or not isinstance(top, float) or value <= top + 1e-12, key


# --- what must not matter ---------------------------------------------------------------------------------------------


@every_metric
@moderate(6)
@given(world=worlds(), rng=st.randoms(use_true_random=False))
def test_row_order_does_not_matter(name: str, world: World, rng: Any) -> None:
    def shuffled(table: Table) -> Table:
        pairs = {case: list(table[case].items()) for case in sorted(table, key=lambda _: rng.random())}
        for rows in pairs.values():
            rng.shuffle(rows)
        return {case: dict(rows) for case, rows in pairs.items()}

    names = spelled(METRICS[name])
    assert_same(values(names, shuffled(world.gold), shuffled(world.run)), values(names, world.gold, world.run))


@every_metric
@moderate(6)
@given(world=worlds())
@example(world=LONG)
def test_item_names_do_not_matter(name: str, world: World) -> None:
    def renamed(table: Table) -> Table:
        return {case: {f"urn:ü/{item} Z": number for item, number in items.items()} for case, items in table.items()}

    names = spelled(METRICS[name])
    assert_same(values(names, renamed(world.gold), renamed(world.run)), values(names, world.gold, world.run))


@every_metric
@moderate(6)
@given(world=worlds(most=5), other=outputs(5).filter(bool), ties=st.sampled_from(["id", "average"]))
@example(world=LONG, other={"i00": 1.0}, ties="id")
def test_a_system_scores_the_same_under_any_name_and_in_company(name: str, world: World, other: Case, ties: str) -> None:
    names = spelled(METRICS[name])
    systems = {"zeta": {next(iter(world.gold)): other}, "alpha": world.run, "mid": world.run}
    scores = plumbline.evaluate(world.gold, systems, names, ties=ties)
    alone = values(names, world.gold, world.run, ties=ties)
    assert_same(values_of(scores, "alpha"), alone)
    assert_same(values_of(scores, "mid"), alone)


def looks_only_at_the_case(name: str) -> list[str]:
    """Settings that do not take the top grade from the whole gold."""
    names = spelled(METRICS[name])
    own = ("gmax=4", "gain=binary", "gain=case")
    return [name for name in names if any(part in name for part in own)] if name in {"ERR", "RBP"} else names


@every_metric
@moderate(6)
@given(world=worlds())
@example(world=LONG)
def test_a_case_scores_the_same_alone_and_in_company(name: str, world: World) -> None:
    names = looks_only_at_the_case(name)
    together = values(names, world.gold, world.run)
    for case in world.run:
        alone = values(names, {case: world.gold[case]}, {case: world.run[case]})
        assert_same(alone, {key: value for key, value in together.items() if key[0] == case})


@every_metric
@moderate(4)
@given(world=worlds())
def test_metrics_do_not_disturb_each_other(name: str, world: World) -> None:
    crowd = ["AP", "nDCG@3", "ERR", "Q", "RnDCG", "G", "AP(rel=2)", "AUC", "RBP(gain=case)", "RelString@2"]
    names = spelled(METRICS[name])
    found, expected = values([*crowd, *names], world.gold, world.run), values(names, world.gold, world.run)
    assert_same({key: found[key] for key in expected}, expected)


# --- undefined values -------------------------------------------------------------------------------------------------

DEFINED_WITHOUT_RELEVANT_ITEMS = {
    *("Judged", "Unjudged", "RBPResidual", "Utility", "RelString"),
    *("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelJudgedRet"),
}
"""Counts and shares of judgements need no relevant item."""


@every_metric
@pytest.mark.parametrize("judged", [{"a": 0.0, "b": 0.0}, {"a": -1.0}, {}], ids=["irrelevant", "negative", "unjudged"])
@pytest.mark.parametrize("listed", [{"a": 2.0, "b": 1.0}, {}], ids=["shown", "empty"])
def test_undefined_is_null_and_not_zero(name: str, judged: Case, listed: Case) -> None:
    gold, run = {"q": judged, "fine": {"a": 2.0, "b": 0.0}}, {"q": listed, "fine": {"a": 1.0, "b": 0.5}}
    for (case, setting), value in values(spelled(METRICS[name]), gold, run).items():
        assert (value is not None) == (case == "fine" or name in DEFINED_WITHOUT_RELEVANT_ITEMS), (case, setting)


@every_number
def test_undefined_policies(name: str) -> None:
    gold, run = {"q": {"a": 0.0}, "fine": {"a": 1.0, "b": 0.0}}, {"q": {"a": 1.0}, "fine": {"a": 1.0, "b": 0.0}}
    setting = spelled(METRICS[name])[0]
    plain, zero, one = (values([setting], gold, run, undefined=policy) for policy in ("skip", "zero", "one"))
    for key, value in plain.items():
        assert zero[key] == (0.0 if value is None else value)
        assert one[key] == (1.0 if value is None else value)
    if None in plain.values():
        with pytest.raises(plumbline.BadData) as caught:
            values([setting], gold, run, undefined="error")
        assert caught.value.code == "E117"


# --- declarations -----------------------------------------------------------------------------------------------------


@every_metric
def test_every_parameter_is_tried_with_another_value_than_its_default(name: str) -> None:
    for parameter in METRICS[name].parameters:
        assert set(parameter.choices or SAMPLES[parameter.name]) - {parameter.default}, parameter.name


@every_metric
def test_names_read_back(name: str) -> None:
    for setting in spelled(METRICS[name]):
        measure = plumbline.parse(setting)
        assert plumbline.parse(str(measure)) == measure
        assert str(plumbline.parse(str(measure))) == str(measure)


@every_metric
def test_every_alias_names_the_metric(name: str) -> None:
    metric = METRICS[name]
    for alias in metric.aliases:
        cutoff = "" if "{" in alias or metric.at is None else "@1"
        measure = plumbline.parse(re.sub(r"\{\w+\}", "1", alias) + cutoff)
        assert isinstance(measure, Single)
        assert measure.metric is metric


@every_metric
def test_paper_is_in_the_bibliography(name: str) -> None:
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    paper = re.escape(METRICS[name].paper)
    assert re.search(rf"^@\w+\{{\s*{paper}\s*,", bibliography, re.MULTILINE)
