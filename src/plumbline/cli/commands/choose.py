"""Recommend metrics for a task and the use of its output.

Examples:
  plumbline choose
  plumbline choose --task filtering --noninformative equal --unbalanced
  plumbline choose --task ranking --graded --reads first-page --format json

On a terminal, it asks about everything that the options leave open; Enter skips a question. Elsewhere it asks nothing, and
what the options leave open counts as unknown.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from plumbline._version import __version__
from plumbline.cli.command import Command
from plumbline.cli.output import format_option, show
from plumbline.cli.screen import echo
from plumbline.tasks import task_names
from plumbline.tools.choose import QUESTIONS, Question, choose

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.render.formats import OutputFormat

SECTION = "Metrics"

C = TypeVar("C", bound="Callable[..., Any]")


def _questions(command: C) -> C:
    """An option for each question."""
    for question in reversed(QUESTIONS):
        name = f"--{question.flags[0]}/--{question.flags[1]}" if question.flags else f"--{question.key}"
        kind: Any = bool if question.flags else click.Choice(question.choices) if question.answers else float
        command = click.option(name, question.key, type=kind, default=None, help=question.text)(command)
    return command


@click.command("choose", cls=Command, help=__doc__)
@_questions
@format_option
@click.option("--no-ask", is_flag=True, help="Ask nothing, even on a terminal.")
def command(*, form: OutputFormat, no_ask: bool, **given: Any) -> None:
    """Ask, advise, print."""
    if not no_ask and _someone_is_there():
        _ask(given)
    advice = choose(**{key: value for key, value in given.items() if value is not None})
    show(advice, form)
    if advice.task not in task_names():
        sys.stdout.flush()
        echo(f"plumbline {__version__} does not evaluate {advice.task} yet", err=True)


def _someone_is_there() -> bool:
    return sys.stdin.isatty()


def _ask(given: dict[str, Any]) -> None:
    """Fill in what is missing, one question at a time; questions go to stderr, so that stdout carries the advice only."""
    has_asked = False
    for question in QUESTIONS:
        if given[question.key] is None and question.applies(given):
            given[question.key] = _answer(question)
            has_asked = True
    if has_asked:
        options = [_typed(question, given[question.key]) for question in QUESTIONS if given[question.key] is not None]
        echo(" ".join(["The same without questions: plumbline choose --no-ask", *options]) + "\n", err=True)


def _answer(question: Question) -> str | bool | float | None:
    echo(question.text, err=True)
    width = max(map(len, question.choices), default=0)
    for number, answer in enumerate(question.answers, 1):
        echo(f"  {number}  {answer.word:<{width}}  {answer.text}", err=True)
    what = f"1 to {len(question.answers)}, or a word" if question.answers else "a number"

    def read(typed: str) -> str | bool | float | None:
        return _read(question, typed.strip().lower())

    meant: str | bool | float | None = click.prompt(
        f"{what} (Enter to skip)", default="", show_default=False, value_proc=read, err=True
    )
    click.echo(err=True)
    return meant


def _read(question: Question, typed: str) -> str | bool | float | None:
    """What was meant; click asks again after a usage error."""
    if not typed:
        return None
    if not question.answers:
        try:
            return float(typed)
        except ValueError:
            msg = f"{typed!r} is not a number"
            raise click.UsageError(msg) from None
    numbered = {str(number): word for number, word in enumerate(question.choices, 1)}
    word = numbered.get(typed, typed)
    if word not in question.choices:
        msg = f"{typed!r} is none of {', '.join(question.choices)}"
        raise click.UsageError(msg)
    return question.meaning(word)


def _typed(question: Question, value: object) -> str:
    """The option that gives this answer."""
    if question.flags:
        return f"--{question.flags[0] if value else question.flags[1]}"
    return f"--{question.key} {value}"
