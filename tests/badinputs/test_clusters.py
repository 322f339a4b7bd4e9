"""The folders of the bad-input corpus that concern clusterings: refused with a reason, or answered right."""

from __future__ import annotations

import pytest

from tests.helpers.command_line import Outcome, plumbline
from tests.helpers.shared import shared

CORPUS = shared("badinputs")
OVERLAP, MISSING, ONE_ITEM = "K01_overlap", "K03_item_missing_in_system", "K05_one_item"
NOISE, EVERYWHERE = "K11_noise_minus1", "K12_cheat_all_clusters"
ODD = {
    "K02_item_missing_in_gold": (1.0, "N219 1 item not in the gold, ignored: 9"),
    MISSING: (0.5714285714, "N220 2 of 4 items without an answer, each a cluster of its own: 3, 4"),
    "K09_dup_line": (1.0, "N208 1 repeated row ignored"),
    NOISE: (0.0, "N227 4 items labelled -1, read as one cluster: noise? --noise=-1"),
}
"""The ARI, and what is said."""


def scored(name: str, *arguments: str) -> Outcome:
    folder = CORPUS / name
    return plumbline("evaluate", folder / "gold.tsv", folder / "sys.tsv", "--task", "clustering", "--format", "csv", *arguments)


def mean(outcome: Outcome, metric: str) -> float | None:
    return outcome.means()["sys", metric]


def test_an_overlap_is_refused_where_a_partition_is_needed() -> None:
    refused = scored(OVERLAP, "-m", "ARI")
    assert refused.code != 0
    assert "E142" in refused.err
    assert "sys.tsv:2" in refused.err
    assert "(line 1), and ARI needs a partition" in refused.err
    assert scored(OVERLAP, "-m", "BCubedP").code == 0


def test_every_folder_of_clusters_is_tested() -> None:
    tested = {OVERLAP, ONE_ITEM, EVERYWHERE, *ODD}
    assert {folder.name for folder in CORPUS.iterdir() if folder.name.startswith("K")} == tested


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_said(name: str) -> None:
    value, notice = ODD[name]
    result = scored(name, "-m", "ARI")
    assert result.code == 0
    assert mean(result, "ARI") == pytest.approx(value, abs=1e-10)
    assert notice in result.err


def test_missing_items_can_be_dropped() -> None:
    assert mean(scored(MISSING, "-m", "Purity", "--missing-items", "drop"), "Purity") == 1.0


def test_one_item_has_no_pairs() -> None:
    metrics = ("Rand", "ARI", "Jaccard", "FM")
    result = scored(ONE_ITEM, *(word for metric in metrics for word in ("-m", metric)))
    assert [mean(result, metric) for metric in metrics] == [None] * 4
    assert "N203" in result.err


def test_noise_is_apart_when_asked() -> None:
    result = scored(NOISE, "-m", "BCubedP", "-m", "BCubedR", "--noise=-1")
    assert "N227" not in result.err
    assert [mean(result, metric) for metric in ("BCubedP", "BCubedR")] == [1.0, 0.5]


def test_everything_everywhere_earns_nothing() -> None:
    result = scored(EVERYWHERE, "-m", "BCubedP", "-m", "Rel", "-m", "Purity")
    assert [mean(result, metric) for metric in ("BCubedP", "Purity")] == pytest.approx([0.25, 0.5])
    assert (mean(result, "Rel") or 0) <= 0.5
