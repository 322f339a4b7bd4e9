"""The shape that the alignments of all tasks share, and the options that they are made with.

Every task has one function `align(gold, outputs, options)` that returns an `Alignment`.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from plumbline.align.policy import Policy
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic

A = TypeVar("A", bound="Alignment")

NO_ANSWER: Final = "(no answer)"
"""The text that stands for no answer among given classes."""


class Gold(Protocol):
    """The gold of any task."""

    @property
    def label(self) -> str:
        """The name of the file or object that it came from."""
        ...

    @property
    def cases(self) -> list[str]:
        """The cases in the order of the file."""
        ...

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """Notices about the gold alone."""
        ...


class ConfusionCells(NamedTuple):
    """The confusion matrices of all lists."""

    cells: pl.DataFrame
    """`list, gold, given, count`: a row for each pair of classes that occurs."""
    classes: tuple[str, ...]
    no_answer: str = NO_ANSWER
    """The text among the given classes that stands for no answer; no class has this name."""


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """All systems aligned with one gold.

    A list is one system on one case; lists are numbered system by system, with cases in the order of the gold.
    """

    task: ClassVar[str]
    gold: Gold
    systems: tuple[str, ...]
    tags: tuple[str | None, ...]
    missing: NDArray[np.bool_]
    """Whether the system of each list lacks its case."""
    policy: Policy
    notices: tuple[Diagnostic, ...]
    """Notices of reading and aligning, those of the gold first."""

    @property
    def cases(self) -> list[str]:
        """Cases in the order of the gold."""
        return self.gold.cases

    def confusion_cells(self) -> ConfusionCells | None:
        """The confusion matrices, for tasks in which an item of the gold has one class."""
        return None

    def with_systems(self, names: Sequence[str]) -> Self:
        """The same alignment with further systems that have every case."""
        present = np.zeros(len(names) * len(self.cases), dtype=np.bool_)
        return replace(
            self,
            systems=(*self.systems, *names),
            tags=(*self.tags, *(None for _ in names)),
            missing=np.concatenate([self.missing, present]),
        )


@dataclass(frozen=True)
class AlignOptions:
    """The decisions of a request that alignment depends on; each task reads those that concern it."""

    policy: Policy = field(default_factory=Policy)
    needs: frozenset[str] = frozenset()
    """The views that the requested metrics read, by the names that their declarations give."""
    items: bool = False
    """Whether to keep which item is which, as explanations of single scores need it."""
    partial: bool = False
    """Whether these are some of the lists only: then facts that matter from some share on are told whatever it is."""
    positive: tuple[str, ...] | None = None
    """Filtering: the labels that mean positive."""
    level: float | None = None
    """Filtering: the grade from which an item of the gold is positive, if it was given."""
    threshold: float | None = None
    """Filtering: the score from which an item counts as positive."""
    classes: tuple[str, ...] | None = None
    """Classification: all classes in their order."""
    multilabel: bool = False
    """Classification: whether an item may have several labels."""
    hierarchy: str | None = None
    """Classification: the text between the parts of a class name that is a path."""
    noise: str | None = None
    """Clustering: the label of items outside every cluster."""
    features: Any = None
    """Clustering: the features of items, as people give them."""
    distances: Any = None
    """Clustering: the distances between items, as people give them."""
    lengths: Any = None
    """Ranking and organization: the number of words of each item, as people give it."""
    pooled: bool = False
    """Extraction: whether the spans of all documents are counted together."""
    max_bytes: int | None = None
    """The largest file of features, distances or lengths that is read."""
    given: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Everything that was given, by the names of the options: what one task alone reads needs no field here."""
