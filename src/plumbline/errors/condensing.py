"""Notices that say the same about several files, as one line with a count and a list."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from plumbline.errors.base import Diagnostic, listing, plural
from plumbline.errors.faces import either

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_OF_A_KIND: Final = 3
"""How many different notices with one code are printed before those of further files are only counted."""
_ALL: Final = either("`notices` has all of them", "--verbose prints all of them")


def condensed(notices: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The notices for a reader: what is equal for several files is written once, and many of a kind are counted."""
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for number, notice in enumerate(notices):
        key = (notice.code, notice.message, notice.advice) if _is_about_a_file(notice) else (number,)
        groups.setdefault(key, []).append(notice)
    return _few_of_a_kind(list(groups.values()))


def _is_about_a_file(notice: Diagnostic) -> bool:
    return notice.place is not None and notice.place.line is None


def _paths(notices: Iterable[Diagnostic]) -> list[str]:
    return list(dict.fromkeys(notice.place.path for notice in notices if notice.place is not None))


def _few_of_a_kind(groups: list[list[Diagnostic]]) -> list[Diagnostic]:
    """One notice for each group; of many groups with one code the first ones, followed by a count of the others."""
    by_code: dict[str, list[list[Diagnostic]]] = {}
    for group in groups:
        if _is_about_a_file(group[0]):
            by_code.setdefault(group[0].code, []).append(group)
    kept: list[Diagnostic] = []
    for group in groups:
        alike = by_code.get(group[0].code, []) if _is_about_a_file(group[0]) else []
        if len(alike) <= MOST_OF_A_KIND + 1:
            kept.append(_of_several(group))
        elif group is alike[0]:
            kept += [*map(_of_several, alike[:MOST_OF_A_KIND]), _further(chain.from_iterable(alike[MOST_OF_A_KIND:]))]
    return kept


def _of_several(group: list[Diagnostic]) -> Diagnostic:
    """What all notices of a group say, with the files that they are about."""
    first, *_ = group
    paths = _paths(group)
    if len(paths) < 2:  # noqa: PLR2004 - one file is named as its place
        return first
    return replace(first, message=f"{first.message} ({plural(len(paths), 'input')}: {listing(paths)})", place=None)


def _further(notices: Iterable[Diagnostic]) -> Diagnostic:
    others = list(notices)
    paths = _paths(others)
    message = f"the same kind of notice about {plural(len(paths), 'further input')}: {listing(paths)}"
    return Diagnostic(others[0].code, message, None, _ALL)
