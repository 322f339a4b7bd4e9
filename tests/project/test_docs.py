"""Every example in the README and the guide is run, and must print what the page says.

A `console` block holds commands after `$ ` and what they print, a `pycon` block a Python session, a `python` block code
that has to run. The blocks of a page share one folder, a copy of docs/examples. Blank lines around an output and spaces
at the end of a line do not count; everything else does. An `sh` block is not run: it holds what changes a machine. Nor
is a `py` block, which needs a cluster.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
import shutil
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from plumbline import evaluate
from plumbline.cli.app import run
from plumbline.cli.catalogue import command_names
from plumbline.render import terminal
from plumbline.views.confusion import SMOOTHINGS
from tests.helpers.docs_scripts import DOCS, script
from tests.helpers.narrow_tables import WIDTHS, check_narrow

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.render.grid import Grid

ROOT = Path(__file__).parents[2]
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
                difference
                for command, printed in commands(block)
                for difference in compare(command, printed, self.shell(command))
            ]
        if language == "pycon":
            return [
                difference for source, printed in python(block) for difference in compare(source, printed, self.single(source))
            ]
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
    pieces = doctest.DocTestParser().parse(block)
    stray = "".join(piece for piece in pieces if isinstance(piece, str)).strip()
    assert not stray, f"a Python session holds statements and what they print, nothing else: {stray[:40]!r}"
    return [(piece.source, piece.want) for piece in pieces if isinstance(piece, doctest.Example)]


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def compare(asked: str, documented: str, printed: str) -> list[str]:
    if tidy(documented) == tidy(printed):
        return []
    return [f"{asked}\n--- the page says\n{tidy(documented)}\n--- the program prints\n{tidy(printed)}\n"]


def check(text: str) -> str:
    """All differences of a page, as text; the folder it runs in is the current one."""
    session = Session()
    results = [difference for language, block in BLOCK.findall(text) for difference in session.differences(language, block)]
    return "\n".join(results)


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example files as current folder."""
    monkeypatch.setenv("COLUMNS", "80")
    return shutil.copytree(DOCS / "examples", tmp_path / "examples")


def test_the_landing_page_lists_every_command() -> None:
    rows = re.findall(r"^\| `plumbline (\w+)` \|", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(command_names())


def test_the_landing_page_links_every_page() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if page.name != "index.md" and f"({page.name}" not in text] == []


def test_the_first_screen_of_the_readme_shows_what_is_special() -> None:
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").split("\n")[:40])
    for word in ("plumbline compare", "is better than", "UIR", "plumbline audit", "is broken on", "Reliability", "Sensitivity"):
        assert word in first


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_says_what_the_program_prints(page: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the way, every table that a command prints is also laid out for terminals of several widths."""
    monkeypatch.chdir(examples)
    monkeypatch.setattr(terminal, "terminal", _at_every_width(terminal.terminal))
    result = check(page.read_text(encoding="utf-8"))
    assert not result, result


def _at_every_width(show: Callable[..., None]) -> Callable[..., None]:
    def shown(grid: Grid, *where: Any) -> None:
        for width in WIDTHS:
            check_narrow(grid, width)
        show(grid, *where)

    return shown


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


def test_lines_that_no_statement_printed_are_found() -> None:
    for wrong in ("stray line\n>>> 1 + 1\n2\n", ">>> 1 + 1\n2\n\nstray line\n>>> 1 + 2\n3\n"):
        with pytest.raises(AssertionError, match="stray line"):
            python(wrong)


def test_the_guide_has_examples() -> None:
    pages = {page.name: BLOCK.findall(page.read_text(encoding="utf-8")) for page in PAGES}
    assert len(pages["README.md"]) >= 2
    assert sum(map(len, pages.values())) >= 20


def test_outputs_that_ignore_the_gold_reach_one_quarter_and_no_more() -> None:
    points = script("pictures").figure_4()
    highest = max(points, key=lambda point: point.value)
    assert highest == (0.5, 0.5, 0.25)
    assert all(point.value == 0 for point in points if point.accepted in {0, 1})
    for positive, accepted, value in points:
        parts = positive * (1 - positive), accepted * (1 - accepted)
        assert value == pytest.approx(2 * parts[0] * parts[1] / sum(parts), abs=1e-6)


def test_only_one_filter_of_weps_beats_every_baseline_by_f() -> None:
    cells = script("pictures").figure_12()
    beating = Counter(cell.metric for cell in cells if cell.beats == "yes")
    assert beating["F(P,R)"] == 1
    assert (beating["1 - Lam"], beating["Accuracy"], beating["Utility"], beating["smoothed F(Rel,Sens)"]) == (12, 7, 5, 4)
    text = (DOCS / "which-filtering-metric.md").read_text(encoding="utf-8")
    for system in {cell.system for cell in cells}:
        row = [f"{cell.value:.2f}{' ✓' if cell.beats == 'yes' else ''}" for cell in cells if cell.system == system]
        assert f" | {' | '.join(row)} |\n" in text, system


def test_the_figures_are_those_of_thescript(tmp_path: Path) -> None:
    script("pictures").make(tmp_path)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(path.name for path in (DOCS / "data").iterdir())
    for name in made:
        assert (tmp_path / name).read_bytes() == (DOCS / "data" / name).read_bytes(), f"run docs/pictures.py: {name}"


@pytest.mark.parametrize("name", ["figure-4.svg", "figure-12.svg"])
def test_a_drawing_says_what_it_shows(name: str) -> None:
    drawing = ET.parse(DOCS / "data" / name).getroot()  # noqa: S314 - our own file
    title, description = (drawing.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("title", "desc"))
    assert title
    assert description
    assert f"(data/{name})" in (DOCS / "which-filtering-metric.md").read_text(encoding="utf-8")


def _corrections() -> tuple[dict[str, tuple[int, int, int, int]], list[tuple[str, str]]]:
    """Every output for one to six positive and negative items as tp, fp, fn, tn, and every pair of which one mends an error."""
    tables = {
        f"{tp} {fp} {fn} {tn}": (tp, fp, fn, tn)
        for tp, fp, fn, tn in product(range(7), repeat=4)
        if 0 < tp + fn < 7 > fp + tn > 0
    }
    results = [(case, f"{tp + 1} {fp} {fn - 1} {tn}") for case, (tp, fp, fn, tn) in tables.items() if fn]
    return tables, results + [(case, f"{tp} {fp - 1} {fn} {tn + 1}") for case, (tp, fp, fn, tn) in tables.items() if fp]


def test_the_table_tells_where_mending_an_error_always_helps() -> None:
    text = (DOCS / "which-filtering-metric.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`[A-Z][^`]*` ?)+)" + r"\| (yes|no)[^|]*" * 4 + r"\|$", text, re.MULTILINE)
    assert len(rows) == 9
    tables, pairs = _corrections()
    assert len(pairs) == 1134
    gold = {case: dict(enumerate([1] * tp + [0] * fp + [1] * fn + [0] * tn)) for case, (tp, fp, fn, tn) in tables.items()}
    output = {case: dict(enumerate([1] * (tp + fp) + [0] * (fn + tn))) for case, (tp, fp, fn, tn) in tables.items()}
    claims = {
        (name, smooth): answer
        for names, *answers in rows
        for name in re.findall("`(.*?)`", names)
        for smooth, answer in zip(SMOOTHINGS, answers, strict=True)
    }
    asked = {_smoothed(name, smooth): answer for (name, smooth), answer in claims.items()}
    scores = evaluate(gold, {"any": output}, list(asked), task="filtering")
    for column, answer in zip(scores.columns, asked.values(), strict=True):
        value = dict(scores.per_case.filter(metric=column.name).select("case", "value").iter_rows())
        sign = -1 if column.better == "lower" else 1
        defined = [(value[worse], value[better]) for worse, better in pairs if None not in (value[worse], value[better])]
        always = all(sign * (better - worse) > 1e-12 for worse, better in defined)
        assert answer == ("yes" if always else "no"), column.name


def _smoothed(name: str, smooth: str) -> str:
    """The name with a smoothing in every part, and a weight where one is needed."""
    if name.startswith("F("):
        return f"F({','.join(f'{part}(smooth={smooth})' for part in name[2:-1].split(','))})"
    return f"{name}({'lam=2,' if name == 'WAcc' else ''}smooth={smooth})"


OVERLAPPING_GOLD = [{"d1", "d2", "d3"}, {"d4", "d5", "d6"}, {"d4", "d7"}]
OVERLAPPING_OUTPUT = [{"d1", "d2"}, {"d3"}, {"d4", "d5", "d6", "d7"}, {"d6", "d7"}]


def _right(one: str, other: str, asserted: list[set[str]], given: list[set[str]]) -> float:
    """The share of the groups that two items share which the other side has too."""
    mine, theirs = (sum({one, other} <= group for group in groups) for groups in (asserted, given))
    return min(mine, theirs) / mine


def test_the_tables_of_overlapping_clusters_are_right() -> None:
    """Item by item and occurrence by occurrence, by the definitions."""
    text = (DOCS / "overlapping-clusters.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d \| )?(d\d) \| (?:(d\d(?:, d\d)*) \| )?([\d/, ]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    sides = [(OVERLAPPING_OUTPUT, OVERLAPPING_GOLD)] * 7 + [(OVERLAPPING_GOLD, OVERLAPPING_OUTPUT)] * 7
    sides += [(OVERLAPPING_OUTPUT, OVERLAPPING_GOLD)] * 9
    assert len(rows) == len(sides)
    for (cluster, item, names, shares, mean), (asserted, given) in zip(rows, sides, strict=True):
        groups = [asserted[int(cluster[0]) - 1]] if cluster else [group for group in asserted if item in group]
        others = sorted(set().union(*groups))
        right = [_right(item, other, asserted, given) for other in others]
        assert cluster or names == ", ".join(others)
        assert [float(Fraction(share)) for share in shares.split(", ")] == right
        assert float(mean) == pytest.approx(sum(right) / len(right), abs=5e-5)
