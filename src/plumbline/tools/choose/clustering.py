"""Clustering: who belongs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.tools.choose.advice import Pick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers

_EXTREMES: Final = "One group for everything has full recall, one for each item full precision; F is low if the other is."
_BCUBED: Final = (
    "BCubed asks for each item who shares its group, and meets what is expected of a clustering metric: pure groups, whole "
    "groups, noise kept in one place, and rather one error in a large group than many in small ones."
)

_CLUSTERING: Final[Mapping[bool | None, Pick]] = {
    True: Pick(
        "overlapping groups",
        ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "F(Rel,Sens)"),
        f"{_BCUBED} Its extended form counts how many groups two items share; F(Rel,Sens) takes each occurrence of an item for "
        "an item of its own.",
        _EXTREMES,
        ("amigo2009", "amigo2013"),
    ),
    False: Pick(
        "groups without overlap",
        ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "ARI"),
        f"{_BCUBED} ARI counts pairs of items and subtracts what random groups would get.",
        f"{_EXTREMES} ARI gives 0 to both, and about 0 to random groups.",
        ("amigo2009", "hubert1985"),
    ),
    None: Pick(
        "groups with or without overlap",
        ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR"),
        f"{_BCUBED} It is defined with and without overlaps.",
        _EXTREMES,
        ("amigo2009",),
    ),
}


def pick(answers: Answers) -> Pick:
    """Metrics for groups."""
    return _CLUSTERING[answers.overlaps]
