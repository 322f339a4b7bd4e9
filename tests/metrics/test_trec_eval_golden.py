"""trec_eval's own test files, reproduced byte by byte through the command line."""

from __future__ import annotations

import pytest

from plumbline.cli.app import run
from tests.helpers.published_values import text
from tests.helpers.shared import shared

FOLDER = ("data", "trec_eval_test")
ALL_TREC = ("-m", "all_trec")


@pytest.mark.parametrize(
    ("gold", "results", "options", "golden"),
    [
        ("qrels.test", "results.test", ("-m", "official"), "out.test"),
        ("qrels.comment.test", "results.comment.test.xz", ("-m", "official"), "out.comment.test"),
        ("qrels.test", "results.test", ALL_TREC, "out.test.a"),
        ("qrels.test", "results.test", (*ALL_TREC, "--per-case"), "out.test.aq"),
        ("qrels.test", "results.trunc", (*ALL_TREC, "--per-case", "--missing", "worst"), "out.test.aqc"),
        ("qrels.test", "results.trunc", (*ALL_TREC, "--per-case", "--missing", "worst", "--depth", "100"), "out.test.aqcM"),
        ("qrels.rel_level", "results.test", (*ALL_TREC, "-m", "relstring_20", "--per-case", "--rel", "2"), "out.test.aql"),
        ("qrels.test", "results.test", (*ALL_TREC, "--per-case", "--zscores", "zscores_file"), "out.test.aqZ"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("out.") else "",
)
def test_same_bytes(gold: str, results: str, options: tuple[str, ...], golden: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(shared(*FOLDER, gold)), str(shared(*FOLDER, results))]
    expected = text(shared(*FOLDER, golden))
    options = tuple(str(shared(*FOLDER, option)) if option == "zscores_file" else option for option in options)
    assert run(["evaluate", *files, *options, "--as", "trec_eval", "--format", "trec_eval", "-q"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines(keepends=True)
    if "relstring_20" in options:  # trec_eval prints the longer string in place of the usual one
        lines = [line for line in lines if not line.startswith("relstring  ")]
    assert lines == expected.splitlines(keepends=True)
    assert printed.err == ""


def test_other_cutoffs_and_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    """out.test.meas_params as far as its measures take one value each; gains per grade (ndcg.1=3) are not offered."""
    wanted = {
        **{f"P_{k}": f"P_{k}" for k in (3, 5, 7)},
        **{f"recall_{k}": f"recall_{k}" for k in (20, 2000)},
        **{f"Rprec_mult_{x}": f"Rprec_mult_{x}" for x in ("0.20", "0.35", "5.00")},
        **{f"iprec_at_recall_{r}": f"iprec_at_recall_{r}" for r in ("0.10", "0.20", "0.25", "0.50", "0.75")},
        **{f"success_{k}": f"success_{k}" for k in (2, 5, 20)},
        **{f"ndcg_cut_{k}": f"ndcg_cut_{k}" for k in (10, 20, 23)},
        "utility_2,-1,0,0": "Utility(tp=2,fp=-1,fn=0,tn=0)",
    }
    names = [argument for name in wanted.values() for argument in ("-m", name)]
    files = [str(shared(*FOLDER, "qrels.test")), str(shared(*FOLDER, "results.test"))]
    assert run(["evaluate", *files, *names, "--as", "trec_eval", "--format", "trec_eval", "-q", "--per-case"]) == 0
    shown = {name: trec for trec, name in wanted.items()}
    actual = {(shown[row[0]], row[1], row[2]) for row in map(str.split, capsys.readouterr().out.splitlines())}
    rows = (tuple(line.split()) for line in text(shared(*FOLDER, "out.test.meas_params")).splitlines())
    assert actual == {row for row in rows if row[0] in wanted}
