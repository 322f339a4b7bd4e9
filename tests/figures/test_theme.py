"""Colours can be told apart and read, on both backgrounds."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from plumbline.figures import theme
from plumbline.figures.kinds import confusion, unanimity

Colour = NDArray[np.float64]
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
SEEN_BY = {
    "everybody": np.eye(3),
    "protanopes": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deuteranopes": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
"""Machado, Oliveira and Fernandes (2009): what linear colours become."""
BOTH = pytest.mark.parametrize("dark", [False, True])


def linear(colour: str) -> Colour:
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def blended(colour: str, paper: str, opacity: float) -> str:
    """A colour with some opacity on paper, as browsers mix them."""
    mixed = (
        opacity * one + (1 - opacity) * other for one, other in zip(*map(bytes.fromhex, (colour[1:], paper[1:])), strict=True)
    )
    return "#" + bytes(map(round, mixed)).hex()


def contrast(one: Colour, other: Colour) -> float:
    """As the Web Content Accessibility Guidelines have it."""
    low, high = sorted(float(colour @ TO_XYZ[1]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour: Colour) -> Colour:
    xyz = np.clip(colour, 0, 1) @ TO_XYZ.T / np.array([0.95047, 1.0, 1.08883])
    bent = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])])


@BOTH
def test_marks_stand_out_from_the_paper(dark: bool) -> None:  # noqa: FBT001 - one of two
    paper = linear(theme.PAPER[dark])
    palette = theme.DARK if dark else theme.LIGHT
    for colour in (*palette, theme.QUIET_BAR[dark], theme.QUIET[dark]):
        assert contrast(linear(colour), paper) >= 3, colour
    assert contrast(linear(theme.INK[dark]), paper) >= 7
    assert contrast(linear(theme.QUIET[dark]), paper) >= 4.5  # words are written in it


@BOTH
def test_intervals_stand_out_from_bars(dark: bool) -> None:  # noqa: FBT001 - one of two
    paper, ink = theme.PAPER[dark], linear(theme.INK[dark])
    pale = [blended(colour, paper, theme.PALE) for colour in (theme.DARK if dark else theme.LIGHT)]
    for bar in (*pale, theme.QUIET_BAR[dark]):
        assert contrast(ink, linear(bar)) >= 3, bar


@BOTH
@pytest.mark.parametrize("eyes", SEEN_BY)
def test_colours_of_systems_can_be_told_apart(dark: bool, eyes: str) -> None:  # noqa: FBT001 - one of two
    palette = (theme.DARK if dark else theme.LIGHT)[: theme.MOST_COLOURS]
    seen = [lab(linear(colour) @ SEEN_BY[eyes].T) for colour in palette]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 25


@BOTH
@pytest.mark.parametrize(
    ("ramp", "strong"),
    [
        (theme.RAMP, confusion.STRONG),
        ({dark: half[len(half) // 2 :] for dark, half in theme.DIVERGING.items()}, unanimity.STRONG),
    ],
)
def test_numbers_can_be_read_in_their_cells(dark: bool, ramp: dict[bool, tuple[str, ...]], strong: float) -> None:  # noqa: FBT001 - one of two
    colours = [linear(colour) for colour in ramp[dark]]
    steps = len(colours) - 1
    for place, (one, other) in enumerate(pairwise(colours)):
        for share in np.linspace(0, 1, 5):
            at = (place + share) / steps
            ink = theme.PAPER[dark] if at >= strong else theme.INK[dark]
            assert contrast(linear(ink), one + (other - one) * share) >= 3, at
