"""The program on pseudo-terminals: nothing is squeezed, and what is left out is said."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plumbline.render.fitting import text_width
from tests.helpers.narrow_tables import WIDTHS

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from tests.helpers.pseudo_terminal import on_terminal

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LOSSES = ("losses", "table9/gold.json", "table9/output_1.json", "table9/output_4.json", "--per-case")


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_table_fits_a_real_terminal(columns: int) -> None:
    lines = on_terminal(columns, *LOSSES, folder=EXAMPLES)
    assert all(text_width(line) <= columns for line in lines), lines
    text = "\n".join(lines)
    assert "0.9431" in text
    assert ("left out for lack of room" in text) == (columns < 100)
    assert ("…" in text) == (columns < 160)


def test_wide_shows_every_column() -> None:
    narrow = on_terminal(60, *LOSSES, folder=EXAMPLES)
    wide = on_terminal(60, *LOSSES, "--wide", folder=EXAMPLES)
    assert "broken cluster" in wide[0]
    assert "broken cluster" not in narrow[0]
    assert "left out" not in "\n".join(wide)


def test_sentences_break_between_words_and_the_difference_is_shown() -> None:
    lines = on_terminal(80, "compare", "benchmark_wide.csv", "-q", "--test", "t", folder=EXAMPLES)
    assert all(text_width(line) <= 80 for line in lines), lines
    assert any("difference" in line and "accuracy" in line for line in lines)
    assert any("-0.052 [-0." in line for line in lines)


EVERY = {
    "evaluate": "evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10 -m P@5 -m RR -m Bpref",
    "compare": "compare qrels.txt bm25.run dense.run -m AP -m RR",
    "why": "why AP qrels.txt bm25.run --case q1 --system bm25",
    "weights": "weights --n 20",
    "experiment": "experiment shop.csv -m orders --by country",
    "plan": "experiment plan --baseline 0.2 --detect 0.01",
    "clicks": "clicks clicks.csv --model pbm --model dbn",
    "extraction": "evaluate spans/gold.jsonl spans/rules.jsonl spans/tagger.csv --task extraction",
}
"""Commands that print tables, on the files of the docs."""


@pytest.mark.parametrize("name", EVERY)
def test_tables_of_other_commands_fit_as_well(name: str) -> None:
    lines = on_terminal(80, *EVERY[name].split(), folder=EXAMPLES)
    assert len(lines) > 1
    assert [line for line in lines if text_width(line) > 80] == []
