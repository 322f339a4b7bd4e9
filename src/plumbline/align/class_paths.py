"""Class names that are paths, such as a/b: an item of a class also belongs to every class above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.class_counts import NO_CLASS
from plumbline.errors import BadData, labelling
from plumbline.lazily import pl
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class ClassPaths:
    """How the name of a class tells which classes are above it."""

    separator: str

    def upwards(self, name: str) -> list[str]:
        """The classes above, from the top, and the class itself."""
        parts = name.split(self.separator)
        return [self.separator.join(parts[:depth]) for depth in range(1, len(parts) + 1)]

    def with_above(self, names: Iterable[str]) -> tuple[str, ...]:
        """These classes and all classes above them; a class comes before those below it."""
        return tuple(dict.fromkeys(one for name in names for one in self.upwards(name)))

    def closed(self, labels: pl.Series, path: str) -> pl.Series:
        """The labels of each item with all classes above them; null stays null.

        Raises:
            BadData: If a part of a name is empty.
        """
        rows = pl.DataFrame({"item": np.arange(len(labels)), "label": labels})
        flat = (rows.explode("label") if isinstance(labels.dtype, pl.List) else rows).drop_nulls("label")
        names = [str(name) for name in flat["label"].unique(maintain_order=True)]
        broken = [name for name in names if not all(part.strip() for part in name.split(self.separator))]
        if broken:
            raise BadData(labelling.empty_part(path, broken, self.separator))
        pairs = [(name, one) for name in names for one in self.upwards(name)]
        above = pl.DataFrame(pairs, schema={"label": pl.String, "class": pl.String}, orient="row")
        every = flat.join(above, on="label", how="inner", maintain_order="left_right").unique(
            ["item", "class"], maintain_order=True
        )
        lists = every.group_by("item", maintain_order=True).agg("class")
        joined = rows.join(lists, on="item", how="left", maintain_order="left")
        nothing = pl.lit([], dtype=pl.List(pl.String))
        filled = pl.when(pl.col("label").is_null()).then(None).otherwise(pl.col("class").fill_null(nothing))
        return joined.select(filled.alias(labels.name)).to_series()

    def parents(self, classes: tuple[str, ...]) -> list[int]:
        """The number of the class right above each class; -1 at the top."""
        numbers = {name: number for number, name in enumerate(classes)}
        above = (self.upwards(name)[-2:-1] for name in classes)
        return [numbers[one[0]] if one else NO_CLASS for one in above]
