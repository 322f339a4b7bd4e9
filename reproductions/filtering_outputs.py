"""The filters of two collections: labels of every item, with the outputs that ignore the gold among them."""

from __future__ import annotations

import io
import lzma
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

import plumbline
from plumbline.io.read import read
from plumbline.io.table import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from plumbline import Study

CUTS: Final = (None, 300, 100)
"""Rankings are made filters by taking the whole list, or the first documents of each topic."""
FEWEST_ITEMS: Final = 10
"""An annotator with fewer items makes no case."""
SEED: Final = 0
ZERO, PLACEBO, RANDOM = "zero output", "placebo", "random"
PLAIN: Final = ("Accuracy", "NUtility", "Lam", "F(P,R)", "F(Rel,Sens)")
SMOOTHED: Final = {
    "Accuracy": "Accuracy(smooth=noninformative)",
    "NUtility": "NUtility(smooth=noninformative)",
    "Lam": "Lam(smooth=noninformative)",
    "F(P,R)": "F(P(smooth=noninformative),R(smooth=noninformative))",
    "F(Rel,Sens)": "F(Rel(smooth=noninformative),Sens(smooth=noninformative))",
}


@dataclass(frozen=True)
class Filters:
    """A gold and systems as tables of `case, item, label`, all with the same items."""

    name: str
    gold: pl.DataFrame
    systems: Mapping[str, pl.DataFrame]

    def with_baselines(self, *, random: bool) -> Filters:
        """With an output that accepts nothing, one that accepts everything and, if asked for, one that accepts half by lot."""
        half = np.random.default_rng(SEED).random(len(self.gold)) < 1 / 2
        made = {ZERO: np.zeros(len(self.gold)), PLACEBO: np.ones(len(self.gold)), **({RANDOM: half} if random else {})}
        labels = {name: self.gold.with_columns(label=pl.Series(column).cast(pl.Int64)) for name, column in made.items()}
        return Filters(self.name, self.gold, {**self.systems, **labels})

    def study(self, metrics: tuple[str, ...]) -> Study:
        """The metrics on all systems."""
        return plumbline.meta(None, metrics, gold=self.gold, systems=dict(self.systems), task="filtering", positive="1")

    def only(self, *names: str) -> Filters:
        """Some of the systems."""
        return Filters(self.name, self.gold, {name: self.systems[name] for name in names})

    def means(self, metrics: tuple[str, ...]) -> dict[tuple[str, str], float]:
        """The mean of each system and metric."""
        scores = plumbline.evaluate(self.gold, dict(self.systems), metrics, task="filtering", positive="1")
        return {
            (system, metric): value for system, metric, value in scores.mean.select("system", "metric", "value").iter_rows()
        }


def collections(folder: Path) -> list[Filters]:
    """Both collections."""
    return [reviews(folder / "clef_tar2017"), arguments(folder / "semeval2018_task12")]


def reviews(folder: Path) -> Filters:
    """CLEF 2017: which abstracts belong into a systematic review? Runs are rankings, which are cut; two of them are equal."""
    gold = _table(folder / "qrel_abs_test.txt.xz").select("case", "item", label=(pl.col("value") > 0).cast(pl.Int64))
    systems = {}
    for path in sorted((folder / "runs").glob("*.xz")):
        if path.name.startswith("iiit.run2"):
            continue
        shown = _table(path).with_columns(place=pl.int_range(1, pl.len() + 1).over("case"))
        for cut in CUTS:
            chosen = shown if cut is None else shown.filter(pl.col("place") <= cut)
            name = path.name.removesuffix(".xz") + ("" if cut is None else f", first {cut}")
            systems[name] = _labelled(gold, chosen)
    return Filters("clef_tar2017", gold, systems)


def _table(path: Path) -> pl.DataFrame:
    """`case, item, value` of a file of TREC, in the order of the file; one run has a tag for each topic, which are dropped."""
    text = lzma.decompress(path.read_bytes()).decode()
    if path.name.startswith("amc"):
        text = "".join(f"{line.rsplit(None, 1)[0]} amc\n" for line in text.splitlines())
    result = read(io.BytesIO(text.encode()), "output" if "run" in str(path.parent.name) else "gold", ReadOptions())
    return result.frame.with_columns(pl.col("case").cast(pl.String))


def _labelled(gold: pl.DataFrame, chosen: pl.DataFrame) -> pl.DataFrame:
    """Every item of the gold with 1 if it was chosen."""
    result = chosen.select("case", "item", label=pl.lit(1, pl.Int64)).unique()
    joined = gold.drop("label").join(result, on=["case", "item"], how="left", maintain_order="left")
    return joined.with_columns(pl.col("label").fill_null(0))


def arguments(folder: Path) -> Filters:
    """SemEval 2018: which of two warrants fits? A case is what one annotator made; warrant 1 is taken as the positive class."""
    gold = _answers(folder / "truth.txt")
    gold = gold.filter(pl.len().over("case") >= FEWEST_ITEMS)
    systems = {}
    for path in sorted((folder / "submissions").glob("*.txt")):
        systems[path.stem] = gold.drop("label").join(_answers(path), on=["case", "item"], how="left", maintain_order="left")
    return Filters("semeval2018_task12", gold, systems)


def _answers(path: Path) -> pl.DataFrame:
    """`case, item, label`: the annotator is the last part of the name of an item."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    names = [item.rsplit("_", 1)[1] for item, _ in lines]
    return pl.DataFrame({"case": names, "item": [item for item, _ in lines], "label": [int(label) for _, label in lines]})
