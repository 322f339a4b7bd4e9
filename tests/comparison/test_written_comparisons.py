"""Comparisons in LaTeX, Markdown, HTML, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest

from plumbline.comparison import wording
from plumbline.comparison.grids import pairs_grid
from plumbline.render.formats import render
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from tests.helpers.comparisons import ladder, of

NAN = float("nan")
HOSTILE = ("a_b & <script>alert(1)</script>", "=1+1|x\n\x1b[31mred", "[x] *b*", "100% $x^{~}\\end{tabular}#", "plain")


def test_latex_has_as_many_cells_in_every_row_and_no_name_acts() -> None:
    for text in (of(ladder(5), HOSTILE).to_latex(), latex(pairs_grid(of(ladder(5), HOSTILE)))):
        lines = text.splitlines()
        assert lines[0] == r"\begin{table}"
        assert text.count(r"\caption{") == text.count(r"\label{tab:") == 1
        columns = len(re.search(r"\{tabular\}\{(.+)\}", text)[1].replace("@{}", ""))  # type: ignore[index]  # it is there
        rows = [line for line in lines if line.endswith(r"\\")]
        assert all(len(re.findall(r"(?<!\\)&", row)) + row.count("multicolumn{2}") == columns - 1 for row in rows)
        assert not any(row.startswith(("[", "*")) for row in rows), "what follows a line break would be its option"
        assert text.count(r"\end{tabular}") == 1
        assert r"a\_b \& \textless{}script\textgreater{}" in text
        assert r"100\% \$x\textasciicircum{}\{\textasciitilde{}\}\textbackslash{}end\{tabular\}\#" in text
        for row in rows:
            bare = re.sub(r"\\[\\&%$#_{}]|\\[a-z]+", "", row)
            assert not set(re.sub(r"\$\^\{[a-z]*\}\$|\$\$", "", bare)) & set("$^_#%~\\"), row


def test_markdown_keeps_its_columns_and_escapes_names() -> None:
    for text in (of(ladder(5), HOSTILE).to_markdown(), markdown(pairs_grid(of(ladder(5), HOSTILE)))):
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
        assert "<script" not in text.replace("\\<", "")
        assert "\x1b" not in text


def test_html_and_words_escape_names() -> None:
    comparison = of(ladder(5), HOSTILE)
    shown = comparison._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert shown.index("has the best") < shown.index("<table>"), "words come first"
    for text in (shown, repr(comparison)):
        assert "\x1b" not in text
        assert "x\n" not in text


def no_constant(name: str) -> None:
    raise AssertionError(name)


@pytest.mark.parametrize(
    "values",
    [ladder(3), [[[0.5] * 20, [0.25] * 20]] * 2, [[[NAN, NAN], [0.1, 0.2], [0.3, NAN]]], [[[0.5, NAN], [NAN, 0.5]]] * 3],
    ids=["ladder", "infinite effects", "missing", "nothing shared"],
)
def test_json_is_valid_and_has_no_nan(values: Any) -> None:
    comparison = of(values)
    read = json.loads(comparison.to_json(), parse_constant=no_constant)
    assert next(iter(read)) == "summary", "words come first"
    assert read["summary"] == wording.summary(comparison)
    assert [row["system"] for row in read["leaderboard"]] == comparison.leaderboard["system"].to_list()
    assert read["unanimity"] == comparison.unanimity.to_dicts()
    assert read["made"]["correction"] == comparison.correction_used
    more = json.loads(comparison.to_json(show=["intervals", "parametric"]), parse_constant=no_constant)
    assert len(more["intervals"]) == len(more["parametric"]) == len(read["unanimity"])


def test_csv_has_no_formula_and_lists_as_text() -> None:
    comparison = of(ladder(5), HOSTILE)
    rows = list(csv.DictReader(io.StringIO(render(comparison, "csv"))))
    assert [row["system"] for row in rows][1] == "'=1+1|x\\x0a\\x1b[31mred"
    assert [float(row["score"]) for row in rows] == comparison.leaderboard["score"].to_list()
    improves = next(csv.DictReader(io.StringIO(render(of(ladder(3)), "csv", show=["references"]))))["improves"]
    assert improves == "s1 s2"
