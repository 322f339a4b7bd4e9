"""Hypothesis strategies for organizations, and a seeded generator of many: small worlds with every awkward edge in them.

Items occur at several levels and in several clusters, levels are tied or one only, clusters are nested in levels or span
them, sides lack items of each other, and a side may be empty. No cluster has an item twice at one level.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.helpers.organization_oracles import Levels, Occurrence, Organization

Form = Literal["nested", "spanning", "singletons", "one level", "once", "ranking"]
FORMS: tuple[Form, ...] = get_args(Form)
"""Clusters in levels; over several levels; of one occurrence; all in one level; each item once; and once in singletons."""
NESTED: tuple[Form, ...] = ("nested", "singletons", "one level", "ranking")
"""The forms that the nested levels of JSON can say."""
ITEMS = "abcdef"
EXTRA = "yz"
"""Items that only a system has."""


class Pair(NamedTuple):
    """A gold and the output of one system."""

    gold: Organization
    system: Organization


def shaped(drawn: list[tuple[str, int, int]], form: Form) -> Organization:
    """Drawn occurrences as an organization of a form, each cluster with an item once at a level."""
    if form in ("once", "ranking"):
        drawn = list({item: (item, level, cluster) for item, level, cluster in drawn}.values())
    made: list[Occurrence] = []
    for place, (item, level, cluster) in enumerate(drawn):
        named = {"nested": (level, cluster), "singletons": place, "ranking": place}.get(form, cluster)
        made.append((item, 0 if form == "one level" else level, named))
    return list(dict.fromkeys(made))


@cache
def occurrences(items: str, least: int) -> st.SearchStrategy[list[tuple[str, int, int]]]:
    """Items with a level and a cluster; made once, since that takes longer than drawing from it."""
    return st.lists(st.tuples(st.sampled_from(items), st.integers(0, 3), st.integers(0, 2)), min_size=least, max_size=8)


@st.composite
def organizations(draw: st.DrawFn, forms: tuple[Form, ...] = FORMS, items: str = ITEMS, least: int = 0) -> Organization:
    """The occurrences of a side, at least and at most so many."""
    return shaped(draw(occurrences(items, least)), draw(st.sampled_from(forms)))


@st.composite
def pairs(draw: st.DrawFn, forms: tuple[Form, ...] = FORMS, least: int = 0) -> Pair:
    """Two sides: of their own, the same, or the system as the gold with some things changed."""
    gold = draw(organizations(forms, least=least))
    related = draw(st.sampled_from(["changed", "changed", "own", "same"]))
    if related == "same":
        return Pair(gold, draw(st.permutations(gold)))
    if related == "own" or not gold:
        return Pair(gold, draw(organizations(forms, ITEMS + EXTRA, least)))
    form = draw(st.sampled_from(forms))
    drawn = [(item, int(level), draw(st.integers(0, 1))) for item, level, _ in gold]
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(drawn) - 1))
        item, level, cluster = drawn[place]
        other = draw(st.sampled_from(ITEMS + EXTRA))
        changes = [
            [],
            [(item, level, cluster), (other, level, cluster)],
            [(item, draw(st.integers(0, 3)), cluster)],
            [(other, level, cluster)],
        ]
        drawn[place : place + 1] = draw(st.sampled_from(changes[1:] if len(drawn) == 1 else changes))
    return Pair(gold, shaped(drawn, form))


# --- many and large -----------------------------------------------------------------------------------------------------


def random_organization(rng: np.random.Generator, size: int, form: Form = "spanning", items: int | None = None) -> Organization:
    """So many occurrences at most, of items i0, i1, ...; with fewer items they overlap more (as many, unless given)."""
    most = max(items or size, 1)
    levels, clusters = (int(rng.integers(1, max(size, 2) + 1)) for _ in range(2))
    drawn = zip(*(rng.integers(0, top, size).tolist() for top in (most, levels, clusters)), strict=True)
    return shaped([(f"i{item}", level, cluster) for item, level, cluster in drawn], form)


def random_pair(rng: np.random.Generator, size: int, forms: tuple[Form, ...] = FORMS) -> Pair:
    """Two sides of up to so many occurrences over the same names, half of the time the system a shaken gold."""
    one, other = (forms[int(rng.integers(len(forms)))] for _ in range(2))
    items = int(rng.integers(1, 2 * size + 1))
    gold = random_organization(rng, int(rng.integers(0, size + 1)), one, items)
    if rng.random() < 0.5:
        return Pair(gold, random_organization(rng, int(rng.integers(0, size + 1)), other, items))
    kept = [occurrence for occurrence in gold if rng.random() < 0.8]
    drawn = [(item, max(0, int(level + rng.integers(-1, 2))), int(rng.integers(0, 3))) for item, level, _ in kept]
    return Pair(gold, shaped(drawn, other))


def many(count: int, size: int = 8, seed: int = 5, forms: tuple[Form, ...] = FORMS) -> Iterator[Pair]:
    """Pairs of small organizations for loops, the same at every run."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield random_pair(rng, size, forms)


# --- other ways to say the same -----------------------------------------------------------------------------------------


def nested(side: Organization) -> Levels:
    """The levels, best first, each of clusters, each of items; a cluster that spans levels is cut."""
    order = {cluster: place for place, (_, _, cluster) in reversed(list(enumerate(side)))}
    rows = sorted(side, key=lambda one: (one[1], order[one[2]]))
    return [
        [[item for item, _, _ in cluster] for _, cluster in groupby(level, key=lambda one: one[2])]
        for _, level in groupby(rows, key=lambda one: one[1])
    ]


def rows(side: Organization) -> list[dict[str, str | float]]:
    """The columns item, level (1 is best) and cluster of a table."""
    names = {cluster: f"c{place}" for place, cluster in enumerate(dict.fromkeys(cluster for _, _, cluster in side))}
    return [{"item": item, "level": level + 1, "cluster": names[cluster]} for item, level, cluster in side]
