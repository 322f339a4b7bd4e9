"""Facts of parts become those of the whole: numbers are added, names are put together, of examples the first one is kept."""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from plumbline.align.ranking import ties_matter
from plumbline.errors import Diagnostic
from plumbline.errors.registry import every_diagnostic
from plumbline.evaluation.engines.job import RowPlace
from plumbline.evaluation.engines.partition import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

ORDER: Final = ("N208", "N282", "N204", "N209", "N202", "N201", "N214", "N216", "N217", "N205", "N206", "N207", "N211")
"""The order in which an alignment speaks of a gold or a system."""
TIED: Final = "N205"
NOTHING_JUDGED: Final = "N206"
SAME: Final = {"N216": ("depth",), "N211": ("metrics", "samples")}
"""Numbers and names that are not added: they are the same in every part."""
LEAST: Final = {"N207": ("example",)}
"""Texts of which the first in the alphabet is kept."""


def merged(facts: Iterable[Fact], cases: Mapping[str, int]) -> dict[str, list[Fact]]:
    """The facts of the whole, by the source that they are about and in the order of an alignment.

    Args:
        facts: Those of all parts.
        cases: The place of each case of the gold, by which names of cases are ordered.
    """
    groups: dict[tuple[str, Any], list[dict[str, Any]]] = {}
    for fact in facts:
        named = _named(fact)
        same = tuple((name, str(value)) for name, value in named.items() if _is_same(fact.code, name, value))
        groups.setdefault((fact.code, same), []).append(named)
    parts = {key: len(group) for key, group in groups.items()}
    by_path: dict[str, list[Fact]] = {}
    for (code, same), group in sorted(groups.items(), key=lambda one: ORDER.index(one[0][0])):
        arguments = {name: _merged_argument(code, name, [one[name] for one in group], cases) for name in group[0]}
        path = str(arguments.get("path", ""))
        if code == TIED and not ties_matter(arguments["tied"], arguments["items"], arguments["full"]):
            continue
        if code == NOTHING_JUDGED and parts[code, same] < _parts_with(groups, path):
            continue
        by_path.setdefault(path, []).append(Fact(code, (), arguments))
    return by_path


def one_of_each(remarks: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Notices about the blocks of one file, of which those of a kind become one: their numbers are added."""
    kinds: dict[str, list[Diagnostic]] = {}
    for remark in remarks:
        kinds.setdefault(remark.code, []).append(remark)
    return [_one(same) for same in kinds.values()]


def _one(same: list[Diagnostic]) -> Diagnostic:
    if all(remark == same[0] for remark in same):
        return same[0]
    named = [_named(Fact(remark.code, *(remark.facts or ((), {})))) for remark in same]
    added = {name: sum(one[name] for one in named) for name, value in named[0].items() if type(value) is int}
    return made(Fact(same[0].code, (), {**named[0], **added}), lambda value: value)


def _parts_with(groups: Mapping[tuple[str, Any], Sequence[Any]], path: str) -> int:
    """In how many parts a system has a list: each of them tells how many scores are tied."""
    return sum(len(group) for (code, same), group in groups.items() if code == TIED and dict(same)["path"] == path)


def _named(fact: Fact) -> dict[str, Any]:
    return dict(_signature(fact.code).bind(*fact.args, **fact.kwargs).arguments)


@cache
def _signature(code: str) -> inspect.Signature:
    return inspect.signature(every_diagnostic()[code].constructor)


def _is_same(code: str, name: str, value: object) -> bool:
    return name in SAME.get(code, ()) or (isinstance(value, (str, bool)) and name not in LEAST.get(code, ()))


def _merged_argument(code: str, name: str, values: list[Any], cases: Mapping[str, int]) -> Any:
    """One argument of a message, from those of the parts: a sum, the first place, or all names."""
    first = values[0]
    if _is_same(code, name, first):
        return first
    if isinstance(first, int):
        return sum(values)
    if isinstance(first, RowPlace):
        return min(values, key=lambda place: place.row)
    if isinstance(first, list):
        return sorted({one for some in values for one in some}, key=lambda one: (cases.get(one, -1), one))
    return min(values)


def made(fact: Fact, real: Callable[[Any], Any]) -> Diagnostic:
    """The diagnostic of a fact; `real` gives what stood in for names and places their real values."""
    args = tuple(map(real, fact.args))
    kwargs = {name: real(value) for name, value in fact.kwargs.items()}
    return Diagnostic(fact.code, *every_diagnostic()[fact.code].constructor(*args, **kwargs), facts=(args, kwargs))
