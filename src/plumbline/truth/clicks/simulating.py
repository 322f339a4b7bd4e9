"""Clicks drawn from a model whose parameters are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import Pages
    from plumbline.truth.clicks.registry import ClickModel, Parameters

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

LOWEST, HIGHEST = 0.05, 0.95
"""Items of the lowest and of the highest grade attract and satisfy with these probabilities."""


def draw(model: ClickModel, parameters: Parameters, pages: Pages, generator: np.random.Generator) -> Flags:
    """`[page, rank]`: a session for each page, read from the top."""
    walk = model.walk(parameters, pages)
    clicked = np.zeros(pages.pair.shape, dtype=np.bool_)
    for rank in range(pages.depth):
        clicked[:, rank] = generator.random(len(pages.pair)) < walk.click(rank)
        walk.observe(rank, clicked[:, rank])
    return clicked


def assumed(model: ClickModel, grade: Numbers, top: float, depth: int) -> Parameters:
    """Parameters of items by their grade, from .05 to .95; those of ranks and of the log as the model declares them."""
    share = np.clip(grade, 0.0, None) / top if top > 0 else np.zeros(len(grade))
    of_item = LOWEST + (HIGHEST - LOWEST) * share
    made: Parameters = {}
    for one in model.parameters:
        given: Any = model.assumed.get(one.name)
        if one.by == "item":
            made[one.name] = of_item
        elif one.by == "rank":
            made[one.name] = np.array([given(rank, 0) for rank in range(1, depth + 1)])
        elif one.by == "rank and last click":
            made[one.name] = np.array(
                [[given(rank, last) if last < rank else 0.0 for last in range(depth + 1)] for rank in range(1, depth + 1)]
            )
        else:
            made[one.name] = np.asarray(float(given))
    return made
