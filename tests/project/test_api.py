"""No public name or signature changes without a line in docs/api.txt, where a reviewer sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import plumbline

ROOT = Path(__file__).parents[2]
KEPT = (ROOT / "docs" / "api.txt").read_text(encoding="utf-8")


def test_the_kept_list_is_that_of_the_package() -> None:
    script = ROOT / "docs" / "api.py"
    result = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_every_public_name_is_in_the_kept_list() -> None:
    names = {line.removeprefix("class ").partition("(")[0] for line in KEPT.splitlines()}
    assert {name for name in dir(plumbline) if not name.startswith("_")} <= names
