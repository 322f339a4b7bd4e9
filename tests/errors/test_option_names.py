"""Options in messages are spelled as the records of options spell them."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from plumbline.errors.faces import flag
from plumbline.options.option import declared

SOURCES = Path(__file__).parents[2] / "src" / "plumbline"
MENTIONED = re.compile(r"""\b(?:option|switch)\(["'](\w+)["']""")
BESIDE = {"item", "case", "force", "metrics", "role", "texts", "width"}
"""Arguments and options of single commands, which have no record."""


def test_every_mentioned_option_exists_and_has_its_flag() -> None:
    modules = [import_module(f"plumbline.options.{path.stem}") for path in SOURCES.glob("options/*.py")]
    groups = [
        value
        for module in modules
        for name, value in vars(module).items()
        if name.endswith("Options") and isinstance(value, type)
    ]
    records = {name: record for group in groups for name, record in declared(group).items()}
    mentioned = {name for path in SOURCES.rglob("*.py") for name in MENTIONED.findall(path.read_text(encoding="utf-8"))}
    assert {"threshold", "on_duplicate", "task"} <= mentioned
    assert mentioned - BESIDE <= set(records)
    spellings = {name: records[name].spelling.partition("/")[0] for name in mentioned - BESIDE}
    assert {name: flag(name) for name in mentioned - BESIDE} == spellings
