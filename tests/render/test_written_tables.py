"""Tables for papers, letter by letter as they are kept in tests/render/golden; and LaTeX compiles where there is a LaTeX.

`python -m tests.render.test_written_tables` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FORMS = {"tex": "to_latex", "md": "to_markdown"}
HOSTILE = r"a_b & 50% \end{tabular} $x$ #1 ~^{} <script> | [i] é ∂"
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def scores() -> plumbline.Scores:
    return plumbline.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["AP", "nDCG@10", "RR"])


def comparison() -> plumbline.Comparison:
    return plumbline.compare({"AP": "ap.csv", "P@10": "p10.csv"})


def audit() -> plumbline.Audit:
    return plumbline.audit(["F(P,R)", "MI", "Kappa"], task="filtering", budget=500)


def study() -> plumbline.Study:
    return plumbline.meta({"AP": "ap.csv", "P@10": "p10.csv"})


def hostile() -> plumbline.Scores:
    ranked = {"q": {"d1": 2.0, "d2": 1.0}}
    return plumbline.evaluate({"q": {"d1": 1, "d2": 0}}, {HOSTILE: ranked, "[plain]*": ranked}, ["AP", "RBP(p=0.5)"])


MADE: dict[str, Callable[[], Any]] = {
    "scores": scores,
    "comparison": comparison,
    "audit": audit,
    "study": study,
    "hostile": hostile,
}


def written(name: str, form: str) -> str:
    """A table without the version, which changes."""
    with chdir(EXAMPLES):
        text: str = getattr(MADE[name](), FORMS[form])()
    return re.sub(r"plumbline \d[\w.]*", "plumbline VERSION", text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MADE)
def test_a_table_is_the_one_that_is_kept(name: str, form: str) -> None:
    assert written(name, form) == (GOLDEN / f"{name}.{form}").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MADE)
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("pdflatex is not installed")
    text = DOCUMENT % written(name, "tex").replace("∂", r"$\partial$")  # letters beyond the font are the author's to choose
    (tmp_path / "table.tex").write_text(text, encoding="utf-8")
    asked = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"]
    ended = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert (tmp_path / "table.pdf").read_bytes().startswith(b"%PDF")


if __name__ == "__main__":
    for each in MADE:
        for suffix in FORMS:
            (GOLDEN / f"{each}.{suffix}").write_text(written(each, suffix), encoding="utf-8")
