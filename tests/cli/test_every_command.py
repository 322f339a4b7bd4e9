"""What is true of every command: it is found by walking, describes itself once, and shows an example."""

from __future__ import annotations

import importlib

import click
import pytest

from plumbline.cli import commands
from plumbline.cli.catalogue import command_names, load_command, sections
from plumbline.cli.command import Command
from tests.helpers.command_line import plumbline

NAMES = list(command_names())
WIDEST_SUMMARY = 66
WITHOUT_EXAMPLE = {"explain", "metrics", "demo"}
"""Their usage line says it all."""


@pytest.mark.parametrize("name", NAMES)
def test_the_first_line_of_the_file_is_the_first_line_of_the_help(name: str) -> None:
    module = importlib.import_module(f"{commands.__name__}.{name}")
    assert (module.__doc__ or "").splitlines()[0] == command_names()[name]
    assert command_names()[name] in " ".join(plumbline(name, "--help").out.split())


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_is_one_short_sentence(name: str) -> None:
    summary = command_names()[name]
    assert summary.endswith(".")
    assert len(summary) <= WIDEST_SUMMARY


@pytest.mark.parametrize("name", NAMES)
def test_a_command_has_the_name_of_its_file_and_helps_with_examples(name: str) -> None:
    command = load_command(name)
    assert isinstance(command, Command)
    assert command.name == name
    assert name in WITHOUT_EXAMPLE or f"plumbline {name}" in (command.help or "")


@pytest.mark.parametrize("name", NAMES)
def test_every_option_says_what_it_does(name: str) -> None:
    silent = [option.name for option in load_command(name).params if isinstance(option, click.Option) and not option.help]
    assert not silent


def test_the_list_of_commands_imports_none_and_has_all() -> None:
    page = plumbline("--help").out
    for heading, listed in sections():
        assert f"{heading}:" in page
        for name, summary in listed:
            assert f"  {name}" in page
            assert summary in page
