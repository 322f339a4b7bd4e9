"""Every classifier reduced to what metrics need: counts of gold and system classes in each case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from plumbline.align.alignment import NO_ANSWER, Alignment, ConfusionCells
from plumbline.align.class_counts import FEW_LABELS, GOLD_CLASS, NO_CLASS, SYSTEM_CLASS, count_labels
from plumbline.align.class_paths import ClassPaths
from plumbline.align.items import GoldItems, answer_notices, gold_beside, labels_alone, match, prepare_items
from plumbline.align.label_names import (
    are_foreign,
    are_numbers,
    have_fractions,
    place_in_order,
    plain_label,
    respelled,
    unfamiliar,
)
from plumbline.align.positives import spelling_notices, unknown_labels
from plumbline.align.probabilities import most_probable
from plumbline.errors import BadData, BadUsage, labelling, notices, usage
from plumbline.schema import LIST, VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.align.items import Matched
    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table


@dataclass(frozen=True, kw_only=True)
class AlignedLabels(Alignment):
    """All classifiers against one gold."""

    task: ClassVar[str] = "classification"
    gold: GoldItems
    classes: tuple[str, ...]
    """Every class, in its order."""
    declared: bool
    """Whether the classes were given: then exactly these are counted in every case."""
    cells: pl.DataFrame
    """`list, gold, system, n`: how often a class was taken for another; of single labels only."""
    by_class: pl.DataFrame
    """`list, class, tp, fp, fn`: a row for each class that occurs in the list."""
    by_item: pl.DataFrame
    """`list, tp, fp, fn, open, items`: how many items of a list have these counts, `open` without an answer; of several labels
    only."""
    sizes: NDArray[np.int64]
    """The items of each case."""
    paths: ClassPaths | None = None
    """How the name of a class tells which classes are above it, if they form a hierarchy."""
    labels: tuple[pl.Series, ...] = ()
    """The labels that each system gives to the items of the gold, null for none; only where items were kept."""

    @property
    def several(self) -> bool:
        """Whether an item may have several labels."""
        return isinstance(self.gold.values.dtype, pl.List)

    def confusion_cells(self) -> ConfusionCells | None:
        """How often each class was taken for each; there is no such table where items have several labels."""
        if self.several:
            return None
        no_answer = _no_answer_beside(self.classes)
        names = {**dict(enumerate(self.classes)), NO_CLASS: no_answer}
        cells = self.cells.select(
            LIST,
            pl.col(GOLD_CLASS).replace_strict(names, return_dtype=pl.String).alias("gold"),
            pl.col(SYSTEM_CLASS).replace_strict(names, return_dtype=pl.String).alias("given"),
            pl.col("n").cast(pl.Int64).alias("count"),
        )
        return ConfusionCells(cells, self.classes, no_answer)


def align_classification(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedLabels:
    """Align one classifier after the other and keep only counts; classes that only systems have come after the gold's."""
    policy = options.policy
    several = options.multilabel or isinstance(gold_table.frame[VALUE].dtype, pl.List)
    gold = _prepared(gold_table, policy, several=several)
    declared = options.classes or gold.classes or None
    columns = declared or tuple(sorted(_distinct(gold.values), key=place_in_order))
    paths = None if options.hierarchy is None else ClassPaths(options.hierarchy)
    if paths is not None:
        gold, declared = _in_hierarchy(gold, paths), declared and paths.with_above(declared)

    def prepared(table: Table) -> GoldItems:
        made = _prepared(table, policy, several=several)
        return made if paths is None else _in_hierarchy(made, paths)

    seen = _Classes.of(gold, declared)
    names, tags, pairs, missing, messages = [], [], [], [], list(gold.notices)
    for name, output in outputs:
        plain = labels_alone(most_probable(output, columns))
        if isinstance(plain.frame[VALUE].dtype, pl.List) and not several:
            raise BadUsage(usage.bad_object(f"{output.label}: several labels per item", "a gold with several labels as well"))
        here = gold_beside(gold, output, prepared)
        matched = match(here, plain, policy, several=several)
        labels, notes = _labels(here, output, matched, policy)
        same = respelled(_distinct(labels), seen.names)
        labels = _replaced(labels, same) if paths is None else paths.closed(_replaced(labels, same), output.label)
        pairs.append((here, labels))
        missing.append(~matched.cases)
        messages += [*output.notices, *matched.notices, *notes]
        messages += [*spelling_notices(output.label, same), *seen.odd(labels, here, output.label)]
        seen = seen.with_more(labels)
        names.append(name)
        tags.append(output.tag)
    ordered = seen.in_order()
    made = [count_labels(*pair, ordered.names, number * len(gold.cases)) for number, pair in enumerate(pairs)]
    cells, by_class, by_item = (pl.concat(parts, how="vertical") for parts in zip(*made, strict=True))
    sizes = np.bincount(gold.case, gold.times, len(gold.cases)).astype(np.int64)
    return AlignedLabels(
        gold=gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=policy,
        notices=tuple(messages),
        classes=ordered.names,
        declared=declared is not None,
        cells=cells,
        by_class=by_class,
        by_item=by_item,
        sizes=sizes,
        paths=paths,
        labels=tuple(labels for _, labels in pairs) if options.items else (),
    )


def _prepared(gold_table: Table, policy: Policy, *, several: bool) -> GoldItems:
    """The gold with its labels as text, in one spelling."""
    labels, same = _in_one_spelling(_text(gold_table.frame[VALUE]))
    spelled = (*gold_table.notices, *spelling_notices(gold_table.label, same))
    text = replace(gold_table, frame=gold_table.frame.with_columns(labels), notices=spelled)
    return prepare_items(text, policy, several=several)


def _in_hierarchy(gold: GoldItems, paths: ClassPaths) -> GoldItems:
    """The gold with the classes above those of each item; a notice if no class is above another."""
    values = paths.closed(gold.values, gold.label)
    flat = not any(paths.separator in name for name in _distinct(values))
    idle = (notices.flat_hierarchy(gold.label, paths.separator),) if flat else ()
    return replace(gold, values=values, notices=(*gold.notices, *idle))


def _no_answer_beside(classes: tuple[str, ...]) -> str:
    """A text for no answer that is no class."""
    text, number = NO_ANSWER, 1
    while text in classes:
        number += 1
        text = f"{NO_ANSWER} ({number})"
    return text


@dataclass(frozen=True)
class _Classes:
    """The classes seen so far."""

    names: tuple[str, ...]
    declared: bool

    @classmethod
    def of(cls, gold: GoldItems, declared: tuple[str, ...] | None) -> _Classes:
        seen = _distinct(gold.values)
        outside = [] if declared is None else unfamiliar(seen, declared)
        if outside:
            raise BadData(labelling.undeclared_class(gold.label, outside, list(declared or ())))
        return cls(declared or tuple(seen), declared is not None)

    def with_more(self, labels: pl.Series) -> _Classes:
        return replace(self, names=tuple(dict.fromkeys((*self.names, *_distinct(labels)))))

    def odd(self, labels: pl.Series, gold: GoldItems, path: str) -> list[Diagnostic]:
        """Labels that the gold does not have."""
        known, given = list(self.names) if self.declared else _distinct(gold.values), _distinct(labels)
        strange = unfamiliar(given, known)
        if strange and len(strange) == len(given):
            numbers = are_numbers(given) and (have_fractions(given) or not are_numbers(known))
            if are_foreign(given, known, numbers=numbers):
                raise BadData(labelling.no_common_label(path, gold.label, known, given, numbers=numbers))
        return unknown_labels(path, strange, known, "always wrong")

    def in_order(self) -> _Classes:
        """As they were given, else numbers by value and words by alphabet."""
        if self.declared:
            return self
        return replace(self, names=tuple(sorted(self.names, key=place_in_order)))


def is_numeric(names: Iterable[str]) -> bool:
    """Whether all labels are numbers."""
    return not any(is_word for is_word, _, _ in map(place_in_order, names))


def _distinct(labels: pl.Series) -> list[str]:
    flat = labels.explode() if isinstance(labels.dtype, pl.List) else labels
    if len(flat) <= FEW_LABELS:
        return [str(name) for name in dict.fromkeys(flat.to_list()) if name is not None]
    return [str(name) for name in flat.drop_nulls().unique(maintain_order=True).to_list()]


def _text(labels: pl.Series) -> pl.Series:
    """Labels as text; grades of TREC files are labels too, and 1.0 is the class 1 there."""
    if isinstance(labels.dtype, pl.List):
        return labels
    integers = labels.cast(pl.Int64, strict=False) if labels.dtype.is_float() else labels
    return (integers if bool((integers == labels).all()) else labels).cast(pl.String)


def _in_one_spelling(labels: pl.Series) -> tuple[pl.Series, dict[str, str]]:
    """The labels of the gold, of which `1.0` is `1` if there is a `1`; and which of them were written otherwise."""
    names = _distinct(labels)
    same = respelled(names, [name for name in names if plain_label(name) == name])
    return _replaced(labels, same), same


def _replaced(labels: pl.Series, spellings: dict[str, str]) -> pl.Series:
    """The labels with some of them in another spelling."""
    if not spellings:
        return labels
    return labels.list.eval(pl.element().replace(spellings)) if isinstance(labels.dtype, pl.List) else labels.replace(spellings)


def _labels(gold: GoldItems, read: Table, matched: Matched, policy: Policy) -> tuple[pl.Series, list[Diagnostic]]:
    """The system's label of each item of the gold; null where it gives none."""
    labels = _text(matched.frame[VALUE])
    if not matched.in_gold_order:
        numbered = pl.DataFrame([pl.Series("item", matched.item), labels])
        every = pl.DataFrame({"item": np.arange(len(gold.items))})
        labels = every.join(numbered, on="item", how="left", maintain_order="left")[VALUE]
    answered = labels.is_not_null().to_numpy()
    return labels, answer_notices(gold, read, matched, answered, policy, task_named("classification").item_rules["wrong"])
