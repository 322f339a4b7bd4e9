"""What is true of every option: one record, from which the flag, its help, its check and the Python signature come."""

from __future__ import annotations

import inspect
from typing import Any

import click
import pytest

import plumbline
from plumbline.cli.catalogue import load_command
from plumbline.options import evaluation as declarations
from plumbline.options.evaluation import CompareOptions, EvaluateOptions, StudyOptions
from plumbline.options.option import Option, declared, problem_of
from plumbline.tasks import task_names

GROUPS = {"evaluate": EvaluateOptions, "compare": CompareOptions, "meta": StudyOptions}
RECORDS = [(command, record) for command, group in GROUPS.items() for record in declared(group).values()]
every_record = pytest.mark.parametrize(("command", "record"), RECORDS, ids=lambda value: getattr(value, "name", str(value)))
WRONG: tuple[Any, ...] = (object(), float("nan"), b"bytes", {"a": 1})


@every_record
def test_an_option_says_what_it_does_in_one_sentence(command: str, record: Option) -> None:
    assert record.help.endswith(".")
    assert record.help[0].isupper()
    assert command


@every_record
def test_an_option_names_tasks_that_exist(command: str, record: Option) -> None:
    assert set(record.tasks) <= set(task_names()), command


@every_record
def test_the_command_has_the_flag_with_the_help_of_the_record(command: str, record: Option) -> None:
    flags = {option.name: option for option in load_command(command).params if isinstance(option, click.Option)}
    assert (record.name in flags) == record.on_command_line
    if record.on_command_line:
        assert record.spelling.split("/")[0] in flags[record.name].opts
        assert (flags[record.name].help or "").startswith(record.help)


@every_record
def test_the_python_function_shows_the_option(command: str, record: Option) -> None:
    parameter = inspect.signature(getattr(plumbline, command)).parameters[record.name]
    assert parameter.default == record.default


@every_record
def test_the_default_fits_and_nonsense_does_not(command: str, record: Option) -> None:
    known = {record.name: record}
    assert problem_of(record.name, record.default, known) is None, command
    if not record.is_data:
        assert all(problem_of(record.name, wrong, known) is not None for wrong in WRONG)


@every_record
def test_a_misspelt_name_is_answered_with_the_right_one(command: str, record: Option) -> None:
    known = declared(GROUPS[command])
    misspelt = record.name.strip("_") + "x" if len(record.name) > 2 else f"{record.name}x"
    problem = problem_of(misspelt, 1, known)
    assert problem is not None
    assert record.name in problem[1]


def test_flags_are_unique_within_a_command() -> None:
    for group in (EvaluateOptions, CompareOptions, StudyOptions):
        flags = [record.spelling for record in declared(group).values()]
        assert len(flags) == len(set(flags))


def test_every_group_of_options_is_documented() -> None:
    groups = [value for name, value in vars(declarations).items() if name.endswith("Options") and isinstance(value, type)]
    assert len(groups) >= len(GROUPS)
    assert all(group.__doc__ for group in groups)
