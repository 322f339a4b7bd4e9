"""The scores that `unanimity.py` looks at, from the folder of reference data, and what is said about each pair of systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from printed import percent, shown

import plumbline
from plumbline.comparison.concordance import PairClass, classes
from plumbline.comparison.generalise.prediction import differences, quality
from plumbline.comparison.reading import read_scores
from plumbline.comparison.unanimity.unanimity import THRESHOLD, unanimity
from plumbline.comparison.weighting.weighting import win_intervals

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

TWO: Final = 2
NEEDED: Final = ("replab2013_topic_detection", "weps", "robust2003", "urbano_topic_by_system")
"""The folders of data of all collections."""
WEB: Final = {"AP": "ap", "P@10": "p10", "nDCG@20": "ndcg20", "ERR@20": "err20"}


@dataclass(frozen=True, eq=False)
class Collection:
    """Systems, cases and metrics, and what is said about each pair of systems once; every list has an entry for each pair."""

    name: str
    cube: Cube

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of both systems."""
        return np.triu_indices(len(self.cube.systems), 1)

    @cached_property
    def gain(self) -> Numbers:
        """The difference of F (alpha = 0.5) of two metrics, or of the harmonic mean of several."""
        return np.asarray(differences(quality(self.cube))[self.pairs])

    @cached_property
    def uir(self) -> Numbers:
        """UIR of the first system over the second."""
        return np.asarray(unanimity(self.cube).uir[self.pairs])

    @cached_property
    def always(self) -> NDArray[np.int8]:
        """1 if the first is better for every weighting, -1 if the second is, else 0.

        Two metrics: by F for every alpha. More: by every weighted mean, so that no metric has a lower mean and one a higher.
        """
        if len(self.cube.metrics) == TWO:
            better = win_intervals(self.cube).always
        else:
            apart = np.array([differences(values) for values in self.cube.signed])
            better = np.asarray((apart >= 0).all(axis=0) & (apart > 0).any(axis=0))
        return np.asarray(better[self.pairs].astype(np.int8) - better.T[self.pairs])

    @cached_property
    def kind(self) -> NDArray[np.int8]:
        """Concordant, opposite or not significant (Wilcoxon, p < 0.05)."""
        return np.asarray(classes(self.cube).codes[self.pairs])

    def means(self, where: Flags) -> tuple[int, float, float]:
        """How many pairs, and their mean difference of F and UIR, both in the direction in which F grows."""
        size = np.abs(self.gain[where])
        agreed = np.where(self.gain < 0, -self.uir, self.uir)[where]
        return (len(size), float(size.mean()), float(agreed.mean())) if len(size) else (0, np.nan, np.nan)

    def beyond(self, threshold: float) -> dict[str, float]:
        """Figure 10: of the pairs with this UIR or more, in its direction, the share that meets each condition."""
        accepted = np.abs(self.uir) >= threshold
        sign = np.sign(self.uir)
        message: dict[str, Flags] = {
            "opposite": self.kind == PairClass.OPPOSITE,
            "concordant": self.kind == PairClass.CONCORDANT,
            "all": self.always * sign > 0,
            "F": self.gain * sign > 0,
        }
        shares = {name: float(result[accepted].mean()) if accepted.any() else np.nan for name, result in message.items()}
        return {"accepted": float(accepted.mean()), **shares}

    @cached_property
    def found(self) -> dict[str, str]:
        """All numbers, as they are printed."""
        groups = {
            "all": self.always != 0,
            "other": self.always == 0,
            "concordant": self.kind == PairClass.CONCORDANT,
            "opposite": self.kind == PairClass.OPPOSITE,
            "none": self.kind == PairClass.NON_SIGNIFICANT,
        }
        made = {"systems": str(len(self.cube.systems)), "cases": str(len(self.cube.cases)), "pairs": str(len(self.gain))}
        for name, where in groups.items():
            count, gain, uir = self.means(where)
            made |= {f"{name}: pairs": str(count), f"{name}: dF": shown(gain), f"{name}: UIR": shown(uir)}
        made |= {f"at: {name}": percent(value) for name, value in self.beyond(THRESHOLD).items()}
        sign = np.where(self.uir < 0, -1.0, 1.0)
        varied = np.std(np.abs(self.uir)) > 0 and np.std(self.gain * sign) > 0
        made["correlation"] = shown(float(np.corrcoef(np.abs(self.uir), self.gain * sign)[0, 1]) if varied else np.nan)
        return made


def replab(folder: Path) -> Cube:
    """Reliability and Sensitivity of 24 systems on 61 entities, as the organisers computed them."""
    files = sorted((folder / "replab2013_topic_detection" / "evaluation-results").iterdir())
    tables = [
        pl.read_csv(path, separator="\t").select(
            pl.lit(path.name).alias("system"), pl.col("entity").alias("case"), "Reliability", "Sensitivity"
        )
        for path in files
    ]
    wide = pl.concat(tables).filter(pl.col("case") != "average")
    return read_scores(wide)[0]


def weps(folder: Path) -> Cube:
    """Extended BCubed precision and recall of three baselines (49 names) and one system (43 names), by the official scorer."""
    path = folder / "weps" / "expected" / "weps1_train_official_scorer_fullprec.tsv"
    wide = pl.read_csv(path, separator="\t").select("system", pl.col("topic").alias("case"), "BEP", "BER")
    return read_scores(wide)[0]


def robust(folder: Path, metrics: tuple[str, str]) -> Cube:
    """17 runs on 100 topics, evaluated here."""
    runs = {path.name.split(".")[1]: path for path in sorted((folder / "robust2003" / "runs").glob("input.*.gz"))}
    scores = plumbline.evaluate(folder / "robust2003" / "robust03_qrels.txt", runs, list(metrics), missing="worst")
    return read_scores(scores, metrics=metrics)[0]


def web(folder: Path, year: int, metrics: tuple[str, ...]) -> Cube:
    """A web track: a matrix of topics and systems for each metric."""
    matrices = folder / "urbano_topic_by_system" / "sigir2018"
    return read_scores({metric: matrices / f"web{year}_{WEB[metric]}.csv" for metric in metrics})[0]


def domains(cube: Cube) -> dict[str, Cube]:
    """The four domains of RepLab as test beds of the HAC systems."""
    some = cube.only(systems=[name for name in cube.systems if "_HAC_" in name])
    made = {}
    for domain in sorted({case[6:9] for case in some.cases}):
        at = [number for number, case in enumerate(some.cases) if case[6:9] == domain]
        made[domain] = replace(some, cases=tuple(some.cases[number] for number in at), values=some.values[:, :, at])
    return made


def collections(folder: Path) -> list[Collection]:
    """All of them."""
    return [
        Collection("RepLab R, S", replab(folder)),
        Collection("WePS-1a B3", weps(folder)),
        Collection("robust P, R", robust(folder, ("SetP", "SetR"))),
        Collection("robust P@10, R@1000", robust(folder, ("P@10", "R@1000"))),
        *(Collection(f"web {year} AP, P@10", web(folder, year, ("AP", "P@10"))) for year in (2010, 2011, 2012)),
        *(Collection(f"web {year} nDCG, ERR", web(folder, year, ("nDCG@20", "ERR@20"))) for year in (2010, 2011, 2012)),
        *(Collection(f"web {year} all four", web(folder, year, tuple(WEB))) for year in (2010, 2011, 2012)),
    ]
