"""The steps of CONTRIBUTING.md are taken: the example metric is declared, compared, tested and shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.helpers.contributing import ROOT, TEXT, Extension, code_blocks, section

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECTION = section("Add a metric")
IN_ORDER = ("-p", "no:randomly")
LONG = 400
METRIC = "plumbline.metrics.ranking.normalised_cumulated_gain"
TESTS_OF_METRIC = "tests.metrics.ranking.test_normalised_cumulated_gain"


@pytest.fixture
def extension(tmp_path: Path) -> Extension:
    """The two files that the section asks for, and nothing else."""
    declared, tested = code_blocks(SECTION, "python")
    return Extension(tmp_path, {METRIC: declared, TESTS_OF_METRIC: tested})


def test_the_example_metric_has_the_properties_of_every_metric_and_agrees_with_its_oracle(extension: Extension) -> None:
    files = [str(ROOT / "tests" / "metrics" / name) for name in ("test_every_metric.py", "test_oracles.py")]
    printed = extension.run_pytest(*files, "-k", "nCG or has_an_oracle", "-rp", *IN_ORDER)
    for name in ("test_every_metric.py::test_stays_in_its_range[nCG]", "test_oracles.py::test_oracle_agrees[nCG]"):
        assert re.search(rf"^PASSED \S*{re.escape(name)}", printed, re.MULTILINE), name


def test_the_tests_of_the_example_metric_pass(extension: Extension) -> None:
    assert extension.count_passed(str(extension.path(TESTS_OF_METRIC)), *IN_ORDER) == 5


def test_the_value_in_the_text_is_the_value_of_the_program(extension: Extension) -> None:
    extension.check_console_blocks(SECTION, containing="nCG@2")


def test_the_example_metric_is_not_there_yet() -> None:
    assert not list((ROOT / "src").rglob("normalised_cumulated_gain.py"))


def test_files_of_more_than_400_lines_are_listed_with_their_reason() -> None:
    reasons = re.findall(r"^- (`.+`): ", TEXT.partition("## Files of more than")[2], re.MULTILINE)
    listed = {name for names in reasons for name in re.findall(r"`([^`]+)`", names)}
    folders = (ROOT / name for name in ("src", "tests", "docs", "benchmarks"))
    files = [path for folder in folders for path in folder.rglob("*.py")]
    long = {path.relative_to(ROOT).as_posix() for path in files if len(path.read_text(encoding="utf-8").splitlines()) > LONG}
    assert not any(path.startswith("src/") for path in long)
    assert long <= listed
