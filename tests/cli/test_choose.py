"""plumbline choose: as options, as a conversation on a terminal, and where nobody can answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from plumbline.cli.commands import choose as program
from plumbline.errors import BadUsage
from plumbline.tools.choose import QUESTIONS, choose

if TYPE_CHECKING:
    from click.testing import Result


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(program.command, arguments, input=typed)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits at the terminal."""
    monkeypatch.setattr(program, "_someone_is_there", lambda: True)


def test_the_options_are_the_answers() -> None:
    ended = run("--task", "filtering", "--noninformative", "all-better", "--balanced")
    assert ended.exit_code == 0
    assert ended.stdout == f"{choose(task='filtering', noninformative='all-better', unbalanced=False)}\n"


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (["--unbalanced", "--task", "filtering"], {"task": "filtering", "unbalanced": True}),
        (["--task", "ranking", "--binary", "--complete"], {"task": "ranking", "graded": False, "incomplete": False}),
        (
            ["--task", "classification", "--one-label", "--ordered"],
            {"task": "classification", "multilabel": False, "ordered": True},
        ),
        (["--task", "clustering", "--partition"], {"task": "clustering", "overlaps": False}),
        (
            ["--task", "filtering", "--noninformative", "cost", "--tp", "2", "--fp", "0.5"],
            {"task": "filtering", "noninformative": "cost", "tp": 2.0, "fp": 0.5},
        ),
    ],
)
def test_json_is_the_advice(options: list[str], given: dict[str, Any]) -> None:
    ended = run(*options, "--format", "json")
    assert ended.exit_code == 0
    document = json.loads(ended.stdout)
    advice = choose(**given)
    assert tuple(document["metrics"]) == advice.metrics
    assert document["command"] == advice.command
    assert document["smoothing"] == advice.smoothing
    assert document["assumed"] == dict(advice.assumed)


def test_nobody_is_asked_where_nobody_can_answer() -> None:
    ended = run("--task", "ranking", typed="3\n3\n3\n")
    assert ended.exit_code == 0
    assert ended.stdout == f"{choose(task='ranking')}\n"
    assert "Enter to skip" not in ended.output


@pytest.mark.usefixtures("terminal")
def test_a_conversation() -> None:
    ended = run(typed="1\n\n2\nyes\n")
    assert ended.exit_code == 0
    assert ended.stdout == f"{choose(task='filtering', noninformative='equal', unbalanced=True)}\n"
    assert "  1  filtering " in ended.stderr
    assert "How far does a user read?" not in ended.stderr
    assert "plumbline choose --no-ask --task filtering --noninformative equal --unbalanced\n" in ended.stderr


@pytest.mark.usefixtures("terminal")
def test_only_what_is_missing_is_asked_and_enter_skips() -> None:
    ended = run("--task", "ranking", "--graded", typed="\n\n")
    assert ended.stdout == f"{choose(task='ranking', graded=True)}\n"
    assert "What is the task?" not in ended.stderr
    assert "graded?" not in ended.stderr
    assert ended.stderr.count("Enter to skip") == 2


@pytest.mark.usefixtures("terminal")
def test_a_wrong_answer_is_asked_again() -> None:
    ended = run("--task", "filtering", "--returns", "decisions", typed="7\ncheap\ncost\nmuch\n3\n\n1\n\nno\n")
    assert ended.exit_code == 0
    assert "'7' is none of all-better, equal, cost, unknown" in ended.stderr
    assert "'cheap' is none of" in ended.stderr
    assert "'much' is not a number" in ended.stderr
    assert "WAcc(lam=3)" in ended.stdout


@pytest.mark.usefixtures("terminal")
def test_no_ask_asks_nothing() -> None:
    ended = run("--no-ask", "--task", "clustering")
    assert ended.stdout == f"{choose(task='clustering')}\n"
    assert "Enter to skip" not in ended.output


@pytest.mark.usefixtures("terminal")
def test_nothing_is_asked_where_all_is_said() -> None:
    ended = run("--task", "clustering", "--overlaps")
    assert ended.exit_code == 0
    assert "The same without questions" not in ended.stderr


def test_a_real_terminal_is_asked() -> None:
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    code = "from plumbline.cli.commands.choose import command; command()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "--task", "clustering"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        os.write(ours, b"2\n")
        out, err = running.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert running.returncode == 0
    assert out.decode() == f"{choose(task='clustering', overlaps=False)}\n"
    assert "Can an item be in several groups?" in err.decode()


@pytest.mark.parametrize(
    "options", [["--task", "sorting"], ["--reads", "3"], ["--tp", "much"], ["--format", "xml"], ["--better"]]
)
def test_an_unknown_word_is_a_usage_error(options: list[str]) -> None:
    assert run(*options).exit_code == 2


def test_weights_that_decide_nothing_are_refused() -> None:
    ended = run("--task", "filtering", "--noninformative", "cost", "--tp", "1")
    assert isinstance(ended.exception, BadUsage)
    assert ended.exception.exit_code == 2


def test_help_has_three_examples_and_every_question() -> None:
    text = run("--help").stdout
    assert text.count("  plumbline choose") == 3
    for question in QUESTIONS:
        assert f"--{question.flags[0] if question.flags else question.key}" in text


def test_a_task_that_cannot_be_evaluated_yet_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "task_names", lambda: ("ranking",))
    assert "does not evaluate clustering yet" in run("--task", "clustering").stderr
    assert run("--task", "ranking").stderr == ""
