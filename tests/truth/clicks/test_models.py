"""Every click model: a second time by listing hidden events, published values, reductions, and recovery."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.options.clicks import MODELS as NAMES
from plumbline.truth.clicks.log import ClickLog, Pages, log_of
from plumbline.truth.clicks.models.examination import position_based, user_browsing
from plumbline.truth.clicks.reading.read import read_log
from plumbline.truth.clicks.registry import ClickModel, Fit, Parameters, Settings, click_models
from plumbline.truth.clicks.scoring import conditional, predictions
from plumbline.truth.clicks.simulating import assumed, draw
from plumbline.truth.clicks.splitting import split_log
from plumbline.truth.clicks.uncertainty import errors_of
from tests.helpers import click_oracles as slow
from tests.helpers.shared import shared

MODELS = click_models()
ITERATING = [name for name, model in MODELS.items() if model.expect is not None]
BOTH = ["dcm", "sdbn"]
COUNTING = [name for name in MODELS if name not in ITERATING or name in BOTH]
PYCLICK = {
    "ctr": (-0.418121, 1.552244, 1.552244),
    "rank-ctr": (-0.385519, 1.487959, 1.487959),
    "item-ctr": (-0.362514, 1.447856, 1.447856),
    "dcm": (-0.377615, 1.441648, 1.470847),
    "sdbn": (-0.371286, 1.435931, 1.461101),
    "pbm": (-0.352481, 1.433664, 1.433664),
    "ubm": (-0.324050, 1.434168, 1.396252),
    "dbn": (-0.330503, 1.438613, 1.405387),
}
"""Log-likelihood, perplexity and conditional perplexity of PyClick, and of another program for DBN, after 50 rounds."""


def small_pages(seed: int, count: int = 12, depth: int = 3) -> list[slow.Page]:
    """Pages of few items that change their ranks."""
    generator = np.random.default_rng(seed)
    items = np.array(["a", "b", "c", "d"])
    return [
        (generator.permutation(items)[:depth].tolist(), (generator.random(depth) < 0.5).astype(int).tolist())
        for _ in range(count)
    ]


def log_from(pages: list[slow.Page]) -> ClickLog:
    rows = [
        (f"s{number}", "q", item, rank, bool(click))
        for number, (items, clicks) in enumerate(pages)
        for rank, (item, click) in enumerate(zip(items, clicks, strict=True), 1)
    ]
    return log_of(pl.DataFrame(rows, schema=["session", "case", "item", "position", "clicked"], orient="row"))


def values_of(model: ClickModel, parameters: Parameters, log: ClickLog) -> slow.Values:
    """Parameters under the names that the oracles use."""
    made: dict[Any, float] = {}
    for one in model.parameters:
        array = parameters[one.name]
        if one.by == "item":
            made |= {(one.name, item): float(array[place]) for place, item in enumerate(log.items["item"])}
        elif one.by == "rank":
            made |= {(one.name, rank): float(array[rank - 1]) for rank in range(1, log.depth + 1)}
        elif one.by == "log":
            made[(one.name,)] = float(array)
        else:
            made |= {(one.name, r, last): float(array[r - 1, last]) for r in range(1, log.depth + 1) for last in range(r)}
    return made


def some_parameters(model: ClickModel, log: ClickLog, seed: int) -> Parameters:
    generator = np.random.default_rng(seed)
    return {one.name: np.asarray(generator.uniform(0.1, 0.9, log.index(one.by)[1])) for one in model.parameters}


def test_the_option_names_every_declared_model() -> None:
    assert tuple(MODELS) == NAMES
    assert len(MODELS) == 10


@pytest.mark.parametrize("name", NAMES)
def test_every_model_says_what_it_is(name: str) -> None:
    model = MODELS[name]
    assert model.summary
    assert model.title
    assert f"{{{model.paper}," in bibliography()
    names = [one.name for one in model.parameters]
    assert len(set(names)) == len(names)
    assert set(model.relevance) <= {one.name for one in model.parameters if one.by == "item"}
    assert {one.name for one in model.parameters if one.by != "item"} == set(model.assumed) - {"rate"} or "ctr" in name


def bibliography() -> str:
    return (Path(__file__).parents[3] / "references.bib").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_are_those_of_the_definition(name: str) -> None:
    pages = small_pages(1, 8)
    log, model = log_from(pages), MODELS[name]
    parameters = some_parameters(model, log, 2)
    values = values_of(model, parameters, log)
    given, marginal = conditional(model, parameters, log), model.reach(parameters, log).clicked
    for number, (items, clicks) in enumerate(pages):
        row = log.page[number]
        for rank in range(1, log.depth + 1):
            if name == "cascade" and sum(clicks[: rank - 1]) > 1:
                continue  # what follows the impossible has no probability
            assert given[row, rank - 1] == pytest.approx(slow.conditional(name, values, items, tuple(clicks), rank), abs=1e-12)
            assert marginal[row, rank - 1] == pytest.approx(slow.alone(name, values, items, rank), abs=1e-12)


@pytest.mark.parametrize("prior", [0.0, 1.0])
@pytest.mark.parametrize("name", ITERATING)
@pytest.mark.parametrize("even", [True, False])
def test_rounds_are_those_of_listing_every_hidden_event(name: str, prior: float, *, even: bool) -> None:
    pages = small_pages(3)
    if not even:  # pages of one, two and three places
        pages = [(items[: at % 3 + 1], clicks[: at % 3 + 1]) for at, (items, clicks) in enumerate(pages)]
    log, model = log_from(pages), MODELS[name]
    fit = model.fit(log, Settings(prior=prior, rounds=3, fit="exact"), None)
    values = dict.fromkeys(values_of(model, fit.parameters, log), 0.5)
    for _ in range(3):
        values = slow.expectation_step(name, values, pages, prior)
    result = values_of(model, fit.parameters, log)
    assert {key: result[key] for key in values} == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("prior", [0.0, 1.0])
@pytest.mark.parametrize("name", COUNTING)
def test_counts_are_those_of_loops(name: str, prior: float) -> None:
    pages = small_pages(4)
    log, model = log_from(pages), MODELS[name]
    result = values_of(model, model.fit(log, Settings(prior=prior), None).parameters, log)
    expected = slow.counted(name, pages, prior)
    assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("prior", [0.0, 1.0])
@pytest.mark.parametrize("name", ITERATING)
@pytest.mark.parametrize("seed", range(3))
def test_expectation_maximisation_never_falls(name: str, prior: float, seed: int) -> None:
    log = log_from(small_pages(seed, 60, 4))
    fit = MODELS[name].fit(log, Settings(prior=prior, rounds=60, fit="exact"), None)
    assert np.diff(fit.objective).min() >= -1e-9


@pytest.fixture(scope="module")
def yandex() -> tuple[ClickLog, ClickLog]:
    """The training and the test sessions."""
    train, test = (read_log(shared("data", "pyclick_yandex", name)) for name in ("trainSample.xz", "testSample.xz"))
    parts = split_log(train, test, split="time", share=0.25, seed=0)
    return parts.fitted, parts.held_out


@pytest.mark.parametrize("name", PYCLICK)
def test_the_table_of_click_models_on_the_yandex_log(name: str, yandex: tuple[ClickLog, ClickLog]) -> None:
    train, test = yandex
    assert (train.size, test.size) == (35064, 21413)
    fit = MODELS[name].fit(train, Settings(rounds=50), None)
    held_out = predictions(MODELS[name], fit.parameters, test)
    results = held_out.log_likelihood(), held_out.perplexity(), held_out.perplexity(given_above=True)
    assert tuple(round(value, 6) for value in results) == PYCLICK[name]
    if name == "dbn":
        assert round(float(fit.parameters["persistence"]), 4) == 0.8223


def test_the_cascade_model_on_the_yandex_log(yandex: tuple[ClickLog, ClickLog]) -> None:
    train, test = yandex
    model = MODELS["cascade"]
    held_out = predictions(model, model.fit(train, Settings(), None).parameters, test)
    assert held_out.log_likelihood() == -np.inf
    assert round(held_out.perplexity(), 6) == 1.540882
    assert int(train.times[train.clicked.sum(axis=1) > 1].sum()) == 8938  # 25.5 %
    # PyClick gives everything below a first click, clicked or not, the probability 1e-6, and above it ignores the clicks above
    floored = np.where(test.previous > 0, 1e-6, held_out.alone)
    assert round(float((test.weight * np.log(floored)).sum() / test.weight.sum()), 6) == -7.868836
    bits = (test.weight * np.log2(floored)).sum(axis=0) / test.weight.sum(axis=0)
    assert round(float(np.exp2(-bits).mean())) == 8460


def test_a_fair_coin_has_a_perplexity_of_two() -> None:
    log = log_from(small_pages(5))
    coin = predictions(MODELS["ctr"], {"rate": np.asarray(0.5)}, log)
    assert coin.perplexity() == pytest.approx(2)
    assert coin.log_likelihood() == pytest.approx(-np.log(2))


def test_ubm_without_regard_for_the_last_click_is_pbm() -> None:
    log = log_from(small_pages(6, 40))
    fit = position_based(log, Settings(rounds=20))
    wide = np.repeat(fit.parameters["examination"][:, None], log.depth + 1, axis=1)
    same = {"attraction": fit.parameters["attraction"], "examination": wide}
    assert conditional(MODELS["ubm"], same, log) == pytest.approx(conditional(MODELS["pbm"], fit.parameters, log))
    assert MODELS["ubm"].reach(same, log).clicked == pytest.approx(MODELS["pbm"].reach(fit.parameters, log).clicked)
    # and where no page has a click above another place, the fits are the same
    single = log_from([(items, [0] * (len(items) - 1) + [click[-1]]) for items, click in small_pages(7, 40)])
    settings = Settings(rounds=20)
    assert user_browsing(single, settings).parameters["attraction"] == pytest.approx(
        position_based(single, settings).parameters["attraction"]
    )


def test_sdbn_that_always_satisfies_is_the_cascade_model_on_sessions_of_one_click() -> None:
    pages = [(items, clicks) for items, clicks in small_pages(8, 60) if sum(clicks) <= 1]
    log = log_from(pages)
    settings = Settings(prior=0)
    cascade, sdbn = (MODELS[name].fit(log, settings, None).parameters for name in ("cascade", "sdbn"))
    assert sdbn["attraction"] == pytest.approx(cascade["attraction"])
    assert sdbn["satisfaction"] == pytest.approx(np.ones(4), nan_ok=True)
    ones = {**sdbn, "satisfaction": np.ones(4)}
    assert conditional(MODELS["sdbn"], ones, log) == pytest.approx(conditional(MODELS["cascade"], cascade, log))


def test_dbn_with_full_persistence_has_the_probabilities_of_sdbn() -> None:
    log = log_from(small_pages(9))
    parameters = some_parameters(MODELS["sdbn"], log, 1)
    persistent = {**parameters, "persistence": np.asarray(1.0)}
    assert conditional(MODELS["dbn"], persistent, log) == pytest.approx(conditional(MODELS["sdbn"], parameters, log))
    fit = MODELS["dbn"].fit(log, Settings(gamma=0.7, rounds=5), None)
    assert fit.parameters["persistence"] == 0.7


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_the_exact_fit_of_sdbn_is_that_of_dbn_with_full_persistence(prior: float) -> None:
    log = log_from(small_pages(10, 50, 4))
    exact = MODELS["sdbn"].fit(log, Settings(prior=prior, rounds=40, fit="exact"), None)
    persistent = MODELS["dbn"].fit(log, Settings(prior=prior, rounds=40, gamma=1.0), None)
    for name in ("attraction", "satisfaction"):
        assert exact.parameters[name] == pytest.approx(persistent.parameters[name], abs=1e-12)
    assert exact.objective == pytest.approx(persistent.objective, abs=1e-9)


@pytest.mark.parametrize("name", BOTH)
def test_an_exact_fit_is_at_least_as_likely_as_the_counted_one(name: str) -> None:
    log = log_from(small_pages(13, 80, 4))
    likelihoods = []
    for way in ("counted", "exact"):
        values = MODELS[name].fit(log, Settings(prior=0, fit=way), None).parameters
        likelihoods.append(predictions(MODELS[name], values, log).log_likelihood())
    assert likelihoods[0] < likelihoods[1]


@pytest.mark.parametrize(("name", "settings"), [("sdbn", Settings(0, fit="exact")), ("dbn", Settings(0, gamma=1.0))])
def test_a_fit_leaves_the_ends_and_gaps_of_the_fit_that_it_starts_from(name: str, settings: Settings) -> None:
    """Without a prior an earlier fit may say never, always, or nothing at all."""
    before = [(["a", "b"], [1, 1])] * 10
    log = log_from([*before, *[(["a", "b"], [1, 0])] * 10, *[(["z", "b"], [1, 1])] * 4])
    model = MODELS[name]
    start = model.fit(log.only(np.arange(24) < len(before)), settings, None)
    assert start.parameters["satisfaction"][0] == 0
    assert np.isnan(start.parameters["attraction"]).any()
    fit = model.fit(log, settings, start)
    assert fit.parameters["satisfaction"][0] == pytest.approx(0.5, abs=0.05)
    assert not np.isnan(fit.parameters["attraction"]).any()


def simulated(name: str, seed: int, fit: Any = "exact", most: float = 1.0) -> tuple[ClickLog, Parameters, Fit]:
    """Lists of 12 items in random orders, clicks of known users, and a fit; `most` is the relevance of the best item."""
    sessions = 30_000
    generator = np.random.default_rng(seed)
    model, depth, size = MODELS[name], 5, 12
    lists = np.array([generator.permutation(size)[:depth] for _ in range(sessions)])
    truth = assumed(model, generator.uniform(0, most, size), 1.0, depth)
    truth = {key: np.clip(value, 0, 0.9) for key, value in truth.items()}
    clicked = draw(model, truth, Pages(lists, size), generator)
    rows = {
        "session": np.repeat(np.arange(sessions), depth).astype(str),
        "case": ["q"] * lists.size,
        "item": lists.ravel().astype(str),
        "position": np.tile(np.arange(1, depth + 1), sessions),
        "clicked": clicked.ravel(),
    }
    log = log_of(pl.DataFrame(rows))
    order = log.items["item"].cast(pl.Int64).to_numpy()
    truth = {key: value[order] if model.parameter(key).by == "item" else value for key, value in truth.items()}
    return log, truth, model.fit(log, Settings(prior=0.5, rounds=3000, fit=fit), None)


@pytest.mark.parametrize("name", NAMES)
def test_simulated_parameters_are_recovered_within_three_standard_errors(name: str) -> None:
    log, truth, fit = simulated(name, 11)
    model = MODELS[name]
    errors = errors_of(model, fit, log, 0.5).of_parameter
    if model.one_scale:  # only products of attraction and examination can be told
        scale = float(fit.parameters["examination"].ravel()[0] / truth["examination"].ravel()[0])
        truth = {"attraction": truth["attraction"] / scale, "examination": truth["examination"] * scale}
    for one in model.parameters:
        seen = fit.counts[one.name] > 100
        distance = np.abs(fit.parameters[one.name] - truth[one.name])[seen] / errors[one.name][seen]
        assert distance.max() < 3, one.name


@pytest.mark.parametrize("name", BOTH)
def test_counting_models_recover_what_they_count(name: str) -> None:
    """What a user reads in vain after the last click is not counted, so that attraction comes out a little too high."""
    _, truth, fit = simulated(name, 12, fit="counted")
    high = fit.parameters["attraction"] - truth["attraction"]
    assert high.min() > -0.02
    assert high.max() < 0.2
    if name == "sdbn":
        assert (fit.parameters["satisfaction"] > truth["satisfaction"]).all()


def test_counted_satisfaction_is_too_high_and_exact_satisfaction_is_not() -> None:
    """Where few items attract, most users who are not satisfied find nothing more to click and count as satisfied."""
    _, truth, counted = simulated("sdbn", 14, "counted", most=0.3)
    assert (counted.parameters["satisfaction"] - truth["satisfaction"]).min() > 0.25
    log, truth, exact = simulated("sdbn", 14, most=0.3)
    errors = errors_of(MODELS["sdbn"], exact, log, 0.5).of_parameter["satisfaction"]
    assert (np.abs(exact.parameters["satisfaction"] - truth["satisfaction"]) / errors).max() < 3.5


@pytest.mark.parametrize("name", ["item-ctr", "cascade", "dbn"])
def test_scores_of_cases_are_those_of_their_sessions_alone(name: str) -> None:
    rows = [
        (f"{case}{number}", case, item, rank, bool(click))
        for case, seed, depth in (("q", 1, 3), ("r", 2, 2), ("s", 3, 4))
        for number, (items, clicks) in enumerate(small_pages(seed, 20, depth))
        for rank, (item, click) in enumerate(zip(items, clicks, strict=True), 1)
    ]
    log = log_of(pl.DataFrame(rows, schema=["session", "case", "item", "position", "clicked"], orient="row"))
    model = MODELS[name]
    early = log.only(np.arange(len(log.page)) % 20 < 3)
    fit = model.fit(early, Settings(prior=0), None)
    codes, values = predictions(model, fit.parameters, log).by_case()
    alone = [predictions(model, fit.parameters, log.only(log.case[log.page] == code)) for code in range(3)]
    assert codes.tolist() == [code for code in range(3) if alone[code].sessions > 0]
    for code, *result in zip(codes.tolist(), *values, strict=True):
        expected = alone[code].log_likelihood(), alone[code].perplexity(), alone[code].perplexity(given_above=True)
        assert result == pytest.approx(expected)
