"""Large runs that are ranked while they are read: the same scores, notices and errors as those that are read by rows."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import plumbline
from plumbline.io.formats.trec import quick, ranking
from plumbline.io.listed import Ranked, Sought, Texts
from plumbline.io.native import SWITCH, native

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

core = pytest.importorskip("plumbline_core", reason="the reader in C is not installed: pip install ./native")
pytestmark = pytest.mark.skipif(native() is None, reason=f"the reader in C is turned off: {SWITCH}=0")

METRICS = ["AP", "nDCG@10", "P@5", "RR", "Rprec", "R@20", "Bpref", "NumRet"]
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"depth": 3},
    {"ties": "best"},
    {"ties": "average"},
    {"judged_only": True},
    {"as_": "trec_eval"},
    {"missing": "skip"},
    {"on_duplicate": "first"},
)
CONTRADICTIONS = "N294"
"""The notice that counts pairs of lines within blocks; without the reader in C such a small file is one block."""
Lines = list[str]
CHANGES: dict[str, Callable[[random.Random, Lines], Lines]] = {
    "nothing": lambda _, lines: lines,
    "an item twice": lambda chance, lines: _inserted(chance, lines, chance.choice(lines)),
    "a case that comes back": lambda chance, lines: [*lines, chance.choice(lines[: len(lines) // 2]).replace("d", "new")],
    "lines anywhere": lambda chance, lines: chance.sample(lines, len(lines)),
    "one line elsewhere": lambda chance, lines: _inserted(chance, lines, lines.pop(chance.randrange(len(lines)))),
    "ranks that contradict": lambda chance, lines: [_with_rank(chance, line) for line in lines],
    "blank lines": lambda chance, lines: _inserted(chance, _inserted(chance, lines, ""), ""),
    "a line that is too short": lambda chance, lines: _inserted(chance, lines, "q1 Q0 d1 1 2.5"),
    "no number": lambda chance, lines: _inserted(chance, lines, "q1 Q0 dx 1 nan t"),
    "another tag": lambda chance, lines: _inserted(chance, lines, "q1 Q0 dx 1 1.5 other"),
    "a comment": lambda chance, lines: _inserted(chance, lines, "# a comment"),
    "bytes that are no text": lambda chance, lines: _inserted(chance, lines, "q1 Q0 d\udcff 1 1.5 t"),
    "letters": lambda _, lines: [line.replace("d1", "é") for line in lines],
    "white space": lambda _, lines: [line.replace(" ", "  ", 3) for line in lines],
    "other line ends": lambda _, lines: [f"{line}\r" for line in lines],
}


def _inserted(chance: random.Random, lines: Lines, line: str) -> Lines:
    place = chance.randrange(len(lines) + 1)
    return [*lines[:place], line, *lines[place:]]


def _with_rank(chance: random.Random, line: str) -> str:
    fields = line.split()
    return " ".join([*fields[:3], str(chance.randint(1, 9)), *fields[4:]])


def _world(number: int) -> tuple[Lines, Lines]:
    """A gold and a run of many short lists, some with ties, and of cases that only one of them has."""
    chance = random.Random(number)  # noqa: S311 - no secret
    cases = [f"q{case}" for case in range(chance.randint(20, 60))]
    items = [f"d{item}" for item in range(40)]
    gold = [
        f"{case} 0 {item} {chance.randint(-1, 3)}" for case in cases for item in chance.sample(items, chance.randint(1, 12))
    ]
    shown = [*cases[3:], "other"]
    if number % 2:
        chance.shuffle(shown)
    if number % 5 == 0:
        chance.shuffle(gold)
    run = []
    for case in shown:
        found = chance.sample(items, chance.randint(1, 9))
        tied = chance.random() < (0.02, 0.3)[number % 3 == 0]
        scores = [chance.randint(0, 3) if tied else chance.random() for _ in found]
        if chance.random() < 0.5:
            scores.sort(reverse=True)
        run += [f"{case} Q0 {item} {rank} {score} t" for rank, (item, score) in enumerate(zip(found, scores, strict=True), 1)]
    return gold, run


@pytest.fixture
def ranked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many judged rows were ranked while they were read, for each run; blocks are small, and runs stay on the disk."""
    monkeypatch.setattr(quick, "KEPT", 10_000)
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 3_000)
    monkeypatch.setattr("plumbline.io.bytes.blocks.BLOCK", 1_500)
    counted: list[int] = []

    def joined(parts: list[Ranked], make: Callable[[list[Ranked]], Ranked] = Ranked.joined) -> Ranked:
        made = make(parts)
        counted.append(len(made.rank))
        return made

    monkeypatch.setattr(Ranked, "joined", joined)
    return counted


def _outcome(folder: Path, options: dict[str, Any], without: str = "none") -> object:
    try:
        scores = plumbline.evaluate(folder / "gold.txt", folder / "a.run", METRICS, **options)
    except plumbline.PlumblineError as error:
        return str(error)
    return scores.per_case.rows(), scores.mean_rows(), [str(one) for one in scores.notices if one.code != without]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("number", range(4))
def test_the_same_as_by_rows_and_in_python(
    tmp_path: Path, number: int, change: str, ranked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, run = _world(number)
    run = CHANGES[change](random.Random(number), run)  # noqa: S311 - no secret
    (tmp_path / "gold.txt").write_text("\n".join(gold) + "\n")
    (tmp_path / "a.run").write_bytes("\n".join(run).encode(errors="surrogateescape") + b"\n" * (number % 2))
    options = OPTIONS[(number + len(change)) % len(OPTIONS)]
    ours = [_outcome(tmp_path, one) for one in ({}, options)]
    if number % 3 and change in {"nothing", "ranks that contradict", "white space"}:
        assert max(ranked, default=0) > 0
    monkeypatch.setattr(ranking, "ranked_rows", lambda *_: None)
    assert [_outcome(tmp_path, one) for one in ({}, options)] == ours
    without = [_outcome(tmp_path, one, CONTRADICTIONS) for one in ({}, options)]
    monkeypatch.setenv(SWITCH, "0")
    assert [_outcome(tmp_path, one, CONTRADICTIONS) for one in ({}, options)] == without


@pytest.mark.usefixtures("ranked")
def test_a_list_longer_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gold.txt").write_text("".join(f"q{case} 0 d{case} 1\n" for case in range(5)))
    long = [f"q{case} Q0 d{item} {item} {-item} t\n" for case in range(5) for item in range(300)]
    (tmp_path / "a.run").write_text("".join(long))
    ours = _outcome(tmp_path, {})
    monkeypatch.setenv(SWITCH, "0")
    assert _outcome(tmp_path, {}) == ours


def test_metrics_that_read_whole_lists_get_them(tmp_path: Path, ranked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = _world(1)
    (tmp_path / "gold.txt").write_text("\n".join(gold))
    (tmp_path / "a.run").write_text("\n".join(run))
    scores = plumbline.evaluate(tmp_path / "gold.txt", tmp_path / "a.run", ["AP", "Rel(over=priority)", "Sens(over=priority)"])
    assert not ranked
    monkeypatch.setenv(SWITCH, "0")
    again = plumbline.evaluate(tmp_path / "gold.txt", tmp_path / "a.run", ["AP", "Rel(over=priority)", "Sens(over=priority)"])
    assert scores.per_case.rows() == again.per_case.rows()


def test_the_judged_items_of_some_cases() -> None:
    case = np.array([0, 2, 1, 2, 0], dtype=np.int32)
    texts = Texts(b"a b c d e", np.arange(0, 10, 2, dtype=np.uint32), np.arange(5, dtype=np.uint64), plain=True)
    sought = Sought({"x": 0, "y": 1, "z": 2, "empty": 3}, texts, case)
    rows, of = sought.of_cases(np.array([2, 3, 0]))
    assert (rows.tolist(), of.tolist()) == ([1, 3, 0, 4], [0, 0, 2, 2])
    rows, of = sought.of_cases(np.array([], dtype=np.int64))
    assert (rows.tolist(), of.tolist()) == ([], [])
