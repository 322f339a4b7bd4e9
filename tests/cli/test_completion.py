"""What the Tab key offers; the shells themselves are tried where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from plumbline.cli.app import plumbline
from plumbline.cli.completion import metric_names
from plumbline.metrics.registry import all_metrics
from plumbline.tasks import task_names


def offered(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[tuple[str, str]]:
    """The kind and the text of everything that is offered for the last word."""
    monkeypatch.setenv("_PLUMBLINE_COMPLETE", "bash_complete")
    complete = ShellComplete(plumbline, {}, "plumbline", "_PLUMBLINE_COMPLETE")
    return [(item.type, item.value) for item in complete.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("eval",), ("plain", "evaluate")),
        (("evaluate", "gold.txt", "-m", "ndc"), ("plain", "nDCG")),
        (("evaluate", "--task", "clustering", "-m", "BC"), ("plain", "BCubedP")),
        (("evaluate", "gold.txt", "-m", "AP,nD"), ("plain", "AP,nDCG")),
        (("evaluate", "go"), ("file", "go")),
        (("compare", "gold.txt", "ru"), ("file", "ru")),
        (("compare", "--test", "wil"), ("plain", "wilcoxon")),
        (("compare", "--format", "lat"), ("plain", "latex")),
        (("compare", "--base"), ("plain", "--baseline")),
    ],
)
def test_what_is_offered(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert expected in offered(monkeypatch, *words)


def test_a_task_has_its_own_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    assert offered(monkeypatch, "evaluate", "--task", "clustering", "-m", "nDC") == []
    for task in task_names():
        assert set(metric_names(task)) <= set(all_metrics(task))
        assert len(metric_names(task)) > 1


BASH = """eval "$(_PLUMBLINE_COMPLETE=bash_source plumbline)"
COMP_WORDS=(plumbline evaluate gold -m nDC)
COMP_CWORD=4
_plumbline_completion plumbline
echo "${COMPREPLY[@]}"
"""
ZSH = """autoload -U compinit
compinit -D
eval "$(_PLUMBLINE_COMPLETE=zsh_source plumbline)"
test "${_comps[plumbline]}" = _plumbline_completion || exit 1
COMP_WORDS="plumbline evaluate gold -m nDC" COMP_CWORD=4 _PLUMBLINE_COMPLETE=zsh_complete plumbline
"""
FISH = """_PLUMBLINE_COMPLETE=fish_source plumbline | source
complete -C "plumbline evaluate gold -m nDC"
"""


@pytest.mark.parametrize(("shell", "script"), [("bash", BASH), ("zsh", ZSH), ("fish", FISH)])
def test_the_shells_complete(shell: str, script: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    ended = subprocess.run(
        [program, "-c", script], capture_output=True, text=True, env=environment, check=False, cwd=tmp_path, timeout=60
    )
    assert "nDCG" in ended.stdout, ended
