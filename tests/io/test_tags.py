"""Run tags: places of rows beside those of other runs, and the word that reads all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline
from tests.helpers.command_line import QRELS
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

RUNS = {
    "run.txt": "q1 Q0 d1 1 3 a\n# both\nq1 Q0 d1 1 3 b\nq1 Q0 d2 2 2 a\nq1 Q0 d2 2 {} b\n",
    "run.csv": "case,item,score,system\nq1,d1,3,a\nq1,d1,3,b\nq1,d2,2,a\nq1,d2,{},b\n",
    "run.tsv": "qid\tdocno\tscore\trun\nq1\td1\t3\ta\nq1\td1\t3\tb\nq1\td2\t2\ta\nq1\td2\t{}\tb\n",
}
LAST = {"run.txt": 5, "run.csv": 5, "run.tsv": 5}


@pytest.mark.parametrize("name", RUNS)
def test_the_place_of_a_row_counts_the_rows_of_other_runs(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(RUNS[name].format("inf"), encoding="utf-8")
    with pytest.raises(plumbline.PlumblineError) as caught:
        plumbline.evaluate({"q1": {"d1": 1}}, path, ["AP"], tag="b")
    place = caught.value.diagnostics[0].place
    assert place is not None
    assert (caught.value.code, place.line) == ("E103", LAST[name])


@pytest.mark.parametrize("name", RUNS)
def test_a_repeated_item_of_a_run_has_its_own_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(RUNS[name].format("2").replace("d2", "d1"), encoding="utf-8")
    with pytest.raises(plumbline.PlumblineError) as caught:
        plumbline.evaluate({"q1": {"d1": 1}}, path, ["AP"], tag="b")
    assert caught.value.code == "E104"
    assert f"{path}:{LAST[name]}" in str(caught.value)


@pytest.mark.parametrize("name", ["run.txt", "run.csv"])
def test_a_run_that_is_called_any(name: str, tmp_path: Path) -> None:
    """Beside others it is not clear what is meant; alone it is."""
    gold, path = tmp_path / "qrels.txt", tmp_path / name
    gold.write_text(QRELS, encoding="utf-8")
    mixed = RUNS[name].format("1").replace(" a\n", " any\n").replace(",a\n", ",any\n")
    path.write_text(mixed, encoding="utf-8")
    outcome = program("evaluate", gold, path, "--tag", "any")
    assert (outcome.code, "E397" in outcome.err) == (2, True), outcome.err
    path.write_text("\n".join(line for line in mixed.splitlines() if not line.endswith("b")), encoding="utf-8")
    assert program("evaluate", gold, path, "--tag", "any").code == 0
