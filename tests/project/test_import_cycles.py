"""The contract against import cycles finds those that a running program does not notice."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="the linters are an extra")

PYPROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACT = next(
    contract for contract in PYPROJECT["tool"]["importlinter"]["contracts"] if contract["type"] == "acyclic_siblings"
)
CONFIG = """
[importlinter]
root_package = house
[importlinter:contract:1]
name = {name}
type = {type}
ancestors = house
"""


@pytest.mark.parametrize(
    ("upper", "lower", "kept"),
    [
        ("from house.rooms import lower", "", True),
        ("from house.rooms import lower", "def late():\n    from house.rooms import upper", False),
        ("from house.rooms import lower", "import typing\nif typing.TYPE_CHECKING:\n    from house.rooms import upper", False),
    ],
    ids=["one way", "a late import", "an import for types"],
)
def test_cycles_are_found(tmp_path: Path, upper: str, lower: str, kept: bool) -> None:  # noqa: FBT001 - a row of the table
    rooms = tmp_path / "house" / "rooms"
    rooms.mkdir(parents=True)
    for path, text in ((rooms.parent / "__init__.py", ""), (rooms / "__init__.py", "")):
        path.write_text(text)
    (rooms / "upper.py").write_text(upper)
    (rooms / "lower.py").write_text(lower)
    (tmp_path / ".importlinter").write_text(CONFIG.format(**CONTRACT))
    code = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command; lint_imports_command()"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == (0 if kept else 1), ended.stdout
