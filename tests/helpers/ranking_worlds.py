"""Hypothesis strategies for gold and outputs of rankings: small worlds with every awkward edge in them.

Grades may be negative or fractional, scores tied, cases missing, empty or without anything relevant, items unjudged.
Strategies that each draw needs are made once: making one takes longer than drawing from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.helpers.examples import some_of

Case = dict[str, float]
Table = dict[str, Case]

ITEMS = tuple("abcdefghij")
CASES = tuple(f"q{number}" for number in range(1, 10))
GRADES = (-2.0, -1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0)
FEW_SCORES = (0.0, 0.5, 1.0)


def moderate(examples: int, share: int = 2) -> settings:
    """Settings for tests that evaluate at every example; `share` as in `some_of`."""
    return settings(max_examples=some_of(examples, share), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def thorough(examples: int) -> settings:
    """The same for tests that evaluate in two ways."""
    return moderate(examples, 5)


@dataclass(frozen=True)
class World:
    """A gold and the output of one system."""

    gold: Table
    run: Table


@cache
def grades(most: int = len(ITEMS)) -> st.SearchStrategy[Case]:
    """The judgements of a case; none at all is possible."""
    return st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(GRADES), max_size=most)


@cache
def outputs(most: int = len(ITEMS)) -> st.SearchStrategy[Case]:
    """A list of items with scores, many of them tied; it may be empty."""
    scores = st.sampled_from(FEW_SCORES) | st.floats(-5, 5)
    return st.dictionaries(st.sampled_from(ITEMS), scores, max_size=most)


@cache
def some(names: tuple[str, ...]) -> st.SearchStrategy[set[str]]:
    """One of them at least."""
    return st.sets(st.sampled_from(names), min_size=1)


@st.composite
def worlds(draw: st.DrawFn, most: int = len(ITEMS), cases: int = 3) -> World:
    """A gold of one to so many cases and a system that answers at least one of them.

    One evaluation of many cases costs little more than one of few, and says more.
    """
    names = CASES[: draw(st.integers(1, cases))]
    gold = {case: draw(grades(most)) for case in names}
    answered = draw(some(names))
    run = {case: draw(outputs(most)) for case in names if case in answered}
    return World(gold, run)


def ideal(gold: Table) -> Table:
    """The best output: the items with a positive grade, best first."""
    best = {}
    for case, judged in gold.items():
        positive = sorted((item for item in judged if judged[item] > 0), key=lambda item: -judged[item])
        best[case] = {item: float(-place) for place, item in enumerate(positive)}
    return best
