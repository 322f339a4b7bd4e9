"""Outputs that ignore the gold stand where their score puts them, and take no part in bands, pairs and corrections."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from plumbline.demo.labels import write_labels
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline import Comparison

REPLAB = ("data", "replab2013_topic_detection")
CLUSTERINGS = [f"{kind}terms_jaccard_HAC_{share}%" for kind in ("", "SVM_") for share in (0, 20, 50, 80, 90, 100)]


def clusters(path: Path) -> pl.DataFrame:
    """The topics of tweets about the 61 entities."""
    content = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    frame = pl.read_csv(content, separator="\t", encoding="latin-1", infer_schema=False)
    return frame.select(case="entity_id", item="tweet_id", cluster="topic")


@pytest.fixture(scope="module")
def replab() -> Comparison:
    """Twelve clusterings, from single tweets to a few large clusters."""
    gold = clusters(shared(*REPLAB, "replab2013_topic_detection_goldstandard.dat"))
    systems = {name: clusters(shared(*REPLAB, "system-outputs", f"{name}.xz")) for name in CLUSTERINGS}
    return plumbline.compare(gold, systems, ["F(BCubedP,BCubedR)"], task="clustering", floor=True)


@pytest.fixture(scope="module")
def filters(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The spam filters of the demo."""
    folder = tmp_path_factory.mktemp("demo")
    write_labels(folder)
    return plumbline.compare(folder / "mail.tsv", f"{folder}/filters/*.tsv", ["F(P,R)"], positive="spam", floor=True)


@pytest.fixture(params=[pytest.param("replab", marks=pytest.mark.slow), "filters"])
def compared(request: pytest.FixtureRequest) -> Comparison:
    """Each of them."""
    result: Comparison = request.getfixturevalue(request.param)
    return result


def test_the_leaderboard_goes_by_score(compared: Comparison) -> None:
    board = compared.leaderboard
    assert board["score"].to_list() == sorted(board["score"], reverse=True)
    bands = board.filter(~pl.col("floor"))["band"].to_list()
    assert bands == sorted(bands), "a band never holds a worse system above a better one"
    assert bands[0] == 1


def test_floor_rows_are_marked_and_in_no_band_pair_or_correction(compared: Comparison) -> None:
    floor = compared.leaderboard.filter("floor")
    assert all(name.startswith("[") for name in floor["system"])
    assert not set(floor["system"]) & set(compared.systems)
    for column in ("band", "rank_low", "rank_high", "pareto", "reference", "uir"):
        assert floor[column].is_null().all()
    count = len(compared.systems)
    pairs = count * (count - 1) // 2
    assert compared.significance.height == pairs
    assert compared.correction_used == f"Holm over {pairs} pairs"
    assert not {*compared.significance["a"], *compared.significance["b"]} & set(floor["system"])


@pytest.mark.slow
def test_replab_has_one_cluster_and_singletons_among_the_clusterings(replab: Comparison) -> None:
    board = replab.leaderboard
    assert {"[singletons]", "[one-cluster]"} <= set(board.filter("floor")["system"])
    assert set(replab.systems) == set(CLUSTERINGS)
    assert board["system"][0] in replab.systems, "the best system, not an output that ignores the gold"
    first = board.filter(band=1)["score"].min()
    assert isinstance(first, float)
    nearly_one = board.filter(system="terms_jaccard_HAC_100%")["score"].item()
    assert nearly_one < first
    assert "ignores the gold" in repr(replab)


def test_a_trained_filter_wins_although_there_are_outputs_that_ignore_the_mail(filters: Comparison) -> None:
    text = repr(filters)
    assert text.startswith("trained has the best F(P,R) (0.7925). It is better than eager, timid; ")
    assert "\ntimid scores no better than [placebo], which ignores the gold.\n" in text
    assert filters.floor is not None
    means = {name: filters.floor.values[0, at] for at, name in enumerate(filters.floor.systems)}
    trained = filters.cube.values[0, filters.systems.index("trained")]
    assert all((trained > prior).all() for prior in means.values()), "in 10 of 10 streams"
    assert filters.verdict("trained", "eager").kind == "better"
