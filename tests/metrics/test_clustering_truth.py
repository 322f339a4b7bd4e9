"""Clusterings of shared tasks and libraries, from their files to the values that others published."""

from __future__ import annotations

import csv
import gzip
import io
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from tests.helpers.published_values import text
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

WEPS = ("data", "weps")
REPLAB = ("data", "replab2013_topic_detection")
BASELINES = {"ALL_IN_ONE_BASELINE": "[one-cluster]", "ONE_IN_ONE_BASELINE": "[singletons]", "COMBINED_BASELINE": "[combined]"}


def published_weps() -> dict[tuple[str, str], dict[str, str]]:
    rows = csv.DictReader(
        io.StringIO(text(shared(*WEPS, "expected", "weps1_train_official_scorer_fullprec.tsv"))), delimiter="\t"
    )
    return {(row["system"], row["topic"]): row for row in rows}


def test_weps_scores_equal_the_official_scorer() -> None:
    """Extended BCubed of a system and three baselines, overlaps and all; purity and pairs of the baselines."""
    names = {"BCubedP": "BEP", "BCubedR": "BER", "Purity": "P", "InvPurity": "IP", "Rand": "PR"}
    scores = plumbline.evaluate(
        shared(*WEPS, "weps1_train_gold"),
        {"pku601": shared(*WEPS, "weps1_train_system_pku601")},
        list(names),
        task="clustering",
        missing_items="absent",
        floor=True,
    )
    ours = {(row[0], row[1], row[2]): row[3] for row in scores.per_case.iter_rows()}
    checked = 0
    for (system, topic), row in published_weps().items():
        for metric, their in names.items():
            if system == "pku601" and (metric in {"Purity", "InvPurity"} or float(row["BEP"]) + float(row["BER"]) == 0):
                continue  # its purity counts documents that the gold lacks; topics that it lacks score 0 in both
            actual = ours[BASELINES.get(system, system), topic, metric]
            assert actual == pytest.approx(float(row[their]), abs=1e-12), (system, topic, metric)
            checked += 1
    assert checked > 49 * 3 * 5


def outputs() -> list[Path]:
    return sorted(shared(*REPLAB, "system-outputs").iterdir())


@pytest.mark.parametrize("path", outputs() if shared(*REPLAB).exists() else [], ids=lambda path: path.stem)
def test_replab_scores_equal_the_organisers(path: Path) -> None:
    """Reliability, Sensitivity and F of 61 entities; an item that a system lacks has reliability 1 and sensitivity 0."""
    gold = shared(*REPLAB, "replab2013_topic_detection_goldstandard.dat")
    scores = plumbline.evaluate(gold, {"s": path}, ["Rel", "Sens", "F(Rel,Sens)"], task="clustering", missing_items="absent")
    ours = {(row[0], row[1]): row[2] for row in scores.per_case.select("case", "metric", "value").iter_rows()}
    name = path.name.removesuffix(".xz")
    rows = list(csv.DictReader(io.StringIO(text(shared(*REPLAB, "evaluation-results", name))), delimiter="\t"))
    entities = [row for row in rows if row["entity"].startswith("RL2013")]
    assert len(entities) == 61
    for row in entities:
        for metric, their in (("Rel", "Reliability"), ("Sens", "Sensitivity"), ("F(Rel,Sens)", "F measure")):
            assert ours[row["entity"], metric] == pytest.approx(float(row[their]), abs=1e-12), row["entity"]


GAGOLEWS = {
    "ARI": "ARI",
    "Rand": "rand",
    "FM": "FM",
    "NMI": "NMI_arith",
    "AMI": "AMI_arith",
    "Homogeneity": "homogeneity",
    "Completeness": "completeness",
    "VMeasure": "v_measure",
}


def test_gagolews_clusterings_as_scikit_learn() -> None:
    """Fourteen methods on every data set; points that the reference leaves out are left out."""
    rows = list(
        csv.DictReader(io.StringIO(text(shared("data", "gagolews_clusterings", "expected_sklearn.tsv"))), delimiter="\t")
    )
    checked = 0
    for dataset in sorted({row["dataset"] for row in rows}):
        path = shared("data", "gagolews_clusterings") / f"{dataset}.csv.gz"
        if not path.exists():
            continue
        with gzip.open(path) as file:
            frame = pl.read_csv(file.read())
        each = [row for row in rows if row["dataset"] == dataset]
        for reference in sorted({row["labels"] for row in each}):
            kept = frame.filter(pl.col(reference) != 0)
            wanted = [row for row in each if row["labels"] == reference]
            systems = {row["method"]: kept[f"{row['method']}__k{row['k']}"].to_numpy() for row in wanted}
            scores = plumbline.evaluate(kept[reference].to_numpy(), systems, list(GAGOLEWS), task="clustering")
            actual = {(row[0], row[1]): row[2] for row in scores.mean.select("system", "metric", "value").iter_rows()}
            for row in wanted:
                for ours, theirs in GAGOLEWS.items():
                    assert actual[row["method"], ours] == pytest.approx(float(row[theirs]), abs=1e-12), (
                        dataset,
                        row["method"],
                        ours,
                    )
                    checked += 1
    assert checked > 1000


def test_russe_weighted_ari() -> None:
    """The published mean of ARI over words, weighted by how often a word occurs."""
    frame = pl.read_csv(
        shared("data", "russe2018_wsi", "wiki-wiki.train.baseline-adagram.csv"), separator="\t", infer_schema=False
    )
    gold = frame.select(case="word", item="context_id", cluster="gold_sense_id")
    system = frame.select(case="word", item="context_id", cluster="predict_sense_id")
    scores = plumbline.evaluate(gold, {"adagram": system}, "ARI", task="clustering")
    weights = dict(frame.group_by("word").len().iter_rows())
    values = dict(scores.per_case.select("case", "value").iter_rows())
    mean = sum(values[word] * weight for word, weight in weights.items()) / sum(weights.values())
    assert mean == pytest.approx(0.392449, abs=5e-7)
