"""Files that describe the project to others agree with each other and can be read by the tools that read them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import plumbline

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CLASSIFIED = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}


def _yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_workflow_tests_every_python_version_that_is_classified() -> None:
    matrix = _yaml(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert set(matrix["python"]) == CLASSIFIED
    assert min(CLASSIFIED, key=Version) == PROJECT["requires-python"].removeprefix(">=")
    assert {"lowest-direct", "highest"} <= {*matrix["resolution"], *(row["resolution"] for row in matrix["include"])}


def test_the_workflow_calls_targets_that_the_makefile_has() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    steps = [step for job in _yaml(".github/workflows/ci.yml")["jobs"].values() for step in job["steps"]]
    called = {name for step in steps for name in re.findall(r"^make (\w+)", step.get("run", ""), re.MULTILINE)}
    assert called == {"lint", "test", "sanitize", "coverage", "docs", "build"}
    assert called <= targets


def test_the_hooks_run_what_make_lint_runs() -> None:
    hooks = [hook["entry"] for repo in _yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlint:")[2].partition("\n\n")[0]
    commands = re.findall(r"\$\(BIN\)/(.+?)(?: \.)?$", rule, re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        assert any(entry.startswith(command) for entry in hooks), command


def test_the_citation_names_this_version_and_licence() -> None:
    citation = _yaml("CITATION.cff")
    assert citation["version"] == plumbline.__version__
    assert citation["license"] == PROJECT["license"]


@pytest.mark.parametrize("text", PROJECT["dependencies"])
def test_a_dependency_has_a_lower_bound_and_no_upper_one(text: str) -> None:
    assert [specifier.operator for specifier in Requirement(text).specifier] == [">="]


def test_the_changelog_knows_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert plumbline.__version__ in headings
