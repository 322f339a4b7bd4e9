"""Options are spelled as keywords for Python callers and as flags for the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline.cli.app import run
from plumbline.errors.faces import NUMBER, either, option, rendered, spelling, switch, with_both_spellings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "python", "shell"),
    [
        (option("threshold"), "threshold=", "--threshold"),
        (option("threshold", NUMBER), "threshold=NUMBER", "--threshold NUMBER"),
        (option("resamples", 420), "resamples=420", "--resamples 420"),
        (option("on_duplicate", "first", "last"), 'on_duplicate="first"|"last"', "--on-duplicate first|last"),
        (
            option("task", "ranking", "filtering", between=" or "),
            'task="ranking" or "filtering"',
            "--task ranking or filtering",
        ),
        (option("as_", "trec_eval"), 'as_="trec_eval"', "--as trec_eval"),
        (option("metrics"), "metrics=", "-m"),
        (switch("multilabel"), "multilabel=True", "--multilabel"),
        (either("scores.save(path)", "-o FILE"), "scores.save(path)", "-o FILE"),
        ("nothing to spell", "nothing to spell", "nothing to spell"),
    ],
)
def test_both_spellings(text: str, python: str, shell: str) -> None:
    sentence = f"before {text} after"
    assert rendered(sentence) == f"before {python} after"
    with spelling("shell"):
        assert rendered(sentence) == f"before {shell} after"
    assert rendered(sentence) == f"before {python} after"


@pytest.mark.parametrize(
    ("prose", "python"),
    [
        ("`--threshold` sets it", "`threshold=` sets it"),
        ("see `--ties best` and `--as trec_eval`", 'see `ties="best"` and `as_="trec_eval"`'),
        ("`--missing-items drop|absent`", '`missing_items="drop"|"absent"`'),
        ("`--noise=-1`", '`noise="-1"`'),
        ("`plumbline audit --list`", "`plumbline audit --list`"),
    ],
)
def test_flags_in_prose_have_both_spellings(prose: str, python: str) -> None:
    assert rendered(with_both_spellings(prose)) == python
    with spelling("shell"):
        assert rendered(with_both_spellings(prose)) == prose


def test_the_spelling_ends_with_its_block() -> None:
    with pytest.raises(ValueError, match="inside"), spelling("shell"):
        raise ValueError("inside")  # noqa: EM101 - any error will do
    assert rendered(option("rel")) == "rel="


def test_one_problem_two_spellings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.run"
    path.write_text("q1 Q0 d1 1 2 a\nq1 Q0 d1 2 1 a\n", encoding="utf-8")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.evaluate({"q1": {"d1": 1}}, path)
    assert 'help: keep one copy with on_duplicate="first"|"last"|"best"' in str(caught.value)
    gold = tmp_path / "gold.qrels"
    gold.write_text("q1 0 d1 1\n", encoding="utf-8")
    assert run(["evaluate", str(gold), str(path)]) == 1
    assert "help: keep one copy with --on-duplicate first|last|best" in capsys.readouterr().err


def test_saved_notices_keep_both_spellings(tmp_path: Path) -> None:
    gold = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    plumbline.evaluate(gold, {"a": gold}, "AP").save(tmp_path / "scores.parquet")
    notice = next(one for one in plumbline.Scores.load(tmp_path / "scores.parquet").notices if one.code == "N203")
    assert notice.help == 'undefined="zero" counts them as 0, as trec_eval does'
    with spelling("shell"):
        assert notice.help == "--undefined zero counts them as 0, as trec_eval does"
