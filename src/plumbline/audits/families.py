"""The family of a filtering metric: what it gives to outputs that know nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

FAMILIES: Final = {
    "absolute weighting": "utility-based",
    "fixed quality": "informativeness-based",
    "growing quality": "class-oriented",
}
"""The property by which a family is known (Amigo et al. 2019, section 3.3), and its name."""


def family(held: Iterable[str]) -> str | None:
    """The family of a metric that has these properties; no metric has two."""
    return next((FAMILIES[name] for name in held if name in FAMILIES), None)
