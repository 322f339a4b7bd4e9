"""A small world of each task, evaluated by a function that imports plumbline only when it is called."""

from __future__ import annotations

from typing import Any, Final

WORLDS: Final[dict[str, tuple[Any, Any, list[str], dict[str, Any]]]] = {
    "ranking": (
        {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 0, "d": 1}},
        {"q1": {"a": 1.0, "c": 1.0, "x": 0.5}, "q2": {"d": 0.1, "a": 0.9}},
        ["AP", "nDCG", "ERR", "Bpref"],
        {"ties": "average"},
    ),
    "filtering": ({"a": 1, "b": 0, "c": 1}, {"a": 1, "b": 1, "c": 0}, ["F(P,R)", "Lam", "MI"], {"floor": True}),
    "classification": ({"a": "x", "b": "y", "c": "z"}, {"a": "x", "b": "z", "c": "z"}, ["F(P,R)", "Kappa"], {"floor": True}),
    "clustering": (
        {"a": 1, "b": 1, "c": 2, "d": 2},
        {"a": 1, "b": 2, "c": 2, "d": 2},
        ["F(BCubedP,BCubedR)", "AMI", "ONMI", "VI"],
        {"floor": True},
    ),
    "organization": ({"q1": [[["a"], ["b", "c"]], [["d"]]]}, {"q1": [[["a", "b"]], [["c"], ["d"]]]}, ["F(Rel,Sens)"], {}),
}


def evaluated(task: str) -> str:
    """Scores and notices of a task, to the last digit."""
    import plumbline  # noqa: PLC0415 - here threads meet

    gold, output, metrics, options = WORLDS[task]
    scores = plumbline.evaluate(gold, output, metrics, task=task, **options)
    return repr((scores.per_case.rows(), scores.mean.rows(), [str(notice) for notice in scores.notices]))
