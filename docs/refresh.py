"""Rewrite what the pages say the program prints by what it prints now; read the difference before you keep it.

python docs/refresh.py                     all pages
python docs/refresh.py README.md labels.md  some of them
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import chdir
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.helpers.docs_scripts import DOCS  # noqa: E402 - found in the tests
from tests.project.test_docs import BLOCK, PAGES, Session, commands, python, tidy  # noqa: E402 - as above


def main() -> None:
    """Run every block of every page in a copy of the examples and write down what it printed."""
    os.environ["COLUMNS"] = "80"
    chosen = sys.argv[1:]
    for page in (page for page in PAGES if not chosen or page.name in chosen):
        with tempfile.TemporaryDirectory() as folder:
            examples = shutil.copytree(DOCS / "examples", Path(folder) / "examples")
            with chdir(examples):
                text = BLOCK.sub(partial(_block, Session()), page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")


def _block(session: Session, match: re.Match[str]) -> str:
    language, block = match.groups()
    if language == "python":
        session.differences(language, block)
        return match.group()
    if language == "console":
        lines = [line for command, _ in commands(block) for line in (f"$ {command}", tidy(session.shell(command))) if line]
    else:
        lines = [line for source, _ in python(block) for line in (_typed(source), tidy(session.single(source))) if line]
    return "\n".join([f"```{language}", *lines, "```"])


def _typed(source: str) -> str:
    first, *more = source.rstrip("\n").split("\n")
    return "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in more)])


if __name__ == "__main__":
    main()
