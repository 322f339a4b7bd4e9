"""The examples of CONTRIBUTING.md: their text, and processes in which their modules belong to the packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

EXTEND_PACKAGES = """
import importlib, json, sys
for package, folder in json.loads(sys.argv.pop(1)).items():
    importlib.import_module(package).__path__.append(folder)  # the package is walked: here are more modules
"""
RUN_PYTEST = """
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
CHECK_PAGE = """
from pathlib import Path
from tests.project.test_docs import check
sys.exit(check(Path(sys.argv[1]).read_text(encoding="utf-8")) or 0)
"""


def section(title: str) -> str:
    """The text below a heading, up to the next heading of the same level."""
    _, heading, rest = TEXT.partition(f"\n## {title}\n")
    assert heading, f"CONTRIBUTING.md has no section {title!r}"
    return rest.partition("\n## ")[0]


def code_blocks(text: str, language: str) -> list[str]:
    """The content of each block of a language that is not indented."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Extension:
    """Modules that child processes find in walked packages, though the repository does not have them."""

    folder: Path
    """An empty folder, for the modules and for whatever a test writes."""
    modules: Mapping[str, str]
    """The source of each module by its full name, such as `plumbline.render.org`."""
    preparation: str = ""
    """Code that each process runs once the packages have the modules."""

    def __post_init__(self) -> None:
        """Write the modules."""
        for name, source in self.modules.items():
            path = self.path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")

    def path(self, module: str) -> Path:
        """The file of a module; each package has a folder of its own."""
        package, _, name = module.rpartition(".")
        return self.folder / "modules" / package.replace(".", "/") / f"{name}.py"

    def run_python(self, code: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """Run code, with the arguments in `sys.argv[1:]`, in a process whose packages have the modules, too."""
        folders = {name.rpartition(".")[0]: str(self.path(name).parent) for name in self.modules}
        return subprocess.run(
            [sys.executable, "-c", EXTEND_PACKAGES + self.preparation + code, json.dumps(folders), *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def run_pytest(self, *arguments: str) -> str:
        """Run tests, all of which have to pass, and return what pytest prints."""
        ended = self.run_python(RUN_PYTEST, *arguments, "-q", "-p", "no:xdist", "-p", "no:cacheprovider")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def count_passed(self, *arguments: str) -> int:
        """Run tests, all of which have to pass, and return how many there are."""
        printed = self.run_pytest(*arguments)
        passed = re.search(r"\b(\d+) passed", printed)
        assert passed is not None, printed
        return int(passed[1])

    def check_console_blocks(self, text: str, containing: str) -> None:
        """Run the console blocks of a text in a copy of the example files; they must print what the text says."""
        page = self.folder / "page.md"
        page.write_text("".join(f"```console\n{block}```\n" for block in code_blocks(text, "console")), encoding="utf-8")
        assert containing in page.read_text(encoding="utf-8")
        examples = shutil.copytree(ROOT / "docs" / "examples", self.folder / "examples")
        ended = self.run_python(CHECK_PAGE, str(page), cwd=examples)
        assert ended.returncode == 0, ended.stderr
