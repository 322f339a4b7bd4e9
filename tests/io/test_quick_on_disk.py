"""Large files stay on the disk: the same rows, scores and messages as those of files that are kept in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import plumbline
from plumbline.io.bytes.content import load
from plumbline.io.bytes.on_disk import OnDisk
from plumbline.io.formats.trec import quick
from plumbline.io.listed import Texts, rows_in_gold
from plumbline.io.native import SWITCH, native
from plumbline.io.read import read
from tests.io.test_quick_trec import _world

if TYPE_CHECKING:
    from pathlib import Path

core = pytest.importorskip("plumbline_core", reason="the reader in C is not installed: pip install ./native")
pytestmark = pytest.mark.skipif(native() is None, reason=f"the reader in C is turned off: {SWITCH}=0")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every file is large, and has many blocks."""
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 0)
    monkeypatch.setattr(quick, "KEPT", 0)
    monkeypatch.setattr("plumbline.io.bytes.blocks.BLOCK", 300)
    return monkeypatch


@pytest.mark.parametrize("number", range(25))
def test_scores_and_notices_are_the_same(tmp_path: Path, number: int, large: pytest.MonkeyPatch) -> None:
    gold, run = _world(number)
    (tmp_path / "gold.txt").write_text(gold)
    (tmp_path / "a.run").write_text(run)

    def scored() -> tuple[object, object]:
        scores = plumbline.evaluate(tmp_path / "gold.txt", tmp_path / "a.run", ["AP", "nDCG@10", "P@5", "RR", "Bpref"])
        return scores.per_case.rows(), [str(one) for one in scores.notices]

    listed = read(tmp_path / "a.run", "output").listed
    assert listed is not None
    assert isinstance(listed.items.data, OnDisk)
    ours = scored()
    large.undo()
    assert scored() == ours
    large.setattr(quick, "KEPT", 0)  # the gold in memory, the run on the disk
    large.setattr("plumbline.io.bytes.content.SMALL", len(gold))
    assert scored() == ours
    large.setenv(SWITCH, "0")
    assert scored() == ours


@pytest.mark.usefixtures("large")
def test_ids_of_any_length_anywhere(tmp_path: Path) -> None:
    lengths = [1, 511, 512, 513, 5000, 3, 100_000, 2]
    names = [f"{number}" + "d" * (length - 1) for number, length in enumerate(lengths)]
    path = tmp_path / "a.run"
    path.write_text("".join(f"q Q0 {name} {rank} {-rank} t\n" for rank, name in enumerate(names)))
    listed = read(path, "output").listed
    assert listed is not None
    assert listed.items.some() == names
    assert listed.items.some(np.array([6, 0, 7, 4])) == [names[row] for row in (6, 0, 7, 4)]
    assert listed.items.some(np.array([], dtype=np.int64)) == []


@pytest.mark.usefixtures("large")
def test_a_file_that_is_cut_meanwhile_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("".join(f"q Q0 d{number} {number} {-number} t\n" for number in range(1000)))
    listed = read(path, "output").listed
    assert listed is not None
    path.write_text("q")
    with pytest.raises(plumbline.BadData, match=r"shorter|shrunk|became"):
        listed.items.some()


@pytest.mark.usefixtures("large")
def test_a_shared_hash_does_not_decide(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 d1 1 2 t\nq Q0 d2 2 1 t\n")
    data = load(path).data
    assert isinstance(data, OnDisk)
    codes = np.zeros(2, np.int32)
    run = Texts(data, np.array([5, 19], np.uint32), np.array([7, 8], np.uint64), plain=True)
    gold = Texts(data, np.array([19, 5], np.uint32), np.array([7, 9], np.uint64), plain=True)  # d2 has the hash of d1
    assert run.some() == ["d1", "d2"]
    rows, of_gold = rows_in_gold((gold, codes), (run, codes))
    assert (rows.tolist(), of_gold.tolist()) == ([0, 1], [1, 0])
