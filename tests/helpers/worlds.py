"""Hypothesis strategies for gold, outputs and metric settings: small worlds with every awkward edge in them.

Grades may be negative or fractional, scores tied, cases missing, empty or without anything relevant, items unjudged.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from plumbline.metrics.registry import Metric

Case = dict[str, float]
Table = dict[str, Case]

ITEMS = tuple("abcdefghij")
CASES = ("q1", "q2", "q3")
GRADES = (-2.0, -1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0)
FEW_SCORES = (0.0, 0.5, 1.0)


def moderate(examples: int) -> settings:
    """Settings for tests that evaluate at every example."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class World:
    """A gold and the output of one system."""

    gold: Table
    run: Table


def grades(most: int = len(ITEMS)) -> st.SearchStrategy[Case]:
    """The judgements of a case; none at all is possible."""
    return st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(GRADES), max_size=most)


def outputs(most: int = len(ITEMS)) -> st.SearchStrategy[Case]:
    """A list of items with scores, many of them tied; it may be empty."""
    scores = st.sampled_from(FEW_SCORES) | st.floats(-5, 5)
    return st.dictionaries(st.sampled_from(ITEMS), scores, max_size=most)


@st.composite
def worlds(draw: st.DrawFn, most: int = len(ITEMS)) -> World:
    """A gold of one to three cases and a system that answers at least one of them."""
    cases = CASES[: draw(st.integers(1, len(CASES)))]
    gold = {case: draw(grades(most)) for case in cases}
    answered = draw(st.sets(st.sampled_from(cases), min_size=1))
    run = {case: draw(outputs(most)) for case in cases if case in answered}
    return World(gold, run)


def ideal(gold: Table) -> Table:
    """The best output: the items with a positive grade, best first."""
    best = {}
    for case, judged in gold.items():
        positive = sorted((item for item in judged if judged[item] > 0), key=lambda item: -judged[item])
        best[case] = {item: float(-place) for place, item in enumerate(positive)}
    return best


SAMPLES: dict[str, tuple[Any, ...]] = {
    "k": (1, 3, 20),
    "rel": (1.0, 0.5, 2.0),
    "gain": ("linear", "exp"),
    "discount": ("burges", "jarvelin"),
    "points": ("exact", "round", "truncate"),
    "recall": (0.0, 0.3, 1.0),
    "p": (0.8, 0.5),
    "beta": (1.0, 0.0, 2.5),
    "gmax": (4.0,),
    "x": (0.5, 1.4),
    "tp": (3.0,),
    "fp": (-0.5,),
    "fn": (-2.0,),
    "tn": (0.25,),
    "docs": (50.0,),
    "n": (1, 4),
    "w": (0.5,),
    "weights": ("3:0:0.5",),
}
"""Values to try for each parameter; choices of a metric's own come from its declaration."""

NEEDS_MORE = {"time": "it needs the lengths of items"}
"""Choices that are tried elsewhere, and why."""

ALL_TOGETHER = 12
"""Up to this many combinations are all tried; of more, each parameter is varied alone and all at once."""


def spelled(metric: Metric) -> list[str]:
    """Names of a metric with many settings of its parameters."""
    values = {
        parameter.name: tuple(choice for choice in parameter.choices or SAMPLES[parameter.name] if choice not in NEEDS_MORE)
        for parameter in metric.parameters
    }
    base = {parameter.name: values[parameter.name][0] for parameter in metric.parameters if parameter.required}
    combined = [dict(zip(values, choice, strict=True)) for choice in product(*values.values())]
    alone = [{**base, name: value} for name, choices in values.items() for value in choices]
    last = {name: choices[-1] for name, choices in values.items()}
    chosen = [base, *(combined if len(combined) <= ALL_TOGETHER else [*alone, last])]
    return list(dict.fromkeys(_name(metric, setting) for setting in chosen))


def _name(metric: Metric, setting: dict[str, Any]) -> str:
    told = ",".join(f"{name}={value}" for name, value in setting.items())
    return f"{metric.name}({told})" if told else metric.name
