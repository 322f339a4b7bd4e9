"""Every example in the README and the guide is run, and must print what the page says.

A `console` block holds commands after `$ ` and what they print, a `pycon` block a Python session, a `python` block code
that has to run. The blocks of a page share one folder, a copy of docs/examples. Blank lines around an output and spaces
at the end of a line do not count; everything else does. An `sh` block is not run: it holds what changes a machine.
"""

from __future__ import annotations

import doctest
import importlib.util
import io
import re
import shlex
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plumbline import all_metrics
from plumbline.cli.app import run
from plumbline.errors import explanations

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(console|pycon|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]


@dataclass
class Session:
    """What the blocks of one page share: Python names and the exit code of the last command."""

    names: dict[str, Any] = field(default_factory=dict)
    exit_code: int = 0

    def differences(self, language: str, block: str) -> list[str]:
        """What the block says otherwise than the program does."""
        if language == "console":
            return [
                difference for command, said in commands(block) for difference in compare(command, said, self.shell(command))
            ]
        if language == "pycon":
            return [difference for source, said in python(block) for difference in compare(source, said, self.single(source))]
        exec(compile(block, "<page>", "exec"), self.names)  # noqa: S102 - the examples are our own
        return []

    def shell(self, command: str) -> str:
        """What a command prints, results and notices in the order in which they come."""
        program, *words = shlex.split(command)
        if program == "cat":
            return "".join(Path(word).read_text(encoding="utf-8") for word in words)
        if program == "echo":
            return f"{self.exit_code}\n"
        assert program == "plumbline", f"the examples know no {program}"
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            self.exit_code = run(words)
        return printed.getvalue()

    def single(self, source: str) -> str:
        """What a statement prints in a Python session."""
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(source, "<page>", "single"), self.names)  # noqa: S102 - the examples are our own
        return printed.getvalue()


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block with what they print."""
    assert block.startswith("$ "), f"a console block starts with a command: {block[:40]!r}"
    return [(piece.partition("\n")[0], piece.partition("\n")[2]) for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]


def python(block: str) -> list[tuple[str, str]]:
    """The statements of a Python session with what they print."""
    return [(example.source, example.want) for example in doctest.DocTestParser().get_examples(block)]


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def compare(asked: str, said: str, found: str) -> list[str]:
    if tidy(said) == tidy(found):
        return []
    return [f"{asked}\n--- the page says\n{tidy(said)}\n--- the program prints\n{tidy(found)}\n"]


def check(text: str) -> str:
    """All differences of a page, as text; the folder it runs in is the current one."""
    session = Session()
    found = [difference for language, block in BLOCK.findall(text) for difference in session.differences(language, block)]
    return "\n".join(found)


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example files as current folder."""
    monkeypatch.setenv("COLUMNS", "80")
    return shutil.copytree(DOCS / "examples", tmp_path / "examples")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_says_what_the_program_prints(page: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(examples)
    found = check(page.read_text(encoding="utf-8"))
    assert not found, found


@pytest.mark.parametrize(
    "wrong",
    [
        "```console\n$ cat qrels.csv\nsomething else\n```\n",
        "```console\n$ plumbline evaluate qrels.txt bm25.run -m AP -q\n system AP\n bm25 0.7779\n```\n",
        "```pycon\n>>> 1 + 1\n3\n```\n",
    ],
)
def test_a_wrong_example_is_found(wrong: str, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(examples)
    assert check(wrong)


def test_the_guide_has_examples() -> None:
    pages = {page.name: BLOCK.findall(page.read_text(encoding="utf-8")) for page in PAGES}
    assert len(pages["README.md"]) >= 2
    assert sum(map(len, pages.values())) >= 20


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages that are made from the registry."""
    folder = tmp_path_factory.mktemp("docs")
    _generator().generate(folder)
    return folder


def _generator() -> ModuleType:
    sys.path.insert(0, str(DOCS))
    try:
        spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(DOCS))
    return module


def test_every_metric_has_a_page_and_a_line_in_the_table(generated: Path) -> None:
    index = (generated / "metrics" / "index.md").read_text(encoding="utf-8")
    for name, metric in all_metrics().items():
        page = (generated / "metrics" / f"{name}.md").read_text(encoding="utf-8")
        assert metric.title in page
        assert f"({name}.md)" in index
        assert all(f"`{parameter.name}`" in page for parameter in metric.parameters)


def test_every_formula_is_drawn(generated: Path) -> None:
    for page in (generated / "metrics").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert "$$" not in text, page.name
        assert "\\" not in "".join(re.findall(r"<math.*?</math>", text)), page.name


def test_every_code_is_explained(generated: Path) -> None:
    text = (generated / "diagnostics.md").read_text(encoding="utf-8")
    assert all(f"### {code} {title}" in text for code, (title, _) in explanations().items())


def test_every_paper_is_in_the_references(generated: Path) -> None:
    text = (generated / "references.md").read_text(encoding="utf-8")
    for metric in all_metrics().values():
        assert f'<a id="{metric.paper}"></a>' in text, metric.name
