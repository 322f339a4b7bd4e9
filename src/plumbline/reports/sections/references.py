"""The papers to cite, as BibTeX."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.registry import all_constraints
from plumbline.comparison.significance.registry import find_correction, paper_of_test
from plumbline.reports.model import Listing, Paragraph, Section
from plumbline.reports.sections.metrics import used

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.figures.subject import Subject

ENTRY: Final = re.compile(r"^@\w+\{(\w+),\n.*?^\}", re.MULTILINE | re.DOTALL)
BIBLIOGRAPHY: Final = "references.bib"
UIR: Final = "amigo2011"
"""The paper that defines unanimous improvements."""


def section(subject: Subject) -> Section | None:
    """BibTeX of the metrics and their constraints, and of how systems were compared."""
    metrics = [single.metric for single in used(subject)]
    demands = [
        one.paper for task in dict.fromkeys(metric.task for metric in metrics) for one in all_constraints().get(task, ())
    ]
    papers = [*(metric.paper for metric in metrics), *demands, *_comparing(subject)]
    bibtex = entries(dict.fromkeys(papers))
    if not bibtex:
        return None
    lines = tuple(line for entry in bibtex for line in (*entry.splitlines(), ""))[:-1]
    introduction = Paragraph(
        "The papers that define the metrics, what constraints demand of them, and how systems were compared."
    )
    return Section("references", "References", (introduction, Listing("BibTeX", lines)))


def _comparing(subject: Subject) -> list[str]:
    """The papers of unanimity, where there are several metrics, of the test, and of the correction where there is one."""
    comparison = subject.comparison
    if comparison is None:
        return []
    unanimity = UIR if len(subject.cube.metrics) > 1 else None
    corrected = None if comparison.test_result.familywise else find_correction(comparison.correction).paper
    return [paper for paper in (unanimity, paper_of_test(comparison.test), corrected) if paper is not None]


def entries(keys: Iterable[str]) -> list[str]:
    """The BibTeX entries of these keys."""
    known = _all_entries()
    return [known[key] for key in keys if key in known]


@cache
def _all_entries() -> dict[str, str]:
    return {match[1]: match[0] for match in ENTRY.finditer(_bibliography())}


def _bibliography() -> str:
    """An installed package contains the file; in a clone it is at the root."""
    inside = files("plumbline").joinpath(BIBLIOGRAPHY)
    return (inside if inside.is_file() else Path(__file__).parents[4] / BIBLIOGRAPHY).read_text(encoding="utf-8")
