"""Which options evaluate() and compare() have, and what each of them takes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import isnan
from numbers import Integral, Real
from reprlib import Repr
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, reports
from plumbline.errors.base import listing

if TYPE_CHECKING:
    from collections.abc import Callable

_BRIEFLY: Final = Repr()
_BRIEFLY.maxstring = _BRIEFLY.maxother = 80
_NEAR: Final = 0.6
_TOO_LARGE: Final = 2**63


@dataclass(frozen=True)
class Kind:
    """What an option takes: in words, and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _is_text(value: Any) -> bool:  # noqa: ANN401 - whatever somebody gave
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:  # noqa: ANN401 - as above
    return not isinstance(value, bool) and isinstance(value, Real) and not isnan(value)


def _is_whole(value: Any) -> bool:  # noqa: ANN401 - as above
    return not isinstance(value, bool) and isinstance(value, Integral)


def _are_labels(value: Any) -> bool:  # noqa: ANN401 - as above
    return isinstance(value, (list, tuple, set, frozenset)) and all(_is_text(one) or _is_whole(one) for one in value)


def _are_words(value: Any) -> bool:  # noqa: ANN401 - as above
    return isinstance(value, (list, tuple)) and all(map(_is_text, value))


TEXT: Final = Kind("a word", _is_text)
NUMBER: Final = Kind("a number", _is_number)
WHOLE: Final = Kind("a whole number that is not negative", lambda value: _is_whole(value) and 0 <= value < _TOO_LARGE)
FLAG: Final = Kind("true or false", lambda value: isinstance(value, bool))
WORDS: Final = Kind("a word or a list of words", lambda value: _is_text(value) or _are_words(value))
LABEL: Final = Kind("a label", lambda value: _is_text(value) or _is_whole(value))
LABELS: Final = Kind("a label or a list of labels", lambda value: _is_text(value) or _are_labels(value))
DATA: Final = Kind("a file", lambda value: not isinstance(value, (bool, Real)))
HOOK: Final = Kind("a function", callable)

EVALUATED: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("metrics",), WORDS),
    **dict.fromkeys(
        ("task", "as_", "names", "label_separator", "reader", "gold_reader", "output_reader", "order", "tag"), TEXT
    ),
    **dict.fromkeys(("ties", "on_duplicate", "missing", "missing_items", "undefined"), TEXT),
    **dict.fromkeys(("positive", "classes"), LABELS),
    **dict.fromkeys(("noise",), LABEL),
    **dict.fromkeys(("rel", "threshold", "floor_rate"), NUMBER),
    **dict.fromkeys(("depth", "seed", "max_bytes"), WHOLE),
    **dict.fromkeys(("floor", "multilabel", "judged_only", "single_precision"), FLAG),
    **dict.fromkeys(("features", "distances", "lengths", "zscores"), DATA),
    **dict.fromkeys(("watch",), HOOK),
}
"""The options of evaluate()."""
COMPARED: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("metrics", "lower"), WORDS),
    **dict.fromkeys(("baseline", "mean", "test", "correction"), TEXT),
    **dict.fromkeys(("alpha", "uir_threshold", "level", "eps"), NUMBER),
    **dict.fromkeys(("resamples", "seed"), WHOLE),
}
"""The options of compare()."""


def is_said(value: Any) -> bool:  # noqa: ANN401 - an option of any kind
    """Whether an option says anything: none and no words are as good as nothing."""
    return value is not None and not (isinstance(value, (list, tuple)) and not value)


def told(options: Mapping[str, Any] | None, known: Mapping[str, Kind], whose: str) -> dict[str, Any]:
    """The options that say something; one that is unknown or of another kind is refused. `whose` they are is for the words."""
    if not isinstance(options, Mapping):
        if options is None:
            return {}
        raise BadUsage(reports.bad_option(f"{briefly(options)} holds no options of {whose}", "give a dict {option: value}"))
    said = {name: value for name, value in options.items() if name not in known or is_said(value)}
    for name, value in said.items():
        wrong = against(name, value, known, whose)
        if wrong is not None:
            raise BadUsage(reports.bad_option(*wrong))
    return said


def against(name: str, value: Any, known: Mapping[str, Kind], whose: str) -> tuple[str, str] | None:  # noqa: ANN401 - as above
    """What is wrong with an option, and what to write instead; none if nothing is."""
    if name not in known:
        return f"{whose} has no option {name!r}", instead(name, list(known))
    kind = known[name]
    return None if kind.fits(value) else (f"{name} = {briefly(value)} is not understood", f"write {kind.words}")


def instead(name: str, known: list[str]) -> str:
    """The options that may have been meant; all, if none is near."""
    near = get_close_matches(str(name), known, n=2, cutoff=_NEAR)
    return f"did you mean {' or '.join(near)}?" if near else f"it has {listing(known, len(known))}"


def several(names: Any) -> Any:  # noqa: ANN401 - as above
    """Names that come one by one as a list, so that they can be looked at twice."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else names


def briefly(value: Any) -> str:  # noqa: ANN401 - as above
    """A value for a sentence; paths as text."""
    return repr(os.fspath(value)) if isinstance(value, os.PathLike) else _BRIEFLY.repr(value)
