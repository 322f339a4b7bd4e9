"""Comparisons in words, tables, LaTeX, Markdown, HTML, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest

from plumbline import Comparison
from plumbline.comparison import wording
from plumbline.comparison.combining import combined
from plumbline.comparison.cube import Cube
from plumbline.comparison.grids import pairs_grid
from plumbline.render.formats import render
from plumbline.render.grid import chance, percent
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from tests.helpers.score_cubes import cube_of, drawn

NAN = float("nan")
HOSTILE = ("a_b & <script>alert(1)</script>", "=1+1|x\n\x1b[31mred", "[x] *b*", "100% $x^{~}\\end{tabular}#", "plain")


def of(values: Any, names: tuple[str, ...] = (), lower: list[bool] | None = None, **options: Any) -> Comparison:
    cube = cube_of(values, lower)
    cube = Cube(cube.metrics, names or cube.systems, cube.cases, cube.values, cube.lower)
    return Comparison(cube, combined(cube), **options)


def ladder(systems: int, metrics: int = 2) -> Any:
    """Each system is better than the next one by every metric in every case."""
    steps = np.linspace(0.9, 0.1, systems)[:, None] + np.linspace(0, 0.05, 24)
    return np.broadcast_to(steps, (metrics, systems, 24))


# --- words --------------------------------------------------------------------------------------------------------------


def test_one_winner() -> None:
    said = wording.summary(of(ladder(3)))
    assert said[0] == "s0 is the best: nobody robustly beats it, and the others are in 2 lower tiers."
    assert said[1] == "s0 has the best mean for every alpha."
    assert [line.partition(";")[0] for line in said[2:]] == ["s0 beats s1 for every alpha", "s0 beats s2 for every alpha"]


def test_no_winner_at_all() -> None:
    said = wording.summary(of([[[0.5, 0.4], [0.4, 0.5]], [[0.5, 0.4], [0.4, 0.5]]]))
    assert said[0] == "No winner: no system robustly beats another one (s0, s1)."
    assert said[1] == "s0, s1 together have the best mean for every alpha."


def test_several_in_the_first_tier_and_the_alphas_of_each() -> None:
    values = ladder(3).copy()
    values[0, 1] += 0.5
    said = wording.summary(of(values))
    assert said[0] == "No single winner: nobody robustly beats s0, s1, tier 1 of 2."
    assert re.fullmatch(
        r"Which mean is best depends on alpha, the weight of m0: s0 for alpha < 0\.\d+, s1 for alpha > .+", said[1]
    )


def test_a_circle_has_no_winner() -> None:
    """Missing cases let systems beat each other in a circle."""
    block, none = np.linspace(0.5, 0.6, 20), np.full(20, NAN)
    values = [[*block + 0.2, *none, *block], [*block, *block + 0.2, *none], [*none, *block, *block + 0.2]]
    found = of([values, values])
    assert found.leaderboard["tier"].to_list() == [1, 1, 1]
    said = wording.summary(found)
    assert said[0].startswith("No winner: on the cases that they share, systems robustly beat each other in a circle (s")
    assert said[1] == "No system leads for any alpha: they have different cases."


def test_one_metric_and_three_metrics() -> None:
    one = wording.summary(of(ladder(2, 1)))[1]
    assert one == "There is only one metric, so no weights matter; s0 has the best mean."
    tied = wording.summary(of([[[0.5], [0.5]]]))[1]
    assert tied.endswith("; s0, s1 together have the best mean.")
    assert wording.summary(of(ladder(2, 3)))[1] == "Of 4,096 weightings of the 3 metrics, s0 has the best mean in 100%."
    corner = [[[0.9, 0.9], [0.1, 0.1]], [[0.9, 0.9], [0.1, 0.1]], [[0.5, 0.5], [0.5000001, 0.5000001]]]
    said = wording.summary(of(corner))
    assert said[1] == "Of 4,096 weightings of the 3 metrics, s0 has the best mean in 100% (but not by m2 alone)."
    assert said[2].startswith(
        "Whether s0 beats s1 depends on the weights: s0 leads for all 4,096 weightings drawn, but not by m2 alone;"
    )
    apart = [[[0.5, NAN], [NAN, 0.5]]] * 3
    assert wording.summary(of(apart))[1].startswith("No system leads for any of 4,096 weightings")


def test_the_best_of_two() -> None:
    assert wording.summary(of(ladder(2)))[0] == "s0 is the best: it robustly beats s1."
    assert wording.summary(of([[*ladder(2, 1)[0], [NAN] * 24]]))[0] == "s0 is the best: it robustly beats s1."


def test_the_best_mean_of_systems_with_different_cases() -> None:
    told = wording.summary(of([[[0.5, 0.7, NAN], [NAN, 0.5, 0.5]]]))[1]
    assert told.endswith("s0 has the best mean, though systems have different cases.")


def test_a_difference_of_nothing_is_not_called_chance() -> None:
    told = str(of([[[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]]]).verdict("s0", "s1"))
    assert told.startswith("s0 and s1 have the same m0; ")
    assert told.endswith("p = 1 after Holm (Fisher's randomization test).")


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
def test_the_caption_counts_the_pairs_that_were_tested(test: str) -> None:
    """Six systems of which one has a case that no other one has, and two are equal on some cases."""
    draw = np.random.default_rng(2).integers(0, 5, (1, 6, 5)) / 5
    draw[0, 5, :4], draw[0, :5, 4] = NAN, NAN
    found = of(draw, baseline="s1", test=test)
    counts = re.findall(r"(\d+) of (\d+) pairs", wording.caption(found))
    assert counts
    assert {whole for _, whole in counts} == {"5"}
    assert all(int(some) <= 5 for some, _ in counts)
    assert "Holm over 4 pairs" in wording.caption(found)
    if test == "wilcoxon":
        equal = sum(int((draw[0, 1, :4] == draw[0, other, :4]).sum()) for other in (0, 2, 3, 4))
        assert f"left out, {equal} in all" in wording.caption(found)


def test_the_caption_tells_what_is_no_difference_and_what_is_not_corrected() -> None:
    assert "differences up to 0.05 count as equal in UIR" in wording.caption(of(ladder(3), eps=0.05))
    assert "differences up to" not in wording.caption(of(ladder(3)))
    assert "correction: none; " in wording.caption(of(ladder(3), correction="none"))


def test_a_baseline_is_compared_with_and_said() -> None:
    said = wording.summary(of(ladder(4), baseline="s2"))
    assert said[0] == "s0, s1 robustly beat s2; s2 robustly beats s3. Only pairs with s2 are tested."
    assert [re.findall(r"s\d", line)[:2] for line in said[2:]] == [["s0", "s2"], ["s1", "s2"], ["s2", "s3"]]
    assert len(wording.summary(of(ladder(2), baseline="s1"))) == 3


def test_many_verdicts_are_cut_and_counted() -> None:
    said = wording.summary(of(ladder(12)))
    assert said[-1] == "There are 5 more pairs: see .significance."
    assert len(said) == 2 + 6 + 1


def test_a_caption_tells_how_it_was_made() -> None:
    told = wording.caption(of(ladder(3), level=0.01, uir_threshold=0.5, correction="bonferroni", baseline="s1"))
    assert told.startswith(
        "3 systems, 24 cases; score: F(m0,m1); Fisher's randomization test; correction: Bonferroni over 2 pairs; "
    )
    assert "robust: UIR from 0.5, p below 0.01" in told
    assert "random signs (seed 0)" in told, "how often was drawn"


# --- tables -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_printed_numbers_are_those_of_the_tables(metrics: int) -> None:
    found = of(drawn(4, (metrics, 6, 30), missing=0.1).values)
    grid = pairs_grid(found)
    names = ("better or equal by all", "worse or equal by all", "biased", "cases")
    uir = {(row[0], row[1]): row for row in found.unanimity.iter_rows()}
    tested = {(row["a"], row["b"]): row for row in found.significance.iter_rows(named=True)}
    assert len(grid.rows) == 15
    for row in grid.rows:
        shown = dict(zip(grid.heading, (cell.text for cell in row), strict=True))
        pair = shown["better"], shown["worse"]
        counts, test = uir[pair], tested[pair]
        assert float(shown["UIR"]) == pytest.approx(counts[2], abs=0.00501)
        assert [int(shown[name]) for name in names] == list(counts[3:7])
        assert float(shown["p"]) == pytest.approx(test["p"], abs=0.00005)
        assert float(shown["corrected"]) == pytest.approx(test["corrected"], abs=0.00005)
        assert float(shown["difference"]) == pytest.approx(test["difference"], abs=0.00005)
        assert shown["verdict"] == ("robust" if test["robust"] else "")
        assert f"p = {test['corrected']:.3g} after Holm" in str(found.verdict(*pair))


def test_a_printed_p_stays_on_its_side_of_the_level() -> None:
    found = of(drawn(4, (2, 3, 30)).values)
    vars(found)["p"] = np.where(np.eye(3, dtype=bool), 1.0, 0.04999)
    assert {row[5].text for row in pairs_grid(found).rows} == {"0.04999"}
    vars(found).pop("significance")
    vars(found)["p"] = np.where(np.eye(3, dtype=bool), 1.0, 0.050001)
    assert {row[5].text for row in pairs_grid(found).rows} == {"0.0500"}


def test_the_board_shows_whom_a_system_beats_by_row_numbers_that_never_run_out() -> None:
    found = of(ladder(40))
    above = found.grid()
    beside = above.plain
    assert beside is not None
    column = beside.heading.index("beats")
    assert [row[column].text for row in beside.rows][:3] == ["2-40", "3-40", "4-40"]
    assert [row[3].raised for row in above.rows][-3:] == ["39-40", "40", ""]
    assert "$^{2-40}$" in found.to_latex()
    assert "<sup>2-40</sup>" in found.to_markdown()


def test_a_metric_that_is_better_when_lower_is_shown_as_it_was_given() -> None:
    grid = of([[[0.2, 0.4], [0.1, 0.3]]], lower=[True]).grid()
    assert grid.heading[3] == "m0 ↓"
    assert [(row[2].text, row[3].text, row[3].best) for row in grid.rows] == [("s1", "0.2000", True), ("s0", "0.3000", False)]
    both = of([[[0.5]] * 2, [[0.2], [0.1]]], lower=[False, True]).grid()
    assert both.heading[3:6] == ("arithmetic mean(m0,-m1)", "m0", "m1 ↓")
    assert [cell.text for cell in both.rows[0][3:6]] == ["0.2000", "0.5000", "0.1000"]


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0%"), (1.0, "100%"), (0.999, ">99%"), (0.001, "<1%"), (0.5, "50%"), (None, "n/a")]
)
def test_what_is_not_all_is_not_told_so(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_a_small_p_is_not_told_to_be_0() -> None:
    assert [chance(p) for p in (0.0, 1e-9, 0.00004, 0.00006, 0.5, None)] == [
        "0.0000",
        "<0.0001",
        "<0.0001",
        "0.0001",
        "0.5000",
        "n/a",
    ]


# --- formats ------------------------------------------------------------------------------------------------------------


def test_latex_has_as_many_cells_in_every_row_and_no_name_acts() -> None:
    for text in (of(ladder(5), HOSTILE).to_latex(), latex(pairs_grid(of(ladder(5), HOSTILE)))):
        lines = text.splitlines()
        assert all(line.startswith("%") for line in lines[: lines.index(next(line for line in lines if "begin" in line))])
        columns = len(re.search(r"\{tabular\}\{([lr]+)\}", text)[1])  # type: ignore[index]  # it is there
        rows = [line for line in lines if line.endswith(r"\\")]
        assert all(len(re.findall(r"(?<!\\)&", row)) == columns - 1 for row in rows)
        assert not any(row.startswith(("[", "*")) for row in rows), "what follows a line break would be its option"
        assert text.count(r"\end{tabular}") == 1
        assert r"a\_b \& \textless{}script\textgreater{}" in text
        assert r"100\% \$x\textasciicircum{}\{\textasciitilde{}\}\textbackslash{}end\{tabular\}\#" in text
        for row in rows:
            bare = re.sub(r"\\[\\&%$#_{}]|\\[a-z]+", "", row)
            assert not set(re.sub(r"\$\^\{[\d,-]*\}\$", "", bare)) & set("$^_#%~\\"), row


def test_markdown_keeps_its_columns_and_escapes_names() -> None:
    for text in (of(ladder(5), HOSTILE).to_markdown(), markdown(pairs_grid(of(ladder(5), HOSTILE)))):
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
        assert "<script" not in text.replace("\\<", "")
        assert "\x1b" not in text


def test_html_and_words_escape_names() -> None:
    found = of(ladder(5), HOSTILE)
    shown = found._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert shown.index("is the best") < shown.index("<table>"), "words come first"
    for text in (shown, repr(found)):
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
    found = of(values)
    read = json.loads(found.to_json(), parse_constant=no_constant)
    assert next(iter(read)) == "summary", "words come first"
    assert read["summary"] == wording.summary(found)
    assert [row["system"] for row in read["leaderboard"]] == found.leaderboard["system"].to_list()
    assert read["unanimity"] == found.unanimity.to_dicts()
    assert read["made"]["correction"] == found.correction_used
    more = json.loads(found.to_json(show=["intervals", "parametric"]), parse_constant=no_constant)
    assert len(more["intervals"]) == len(more["parametric"]) == len(read["unanimity"])


def test_csv_has_no_formula_and_lists_as_text() -> None:
    found = of(ladder(5), HOSTILE)
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert [row["system"] for row in rows][1] == "'=1+1|x\\x0a\\x1b[31mred"
    assert [float(row["score"]) for row in rows] == found.leaderboard["score"].to_list()
    improves = next(csv.DictReader(io.StringIO(render(of(ladder(3)), "csv", show=["references"]))))["improves"]
    assert improves == "s1 s2"
