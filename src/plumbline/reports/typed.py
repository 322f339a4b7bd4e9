"""The lines of Python that make a report again, as one would type them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from plumbline.comparison.comparison import Comparison
from plumbline.figures.options import is_said
from plumbline.figures.reused import DATA
from plumbline.scores import Scores

LONGEST: Final = 300
"""What takes more characters has a name instead."""


def typed(source: Any, path: str | os.PathLike[str], given: Mapping[str, Any]) -> tuple[str, ...]:  # noqa: ANN401 - as report
    """The calls; what was in memory, or is too long, has a name instead of a value."""
    page = repr(Path(path).name)
    said = {name: value for name, value in given.items() if is_said(value)}
    named = ", ".join([page, *(f"{name}={_value(value, name)}" for name, value in said.items())])
    if isinstance(source, Comparison):
        return ("import plumbline", f"comparison.report({named})")
    if isinstance(source, Scores):
        return ("import plumbline", _evaluated(source, given), f"scores.report({named})")
    return ("import plumbline", f"plumbline.report({_value(source, 'scores')}, {named})")


def _evaluated(scores: Scores, given: Mapping[str, Any]) -> str:
    """How the scores were made, as far as they tell it themselves."""
    made, standard = scores.made, any(column.name.startswith("Z(") for column in scores.columns)
    data = {name: given[name] for name in DATA if given.get(name) is not None}
    options = {"task": made.get("task"), "as_": made.get("as"), **data, **made.get("options", {})}
    words = [_value(given[name], name) if given.get(name) is not None else name for name in ("gold", "systems")]
    metrics = dict.fromkeys(column.asked.removeprefix("Z" if standard else "") for column in scores.columns)
    words.append(_value(list(metrics), "metrics"))
    words += [f"{name}={_value(value, name)}" for name, value in options.items() if is_said(value)]
    words += ["zscores=zscores"] if standard and "zscores" not in options else []
    return f"scores = plumbline.evaluate({', '.join(words)})"


def _value(value: Any, name: str) -> str:  # noqa: ANN401 - whatever was given
    """A value as Python writes it, in which nothing acts and nothing is hidden."""
    plain = _plain(value)
    text = name if plain is ... else repr(plain)
    return text if len(text) <= LONGEST else name


def _plain(value: Any) -> Any:  # noqa: ANN401 - as above
    """Words, numbers and paths, alone or in lists and dicts; of anything else the ellipsis."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        found = {str(key): _plain(one) for key, one in value.items()}
        return ... if any(one is ... or isinstance(one, dict) for one in found.values()) else found
    if isinstance(value, (list, tuple)):
        several = [_plain(one) for one in value]
        return ... if any(one is ... for one in several) else several
    return ...
