"""Properties that every metric of organizations must have. A new metric is tested here as soon as it is declared."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.metrics.measure import Single
from tests.helpers.metric_settings import names_of
from tests.helpers.organization_worlds import NESTED, Pair, nested, organizations, pairs
from tests.helpers.published_values import ROOT
from tests.helpers.ranking_worlds import moderate
from tests.helpers.score_values import Values, assert_same, values_of

if TYPE_CHECKING:
    from tests.helpers.organization_oracles import Levels, Organization

METRICS = plumbline.all_metrics("organization")
every_metric = pytest.mark.parametrize("name", METRICS)
TOGETHER = ("over", "collection", "absent", "tail_credit")
"""Parameters that are tried in all combinations."""


def settings(name: str) -> list[str]:
    """The metric with each parameter alone, and with those that say what is counted together."""
    choices = {one.name: one.choices for one in METRICS[name].parameters if one.name in TOGETHER}
    arguments = (dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values()))
    every = [f"{name}({','.join(f'{key}={value}' for key, value in one.items())})" for one in arguments]
    actual = [*names_of(METRICS[name]), *every]
    return list(dict.fromkeys(str(plumbline.parse(spelling, task="organization")) for spelling in actual))


def scores(names: list[str], gold: dict[str, Levels], run: dict[str, Levels], **options: Any) -> plumbline.Scores:
    return plumbline.evaluate(gold, {"s": run}, names, task="organization", **options)


def values(names: list[str], gold: dict[str, Levels], run: dict[str, Levels], **options: Any) -> Values:
    """Every value of one system."""
    return values_of(scores(names, gold, run, **options), "s")


# --- range, best and worst ----------------------------------------------------------------------------------------------


@every_metric
@moderate(12)
@given(pair=pairs(NESTED, least=1))
def test_stays_in_its_range_and_undefined_has_a_reason(name: str, pair: Pair) -> None:
    least, most = METRICS[name].range
    actual = scores(settings(name), {"q": nested(pair.gold)}, {"q": nested(pair.system)})
    assert least is not None
    assert most is not None
    reasons = {column.name: column.undefined for column in actual.columns}
    for (_, setting), value in values_of(actual, "s").items():
        assert least <= value <= most if isinstance(value, float) else reasons[setting], setting
    assert ("N203" in [notice.code for notice in actual.notices]) == (None in values_of(actual, "s").values())


@every_metric
@moderate(12)
@given(side=organizations(NESTED, least=1), rng=st.randoms(use_true_random=False))
def test_a_perfect_output_scores_exactly_1(name: str, side: Organization, rng: Any) -> None:
    shuffled = sorted(side, key=lambda _: rng.random())
    one_level = len({level for _, level, _ in side}) == 1
    for (_, setting), value in values(settings(name), {"q": nested(side)}, {"q": nested(shuffled)}).items():
        nothing_above = one_level and "collection=finite" in setting and "over=priority" in setting
        assert value == (None if nothing_above else 1.0), setting


@every_metric
@pytest.mark.parametrize("arguments", [{}, {"lost": []}], ids=["missing", "empty"])
def test_a_case_without_an_answer_scores_the_worst(name: str, arguments: dict[str, Levels]) -> None:
    levels = [[["a"], ["b", "c"]], [["d"]]]
    gold, run = {"fine": levels, "lost": levels}, {"fine": levels, **arguments}
    actual = scores(settings(name), gold, run)
    for (case, setting), value in values_of(actual, "s").items():
        assert value == (1.0 if case == "fine" else METRICS[name].range[0]), setting
    assert ("N201" if not arguments else "N214") in [notice.code for notice in actual.notices]
    for row in actual.mean.iter_rows(named=True):
        assert (row["value"], row["cases"], row["missing"]) == (0.5, 2, 1), row
    without = scores(settings(name), gold, run, missing="skip").mean
    assert set(without["value"]) == ({1.0} if not arguments else set(without["value"]))
    if not arguments:
        with pytest.raises(plumbline.BadData):
            scores(settings(name), gold, run, missing="error")


@every_metric
def test_a_gold_without_anything_leaves_nothing_to_find(name: str) -> None:
    gold: dict[str, Levels] = {"fine": [[["a"]], [["b"]]], "bare": []}
    actual = values(settings(name), gold, {"fine": [[["a"]], [["b"]]], "bare": [[["a"], ["b"]], [["c"]]]})
    nothing = values(settings(name), gold, {"fine": [[["a"]], [["b"]]], "bare": []})
    for (case, setting), value in actual.items():
        assert value == 1.0 if case == "fine" else (value is None) == (name == "Sens"), setting
        assert nothing[case, setting] == (1.0 if case == "fine" else None), setting


@every_metric
def test_undefined_policies(name: str) -> None:
    gold: dict[str, Levels] = {"q": [[["a"], ["b"]]], "fine": [[["a"]], [["b"]]]}
    run: dict[str, Levels] = {"q": [[["b"], ["a"]]], "fine": [[["b"]], [["a"]]]}
    setting = f"{name}(over=priority,collection=finite)"
    plain, zero, one = (values([setting], gold, run, undefined=policy) for policy in ("skip", "zero", "one"))
    assert list(plain.values()) == [None, 0.0]
    assert list(zero.values()) == [0.0, 0.0]
    assert list(one.values()) == [1.0, 0.0]
    with pytest.raises(plumbline.BadData) as caught:
        values([setting], gold, run, undefined="error")
    assert caught.value.code == "E117"


# --- what must not matter -----------------------------------------------------------------------------------------------


@every_metric
@moderate(10)
@given(pair=pairs(NESTED, least=1), other=organizations(NESTED, least=1), rng=st.randoms(use_true_random=False))
def test_names_order_and_company_do_not_matter(name: str, pair: Pair, other: Organization, rng: Any) -> None:
    def again(side: Organization) -> Levels:
        shuffled = sorted(side, key=lambda _: rng.random())
        return nested([(f"urn:ü/{item} Z", level, cluster) for item, level, cluster in shuffled])

    names = settings(name)
    alone = values(names, {"q": nested(pair.gold)}, {"q": nested(pair.system)})
    systems = {"zeta": {"q": nested(other)}, "alpha": {"q": again(pair.system)}, "mid": {"q": again(pair.system)}}
    actual = plumbline.evaluate({"q": again(pair.gold)}, systems, ["F(Rel,Sens)", *names], task="organization")
    for system in ("alpha", "mid"):
        mine = values_of(actual, system)
        assert_same({key: mine[key] for key in alone}, alone)


# --- declarations -------------------------------------------------------------------------------------------------------


@every_metric
def test_every_parameter_is_tried_with_another_value_than_its_default(name: str) -> None:
    for parameter in METRICS[name].parameters:
        assert set(parameter.tried()) - {parameter.default}, f"declare samples for {parameter.name}"


@every_metric
def test_names_read_back(name: str) -> None:
    for spelling in [*settings(name), *METRICS[name].aliases]:
        measure = plumbline.parse(spelling, task="organization")
        assert isinstance(measure, Single)
        assert measure.metric is METRICS[name]
        assert plumbline.parse(str(measure), task="organization") == measure


@every_metric
@pytest.mark.parametrize(
    "arguments",
    [
        *("over=all", "collection=closed", "absent=gone", "tail_credit=maybe", "tail_credit=1", "discount=own"),
        *("n=0", "n=-1", "n=1.5", "w=0", "w=1", "w=nan", "weights=", "weights=0", "weights=0:1", "weights=1:-1", "weights=1:x"),
        *("weights=nan", "weights=1:inf", "weights=:", "n=ten"),
    ],
)
def test_bad_settings_are_refused(name: str, arguments: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        scores([f"{name}({arguments})"], {"q": [[["a"]]]}, {"q": [[["a"]]]})
    assert caught.value.diagnostics[0].help or caught.value.diagnostics[0].text


@every_metric
def test_words_are_read_in_any_case(name: str) -> None:
    names = [f"{name}(tail_credit={word})" for word in ("true", "True", "TRUE")]
    assert len({plumbline.parse(spelling, task="organization") for spelling in names}) == 1


@every_metric
def test_seconds_need_lengths(name: str) -> None:
    gold, timed = {"q": [[["a"]], [["b"]]]}, [f"{name}(discount=time)"]
    with pytest.raises(plumbline.BadUsage):
        scores(timed, gold, gold)
    with pytest.raises(plumbline.BadData):
        scores(timed, gold, gold, lengths={"a": 100})
    assert list(values(timed, gold, gold, lengths={"a": 100, "b": 3}).values()) == [1.0]


@every_metric
def test_paper_is_in_the_bibliography(name: str) -> None:
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    assert re.search(rf"^@\w+\{{\s*{re.escape(METRICS[name].paper)}\s*,", bibliography, re.MULTILINE)
