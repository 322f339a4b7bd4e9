"""Estimates from a sample of the pool: a second time slowly, by enumeration of all samples, and TRECVID's own values."""

from __future__ import annotations

from itertools import combinations, product
from math import isclose
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from tests.helpers.draw import draw, score
from tests.helpers.published_values import text
from tests.helpers.ranking_oracles import Listed, Value, oracle
from tests.helpers.ranking_worlds import moderate
from tests.helpers.sample_oracles import Item, Sampled, infndcg, ip, statap, statap_error, xinfap, xinfap_error
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


# --- oracles of golds without strata ----------------------------------------------------------------------------------


def sampled(case: Listed) -> Sampled:
    """One stratum: what the gold lists is pooled."""
    gold = {item: Item(grade) for item, grade in case.grades.items()}
    return Sampled(tuple(gold.get(item) for item in case.scores), tuple(gold.values()))


@oracle("xinfAP")
def xinfap_of_list(case: Listed, *, limit: int | None, rel: float) -> Value:
    """The formula."""
    return xinfap(sampled(case), rel, limit)


@oracle("xinfAPError")
def xinfap_error_of_list(case: Listed, *, rel: float) -> Value:
    """The formula."""
    return xinfap_error(sampled(case), rel)


@oracle("statAP")
def statap_of_list(case: Listed, *, rel: float) -> Value:
    """The formula."""
    return statap(sampled(case), rel)


@oracle("statAPError")
def statap_error_of_list(case: Listed, *, rel: float) -> Value:
    """The formula."""
    return statap_error(sampled(case), rel)


@oracle("infNDCG")
def infndcg_of_list(case: Listed, *, k: int | None, count: str) -> Value:
    """The formula."""
    return infndcg(sampled(case), k, count)[0]


@oracle("infNDCGError")
def infndcg_error_of_list(case: Listed, *, k: int | None) -> Value:
    """The formula."""
    return infndcg(sampled(case), k)[1]


@oracle("iP")
def ip_of_list(case: Listed, *, k: int, rel: float) -> Value:
    """The formula."""
    return ip(sampled(case), k, rel)[0]


@oracle("iPError")
def ip_error_of_list(case: Listed, *, k: int, rel: float) -> Value:
    """The formula."""
    return ip(sampled(case), k, rel)[1]


# --- with strata ------------------------------------------------------------------------------------------------------

LETTERS = "abcdefghijkl"
METRICS = ["xinfAP", "xinfAP(limit=2)", "xinfAPError", "statAP", "statAPError", "infNDCG", "infNDCG(count=floor)@3", "iP@3"]
ERRORS = ["infNDCGError", "iPError@3"]


@st.composite
def worlds(draw_from: st.DrawFn) -> tuple[dict[str, Item], list[str]]:
    """Pooled items in up to three strata, at least one of each judged, and a list of some of them and of others."""
    gold: dict[str, Item] = {}
    pooled = draw_from(st.lists(st.sampled_from(LETTERS[:9]), min_size=2, unique=True))
    for item in pooled:
        gold[item] = Item(float(draw_from(st.sampled_from([-1, 0, 0, 1, 1, 2]))), draw_from(st.sampled_from("123")))
    for stratum in {item.stratum for item in gold.values()}:
        if not any(item.grade >= 0 for item in gold.values() if item.stratum == stratum):
            first = next(name for name, item in gold.items() if item.stratum == stratum)
            gold[first] = Item(1.0, stratum)
    return gold, draw_from(st.permutations(LETTERS))[: draw_from(st.integers(1, len(LETTERS)))]


def evaluated(gold: dict[str, Item], run: list[str], metrics: list[str]) -> dict[str, float | None]:
    """The values of one list beside a gold with strata or probabilities."""
    rows = [{"case": "q", "item": name, "grade": item.grade, "stratum": item.stratum} for name, item in gold.items()]
    frame = pl.DataFrame(rows)
    if all(item.probability is not None for item in gold.values()):
        frame = frame.with_columns(pl.Series("probability", [item.probability for item in gold.values()]))
    scores = {"q": {item: -float(place) for place, item in enumerate(run)}}
    made = plumbline.evaluate(frame, {"run": scores}, metrics)
    return dict(made.per_case.select("metric", "value").iter_rows())


@moderate(8)
@given(world=worlds())
def test_strata_agree_with_the_slow_implementation(world: tuple[dict[str, Item], list[str]]) -> None:
    gold, run = world
    case = Sampled(tuple(gold.get(item) for item in run), tuple(gold.values()))
    values = evaluated(gold, run, METRICS + ERRORS)
    expected = {
        "xinfAP": xinfap(case, 1.0),
        "xinfAP(limit=2)": xinfap(case, 1.0, 2),
        "xinfAPError": xinfap_error(case, 1.0),
        "statAP": statap(case, 1.0),
        "statAPError": statap_error(case, 1.0),
        "infNDCG": infndcg(case, None)[0],
        "infNDCGError": infndcg(case, None)[1],
        "infNDCG(count=floor)@3": infndcg(case, 3, "floor")[0],
        "iP@3": ip(case, 3, 1.0)[0],
        "iPError@3": ip(case, 3, 1.0)[1],
    }
    for name, value in expected.items():
        assert values[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)), name


def test_judging_everything_gives_the_metrics_themselves() -> None:
    gold = {
        item: Item(float(grade), "12"[place % 2])
        for place, (item, grade) in enumerate(zip(LETTERS, "101120010200", strict=True))
    }
    run = list("ceaxgbdyf")
    values = evaluated(
        gold, run, ["xinfAP", "AP", "statAP", "infNDCG", "nDCG", "iP@5", "P@5", *ERRORS, "statAPError", "xinfAPError"]
    )
    assert values["xinfAP"] == pytest.approx(values["AP"], abs=1e-4)  # its epsilon
    assert values["statAP"] == pytest.approx(values["AP"])
    assert values["infNDCG"] == pytest.approx(values["nDCG"])
    assert values["iP@5"] == pytest.approx(values["P@5"])
    assert [values[name] for name in (*ERRORS, "statAPError", "xinfAPError")] == [0.0] * 4


def test_one_stratum_is_inferred_ap_up_to_its_epsilon() -> None:
    world = draw("R x N R - x R")
    one, other = score("xinfAP", world), score("infAP", world)
    assert one is not None
    assert other is not None
    assert one != other
    assert isclose(one, other, abs_tol=0.2)  # where nothing above is judged, one expects a third and the other a half


# --- all samples of small worlds --------------------------------------------------------------------------------------

TRUTH = {"a": 1, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1, "g": 0}
STRATA = {"a": "1", "b": "1", "c": "1", "d": "2", "e": "2", "f": "2", "g": "2"}
RUN = list("cxadbgfe")


def samples(sizes: dict[str, int]) -> Iterator[set[str]]:
    """Every draw of so many items from each stratum."""
    members = [[item for item in TRUTH if STRATA[item] == stratum] for stratum in sizes]
    for parts in product(*(combinations(some, size) for some, size in zip(members, sizes.values(), strict=True))):
        yield {item for part in parts for item in part}


def sample(drawn: set[str]) -> Sampled:
    """The gold of which these items were judged."""
    gold = {item: Item(float(grade) if item in drawn else -1.0, STRATA[item]) for item, grade in TRUTH.items()}
    return Sampled(tuple(gold.get(item) for item in RUN), tuple(gold.values()))


def test_the_number_of_relevant_items_is_estimated_without_bias() -> None:
    every = [sample(drawn) for drawn in samples({"1": 2, "2": 2})]
    assert len(every) == 3 * 6
    assert sum(float(case.total(1.0)) for case in every) / len(every) == pytest.approx(sum(TRUTH.values()))


def test_precision_and_gain_are_estimated_without_bias() -> None:
    """Over all samples in which each stratum that a prefix shows has a judged item there."""
    truth = sample(set(TRUTH))
    for k in (4, 6, 8):
        shown = {stratum: [item for item in RUN[:k] if STRATA.get(item) == stratum] for stratum in "12"}
        kept = [drawn for drawn in samples({"1": 2, "2": 3}) if all(set(items) & drawn for items in shown.values() if items)]
        values = [ip(sample(drawn), k, 1.0)[0] for drawn in kept]
        expected = ip(truth, k, 1.0)[0]
        assert expected is not None
        assert np.mean([value for value in values if value is not None]) == pytest.approx(expected)


def independent() -> Iterator[tuple[set[str], float]]:
    """Every set of items, each drawn by itself, with its probability."""
    for flags in product((True, False), repeat=len(TRUTH)):
        drawn = {item for item, flag in zip(TRUTH, flags, strict=True) if flag}
        chance = 1.0
        for item in TRUTH:
            chance *= PROBABILITIES[item] if item in drawn else 1 - PROBABILITIES[item]
        yield drawn, chance


PROBABILITIES = {"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.75, "e": 0.2, "f": 0.6, "g": 0.3}


def test_the_sum_behind_statap_is_estimated_without_bias() -> None:
    """R times AP, over all samples with their probabilities."""
    total, second = 0.0, 0.0
    for drawn, chance in independent():
        gold = {item: Item(float(TRUTH[item]) if item in drawn else -1.0, "", PROBABILITIES[item]) for item in TRUTH}
        case = Sampled(tuple(gold.get(item) for item in RUN), tuple(gold.values()))
        value = (statap(case, 1.0) or 0.0) * float(case.total(1.0))
        total, second = total + chance * value, second + chance * value**2
    truth = sample(set(TRUTH))
    exact = (statap(truth, 1.0) or 0.0) * 4
    assert total == pytest.approx(exact)
    assert second > exact**2


def test_xinfap_is_close_to_ap_over_all_samples() -> None:
    values = [xinfap(sample(drawn), 1.0) for drawn in samples({"1": 3, "2": 3})]
    exact = statap(sample(set(TRUTH)), 1.0)
    assert exact is not None
    assert np.mean([value for value in values if value is not None]) == pytest.approx(exact, abs=0.02)


def test_errors_are_as_large_as_estimates_vary() -> None:
    """Strata of 60 items, 20 judged: the mean squared error of iP and xinfAP is near the variance over many samples."""
    rng = np.random.default_rng(4)
    items = [f"d{number:03}" for number in range(120)]
    relevant = rng.random(120) < np.linspace(0.7, 0.1, 120)
    stratum = ["1"] * 60 + ["2"] * 60
    run = [items[place] for place in rng.permutation(120)]
    made: dict[str, list[float]] = {}
    names = [f"{name}{error}" for name in ("infNDCG", "statAP", "xinfAP") for error in ("", "Error")] + ["iP@60", "iPError@60"]
    golds = []
    for number in range(150):
        kept = np.concatenate([rng.choice(60, 20, replace=False), 60 + rng.choice(60, 20, replace=False)])
        grade = np.full(120, -1.0)
        grade[kept] = relevant[kept]
        golds.append(pl.DataFrame({"case": [str(number)] * 120, "item": items, "grade": grade, "stratum": stratum}))
    runs = {str(number): {item: -float(place) for place, item in enumerate(run)} for number in range(150)}
    scores = plumbline.evaluate(pl.concat(golds), {"run": runs}, names)
    for name, value in scores.per_case.select("metric", "value").iter_rows():
        made.setdefault(name, []).append(value)
    for name, ratio in (("iP@60", (0.8, 1.25)), ("infNDCG", (0.75, 1.3)), ("statAP", (0.6, 1.5)), ("xinfAP", (0.7, 1.3))):
        error = name.replace("@", "Error@") if "@" in name else f"{name}Error"
        estimated, seen = np.sqrt(np.mean(np.square(made[error]))), np.std(made[name])
        assert ratio[0] < estimated / seen < ratio[1], (name, estimated, seen)


# --- TRECVID, reading, comparing --------------------------------------------------------------------------------------

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@pytest.fixture(scope="module")
def trecvid() -> dict[tuple[str, str], float]:
    """The values of the run on all topics."""
    folder = shared("data", "trecvid_avs21")
    names = ["xinfAP", "xinfAP(limit=1000)", "infNDCG@1000", "infNDCG(count=floor)@1000", *(f"iP@{k}" for k in CUTOFFS)]
    scores = plumbline.evaluate(str(folder / "qrels.tv21.xz"), str(folder / "test_run.xz"), names)
    means = {(name, "all"): value for name, value in scores.mean.select("metric", "value").iter_rows()}
    return {(name, case): value for name, case, value in scores.per_case.select("metric", "case", "value").iter_rows()} | means


def test_trecvid_topic_by_topic(trecvid: dict[tuple[str, str], float]) -> None:
    """All values that the script of TRECVID prints for the 20 topics, in its four digits."""
    names = {"infAP": "xinfAP(limit=1000)", "infNDCG": "infNDCG(count=floor)@1000"} | {f"iP{k}": f"iP@{k}" for k in CUTOFFS}
    rows = [line.split() for line in text(shared("data", "trecvid_avs21", "expected_sample_eval.txt")).splitlines()]
    checked = [(row[0], row[1], float(row[2])) for row in rows if len(row) == 3 and row[0] in names]
    assert len(checked) == 21 * 11
    for printed, case, value in checked:
        assert trecvid[names[printed], case] == pytest.approx(value, abs=5.1e-5), (printed, case)


def test_two_versions_of_one_script_differ(trecvid: dict[tuple[str, str], float]) -> None:
    """The version of 2011 has no limit and rounds the ideal list; the one of 2012 has both otherwise."""
    assert round(trecvid["xinfAP", "all"], 4) == 0.2453
    assert round(trecvid["xinfAP(limit=1000)", "all"], 4) == 0.3430
    assert round(trecvid["infNDCG@1000", "all"], 4) == 0.5359
    assert round(trecvid["infNDCG(count=floor)@1000", "all"], 4) == 0.5360


FIVE = "q1 0 a 1 1\nq1 0 b 1 0\nq1 0 c 2 1\nq1 0 d 2 -1\n"


def write(path: Path, content: str) -> str:
    """A file with this content."""
    path.write_text(content)
    return str(path)


def test_five_columns_are_strata(tmp_path: Path) -> None:
    scores = plumbline.evaluate(
        write(tmp_path / "five.qrels", FIVE), {"r": {"q1": {"a": 3.0, "d": 2.0, "c": 1.0}}}, ["statAP", "AP"]
    )
    values = dict(scores.per_case.select("metric", "value").iter_rows())
    assert values["AP"] == pytest.approx((1 + 2 / 3) / 2)
    assert values["statAP"] == pytest.approx((1 + 2 * 2 / 3) / 3)  # c stands for two items


def test_prels_have_probabilities(tmp_path: Path) -> None:
    prels = write(tmp_path / "web.prels", "q1 a 1 0 1\nq1 b 0 1 0.5\nq1 c 1 1 0.25\n")
    scores = plumbline.evaluate(prels, {"r": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}}, "statAP")
    assert scores.per_case["value"].to_list() == [pytest.approx((1 + 4 * 2 / 3) / 5)]


def test_the_prels_of_the_web_track_are_read() -> None:
    path = shared("data", "trec_qrels", "prels.web.1-50.txt.xz")
    lines = text(path).splitlines()
    first = lines[0].split()
    run = {
        case: {row[1]: -float(place) for place, row in enumerate(line.split() for line in lines if line.startswith(f"{case} "))}
        for case in {first[0]}
    }
    assert plumbline.evaluate(str(path), {"r": run}, "statAP").mean["value"][0] is not None


@pytest.mark.parametrize("probability", ["0", "1.5", "-0.1"])
def test_a_probability_that_is_none_is_refused(tmp_path: Path, probability: str) -> None:
    prels = write(tmp_path / "bad.prels", f"q1 a 1 0 1\nq1 b 0 1 {probability}\n")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate(prels, {"r": {"q1": {"a": 1.0}}}, "statAP")
    assert caught.value.code == "E447"
    assert caught.value.diagnostics[0].place is not None
    assert caught.value.diagnostics[0].place.line == 2


def test_a_stratum_without_judgements_is_refused(tmp_path: Path) -> None:
    gold = write(tmp_path / "five.qrels", "q1 0 a 1 1\nq1 0 b 3 -1\nq1 0 c 3 -1\n")
    with pytest.raises(plumbline.BadData, match="stratum 3 of case q1 has 0 of 2 judged") as caught:
        plumbline.evaluate(gold, {"r": {"q1": {"a": 1.0}}}, "xinfAP")
    assert caught.value.code == "E446"


def test_other_metrics_read_five_columns_as_four(tmp_path: Path) -> None:
    run = {"r": {"q1": {"b": 3.0, "d": 2.5, "c": 2.0, "a": 1.0}}}
    four = "\n".join(" ".join((*line.split()[:3], line.split()[4])) for line in FIVE.splitlines()) + "\n"
    five, plain = (
        plumbline.evaluate(write(tmp_path / name, content), run, ["AP", "nDCG", "infAP", "bpref"])
        for name, content in (("5", FIVE), ("4", four))
    )
    assert five.per_case.equals(plain.per_case)


def test_compare_does_not_take_errors_for_scores() -> None:
    gold: Any = {f"q{case}": {f"d{item}": (item * case) % 3 - 1 for item in range(9)} for case in range(1, 9)}
    runs: Any = {
        name: {case: {item: (len(name) * int(item[1:]) ** 2 + len(case)) % 7 for item in items} for case, items in gold.items()}
        for name in ("one", "three")
    }
    scores = plumbline.evaluate(gold, runs, ["xinfAP", "xinfAPError"])
    comparison = plumbline.compare(scores)
    assert "N448" in {notice.code for notice in comparison.notices}
    assert "xinfAPError" not in str(comparison.to_polars())
    alone = plumbline.compare(plumbline.evaluate(gold, runs, ["xinfAP"]))
    assert comparison.to_polars().equals(alone.to_polars())
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.compare(plumbline.evaluate(gold, runs, ["xinfAPError"]))
    assert caught.value.code == "E456"
