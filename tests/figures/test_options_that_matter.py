"""Options of compare() that a figure says it goes by change it; the others do not, and `plumbline plot` refuses them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from plumbline import BadUsage, plot
from plumbline.figures.registry import FIGURES
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared
from tests.helpers import command_line
from tests.helpers.figure_subjects import draws_results_alone, named, subject_for, table

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

pytestmark = pytest.mark.slow

OTHERWISE: dict[str, Any] = {
    "baseline": "system00",
    "alpha": 0.1,
    "mean": "arithmetic",
    "test": "t",
    "correction": "none",
    "uir_threshold": 0.95,
    "level": 1e-9,
    "eps": 0.2,
    "resamples": 10,
    "primary": "R",
    "margin": 0.1,
    "rule": "unanimous",
}
"""A value for each option, other than the default."""
OF_OUTPUTS = ("units", "stratified", "runs", "folds", "test_share")
"""Options that need outputs, or columns that these scores lack."""


def subject_of_kind(kind: str) -> Subject:
    """Three systems, or as many as it takes to leave some out, with scores to order them by."""
    if FIGURES[kind].tasks and FIGURES[kind].compare_options:
        return with_table(subject_for(kind, 7))
    return subject_for(kind, 3)


@cache
def with_table(subject: Subject) -> Subject:
    """The outputs of seven systems beside a table of scores."""
    return replace(subject, scores=None, table=table(named(7)))


@cache
def comparing_by(subject: Subject, options: frozenset[str]) -> Subject:
    """The subject where some options have another value; all kinds that are drawn of it share the comparison."""
    return replace(
        subject, comparing={name: subject.cube.metrics[:1] if name == "lower" else OTHERWISE[name] for name in options}
    )


def drawn(kind: str, *options: str) -> str:
    """The figure as text without the colours of a theme, or why it is not drawn."""
    subject = comparing_by(subject_of_kind(kind), frozenset(options))
    try:
        return json.dumps(FIGURES[kind].draw(subject, theme=None).to_dict(validate=False), sort_keys=True)
    except BadUsage as refused:
        return str(refused)


def test_every_option_has_another_value() -> None:
    assert OTHERWISE.keys() == declared(CompareOptions).keys() - {"seed", "lower", *OF_OUTPUTS}


@pytest.mark.parametrize("kind", FIGURES)
def test_options_that_are_named_change_the_figure_and_others_do_not(kind: str) -> None:
    usual, named_by_figure = drawn(kind), set(FIGURES[kind].compare_options)
    scored = not FIGURES[kind].tasks and not draws_results_alone(kind)
    tried = {*OTHERWISE, *(("lower",) if scored else ())}
    others = tried - named_by_figure
    if drawn(kind, *others) != usual:  # all at once; or one by one, where they cannot be together
        assert not {name for name in others if drawn(kind, name) != usual}
    changing = {name for name in tried & named_by_figure if drawn(kind, name) != usual}
    assert changing >= named_by_figure & tried - {
        "resamples",
        "correction",
        "uir_threshold",
    }  # all signs are tried, much is clear, and no rule asks


def test_an_option_that_changes_nothing_is_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table(["a", "b"]).write_csv("scores.csv")
    ended = command_line.plumbline("plot", "bars", "scores.csv", "--alpha", "0.3")
    assert ended.code == 2
    assert "--alpha changes nothing in the figure bars" in ended.err
    with pytest.raises(BadUsage, match="E349 alpha has no effect: bars does not depend on it"):
        plot("bars", table(["a", "b"]), comparing={"alpha": 0.3})
