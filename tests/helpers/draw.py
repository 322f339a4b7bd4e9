"""Rankings drawn as text, so that a reader can check a test by hand.

`R` is relevant (grade 1), `N` judged irrelevant, `-` unjudged, `x` negative (in the pool, not judged), a number its grade.
Places are separated by spaces; `=` joins items that share a score: `"R=N 2"`. The ids are such that the default tie rule
keeps the order as drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plumbline

CASE = "q"
_LETTERS = {"R": 1.0, "N": 0.0, "x": -1.0}


@dataclass(frozen=True)
class Drawn:
    """Gold and run of one case."""

    gold: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]


def draw(drawn: str, *, relevant: int | None = None, unseen: str = "") -> Drawn:
    """Gold and run from a drawing; `relevant` counts all relevant items, `unseen` draws judged items that are not shown."""
    gold: dict[str, float] = {}
    run: dict[str, float] = {}
    for place, tied in enumerate(drawn.split()):
        for token in tied.split("="):
            item = f"d{999 - len(run)}"
            run[item] = float(-place)
            if token != "-":  # noqa: S105 - a drawn place
                gold[item] = grade_of(token)
    hidden = [grade_of(token) for token in unseen.split()]
    if relevant is not None:
        hidden += [1.0] * (relevant - sum(grade >= 1 for grade in gold.values()))
    gold |= {f"u{number}": grade for number, grade in enumerate(hidden)}
    return Drawn({CASE: gold}, {CASE: run})


def grade_of(token: str) -> float:
    """The grade that a letter or number stands for."""
    return _LETTERS[token] if token in _LETTERS else float(token)


def score(name: str, drawn: Drawn, **options: Any) -> float | None:
    """The value of one metric on a drawing."""
    scores = plumbline.evaluate(drawn.gold, drawn.run, [name], **options)
    value: float | None = scores.per_case["value"][0]
    return value


def text_score(name: str, drawn: Drawn, **options: Any) -> str:
    """The value of a metric that is text."""
    scores = plumbline.evaluate(drawn.gold, drawn.run, [name], **options)
    return str(scores.texts[scores.texts.columns[-1]][0])
