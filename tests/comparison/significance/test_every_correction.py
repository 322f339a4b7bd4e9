"""What holds for every correction that is declared, whoever declared it."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from plumbline.comparison.significance import catalogue
from plumbline.comparison.significance.registry import (
    UNCORRECTED,
    Correction,
    all_corrections,
    find_correction,
)
from plumbline.errors import BadUsage
from plumbline.reports.sections.references import entries
from tests.helpers.command_line import plumbline as program
from tests.helpers.examples import some_of
from tests.helpers.significance_oracles import CORRECTION_ORACLES

EVERY = pytest.mark.parametrize("correction", all_corrections().values(), ids=lambda correction: correction.name)
P = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.01, 0.05, 1.0])), min_size=1, max_size=12)


@EVERY
def test_it_is_declared_with_everything_that_is_printed_about_it(correction: Correction) -> None:
    assert correction.summary.endswith(".")
    assert correction.title
    assert find_correction(correction.name) is correction
    assert correction.name in catalogue.correction_names()
    if correction.paper is None:
        assert correction.name == UNCORRECTED
    else:
        assert len(entries([correction.paper])) == 1, "the paper has an entry in references.bib"


@EVERY
@given(p=P)
@settings(max_examples=some_of(60), deadline=None)
def test_it_is_its_definition(correction: Correction, p: list[float]) -> None:
    result = correction(p)
    assert result == pytest.approx(CORRECTION_ORACLES[correction.name](p))
    assert (result >= p).all(), "no p becomes smaller"
    assert (result <= 1).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(result[order]) >= 0).all(), "the order stays"
    assert correction(p[::-1]) == pytest.approx(result[::-1])
    assert correction(p[:1]) == pytest.approx(p[:1]), "one p needs no correction"


@EVERY
def test_what_has_no_p_is_no_part_of_the_family(correction: Correction) -> None:
    result = correction([0.01, nan, 0.04])
    assert isnan(result[1])
    assert result[[0, 2]] == pytest.approx(correction([0.01, 0.04]))
    assert correction([]).shape == (0,)
    assert np.isnan(correction([nan])).all()


@EVERY
def test_it_seldom_claims_anything_where_there_is_nothing(correction: Correction) -> None:
    tables = np.random.default_rng(4).random((1000, 20))
    rate = np.mean([(correction(p) < 0.05).any() for p in tables])
    assert (rate < 0.075) != (correction.name == UNCORRECTED)


@EVERY
@pytest.mark.parametrize("size", [1, 3, 4950])
def test_its_factor_is_that_of_the_smallest_p_if_all_are_as_small(correction: Correction, size: int) -> None:
    assert correction.factor(size) == pytest.approx(correction(np.full(size, 1e-9))[0] / 1e-9)


@EVERY
def test_its_name_is_printed(correction: Correction) -> None:
    table = {"a": [0.9, 0.8, 0.7, 0.9, 0.6], "b": [0.1, 0.2, 0.4, 0.3, 0.2], "c": [0.3, 0.1, 0.5, 0.2, 0.4]}
    comparison = plumbline.compare(table, correction=correction.name)
    assert f"correction: {correction.title}" in repr(comparison)


@EVERY
def test_the_program_offers_it(correction: Correction) -> None:
    assert correction.name in program("compare", "--help").out


def test_an_unknown_correction_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BadUsage, match="bonferroni"):
        plumbline.compare({"a": [0.1, 0.2], "b": [0.3, 0.1]}, correction="magic")
