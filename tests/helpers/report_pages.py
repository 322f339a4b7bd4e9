"""Subjects of reports that several tests share."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from plumbline.figures.subject import subject_of
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.model import Dossier, Part, Table
from plumbline.reports.page import page
from plumbline.reports.sections import differences, outputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Section

Scores = dict[str, dict[str, dict[str, float]]]
FIVE = ("one", "two", "three", "four", "five")
HOSTILE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "</script><script>document.title='owned'</script>",
    "</script x><img src=x onerror=\"document.title='owned'\">",
    "]]><!--<script ",
    "{{7*7}} ${7*7} a.b[0] '+alert(1)+'",
    "\x1b[31mred\x1b]0;owned\x07",
    "abc\u202egnp.exe",
    "=1+1",
    "javascript:alert(1)",
    "x" * 300,
)


def made_scores(systems: Sequence[str], cases: int, metrics: Sequence[str] = ("P@10", "R@10")) -> Scores:
    """`{metric: {system: {case: value}}}`: earlier systems are better, and cases differ."""
    draw = random.Random(5)  # noqa: S311 - made data, not secrets
    hard = [draw.random() for _ in range(cases)]
    return {
        metric: {
            system: {
                f"case {at + 1}": round((hard[at] + draw.random() + 1 - place / len(systems)) / 3, 6) for at in range(cases)
            }
            for place, system in enumerate(systems)
        }
        for metric in metrics
    }


def page_of(subject: Subject, title: str | None = None) -> str:
    """The page about one subject."""
    return page(dossier([Chapter(subject)], title))


def chooser_page(*subjects: Subject) -> str:
    """A page of the sections in which the reader chooses, and of nothing else."""
    parts = []
    for at, subject in enumerate(subjects, 1):
        cases = differences.section(subject)
        made = (cases, outputs.section(subject, cases))
        parts.append(Part(f"part-{at}", f"Part {at}", "", ("",), tuple(section for section in made if section is not None)))
    return page(Dossier("Choices", tuple(parts)))


def ranking_subject() -> Subject:
    """Five rankings of six cases, with their gold; one lacks a case, and one case has nothing relevant."""
    draw = random.Random(2)  # noqa: S311 - made data, not secrets
    gold = {f"q{case}": {f"d{item}": int(draw.random() < 0.4) for item in range(12)} for case in range(6)}
    gold["q5"] = dict.fromkeys(gold["q5"], 0)
    systems = {
        name: {
            case: {item: grade * skill + draw.random() for item, grade in items.items()}
            for case, items in list(gold.items())[: 5 if name == "gaps" else 6]
        }
        for name, skill in (("good", 2.0), ("fair", 0.8), ("weak", 0.3), ("gaps", 1.0), ("blind", 0.0))
    }
    return subject_of(gold=gold, systems=systems, metrics=["AP", "P@5"])


def filter_subject() -> Subject:
    """Three filters of nine cases and four that ignore the gold, by four metrics, of which some outputs lack one or two.

    The first case of the weak filter tells nothing about the gold either.
    """
    draw = random.Random(3)  # noqa: S311 - made data, not secrets
    gold = {f"c{case}": {f"i{item}": item % 2 for item in range(12)} for case in range(9)}
    systems = {
        name: {
            case: {item: int(draw.random() < 0.2 + skill * grade) for item, grade in items.items()}
            for case, items in gold.items()
        }
        for name, skill in (("good", 0.7), ("__proto__", 0.5), ("weak", 0.3))
    }
    systems["weak"]["c0"] = {f"i{item}": item // 6 for item in range(12)}
    return subject_of(gold=gold, systems=systems, metrics=["Accuracy", "Lam", "P", "Phi"], task="filtering", floor=True)


def tables(section: Section) -> dict[str, Table]:
    """The tables of a section by their names."""
    return {block.name: block for block in section.blocks if isinstance(block, Table)}


def column(table: Table, text: str) -> list[Any]:
    """What stands below a heading."""
    at = [head.text for head in table.heading].index(text)
    return [row[at] for row in table.rows]
