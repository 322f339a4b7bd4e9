"""Every classifier reduced to what metrics need: counts of gold and system classes in each case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from plumbline.align.alignment import NO_ANSWER, Alignment, ConfusionCells
from plumbline.align.class_counts import NO_CLASS, as_column, coded, count_labels, stacked
from plumbline.align.class_paths import ClassPaths
from plumbline.align.items import GoldItems, answer_notices, gold_of, labels_alone, match, prepare_items
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
from plumbline.deferred import deferring, later, replaced
from plumbline.errors import BadData, BadUsage, labelling, notices, usage
from plumbline.io.labelled import CodedLabels
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import LIST, VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.align.class_counts import ClassCells, ClassRows, ItemRows, Labels
    from plumbline.align.items import Matched
    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table


@deferring("labels")
@dataclass(frozen=True, kw_only=True)
class AlignedLabels(Alignment):
    """All classifiers against one gold."""

    task: ClassVar[str] = "classification"
    gold: GoldItems
    classes: tuple[str, ...]
    """Every class, in its order."""
    declared: bool
    """Whether the classes were given: then exactly these are counted in every case."""
    cells: ClassCells
    """Of single labels only."""
    by_class: ClassRows
    """A row for each class that occurs in the list."""
    by_item: ItemRows
    """Of several labels only."""
    sizes: NDArray[np.int64]
    """The items of each case."""
    paths: ClassPaths | None = None
    """How the name of a class tells which classes are above it, if they form a hierarchy."""
    labels: tuple[pl.Series, ...] = ()
    """The labels that each system gives to the items of the gold, null for none; only where items were kept."""

    @property
    def several(self) -> bool:
        """Whether an item may have several labels."""
        return self.gold.labelled is None and isinstance(self.gold.values.dtype, pl.List)

    def confusion_cells(self) -> ConfusionCells | None:
        """How often each class was taken for each; there is no such table where items have several labels."""
        if self.several:
            return None
        no_answer = _no_answer_beside(self.classes)
        names = {**dict(enumerate(self.classes)), NO_CLASS: no_answer}
        gold, given = (
            pl.Series(name, codes, dtype=pl.Int64).replace_strict(names, return_dtype=pl.String)
            for name, codes in (("gold", self.cells.gold), ("given", self.cells.system))
        )
        cells = pl.DataFrame([pl.Series(LIST, self.cells.list), gold, given, pl.Series("count", self.cells.n.astype(np.int64))])
        return ConfusionCells(cells, self.classes, no_answer)


def align_classification(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedLabels:
    """Align one classifier after the other and keep only counts; classes that only systems have come after the gold's."""
    policy = options.policy
    several = options.multilabel or _are_lists(gold_table)
    paths = None if options.hierarchy is None else ClassPaths(options.hierarchy)
    gold, wanted = plainly = _prepared(gold_table, policy, several=several)
    declared = options.classes or gold.classes or None
    columns = declared or tuple(sorted(_distinct(wanted), key=place_in_order))
    if paths is not None:
        (gold, wanted), declared = _in_hierarchy(plainly, paths), declared and paths.with_above(declared)

    def prepared(table: Table) -> _Gold:
        made = _prepared(table, policy, several=several)
        return made if paths is None else _in_hierarchy(made, paths)

    seen = _Classes.of(gold, wanted, declared)
    names, tags, pairs, missing, messages = [], [], [], [], list(gold.notices)
    for name, output in outputs:
        plain = labels_alone(most_probable(output, columns))
        if not several and _are_lists(plain):
            raise BadUsage(usage.bad_object(f"{output.label}: several labels per item", "a gold with several labels as well"))
        here, right = (gold, wanted) if (other := gold_of(output)) is None else prepared(other)
        matched = match(here, plain, policy, several=several)
        labels, notes = _labels(here, output, matched, policy)
        same = respelled(_distinct(labels), seen.names)
        labels = _replaced(labels, same) if paths is None else paths.closed(as_column(_replaced(labels, same)), output.label)
        pairs.append((here, right, labels))
        missing.append(~matched.cases)
        messages += [*output.notices, *matched.notices, *notes]
        messages += [*spelling_notices(output.label, same), *seen.odd(labels, right, here.label, output.label)]
        seen = seen.with_more(labels)
        names.append(name)
        tags.append(output.tag)
    ordered = seen.in_order()
    made = [count_labels(*pair, ordered.names, number * len(gold.cases)) for number, pair in enumerate(pairs)]
    cells, by_class, by_item = map(stacked, zip(*made, strict=True))
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
        labels=later(lambda: tuple(as_column(labels) for *_, labels in pairs)) if options.items else (),
    )


class _Gold(NamedTuple):
    """The items of the gold, and their labels as text, in one spelling."""

    items: GoldItems
    labels: Labels


def _are_lists(table: Table) -> bool:
    """Whether an item may have several labels."""
    return table.labelled is None and isinstance(table.frame[VALUE].dtype, pl.List)


def _prepared(gold_table: Table, policy: Policy, *, several: bool) -> _Gold:
    """The gold with its labels."""
    rows = gold_table.labelled
    if rows is not None and not several and not rows.repeated:
        labels, same = _in_one_spelling(rows.labels)
        made = prepare_items(replaced(gold_table, notices=_spelled(gold_table, same)), policy, several=False)
        return _Gold(replaced(made, values=later(lambda: as_column(labels))), labels)
    column = _text(gold_table.frame[VALUE])
    labels, same = _in_one_spelling(column if isinstance(column.dtype, pl.List) else coded(column))
    frame = gold_table.frame.with_columns((as_column(labels) if same else column).alias(VALUE))
    items = prepare_items(replace(gold_table, frame=frame, notices=_spelled(gold_table, same)), policy, several=several)
    return _Gold(items, items.values if isinstance(items.values.dtype, pl.List) else coded(items.values))


def _spelled(gold_table: Table, same: dict[str, str]) -> tuple[Diagnostic, ...]:
    """What was noticed, and labels that were written otherwise."""
    return (*gold_table.notices, *spelling_notices(gold_table.label, same))


def _in_hierarchy(gold: _Gold, paths: ClassPaths) -> _Gold:
    """The gold with the classes above those of each item; a notice if no class is above another."""
    values = paths.closed(as_column(gold.labels), gold.items.label)
    flat = not any(paths.separator in name for name in _distinct(values))
    idle = (notices.flat_hierarchy(gold.items.label, paths.separator),) if flat else ()
    return _Gold(replace(gold.items, values=values, notices=(*gold.items.notices, *idle), labelled=None), values)


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
    def of(cls, gold: GoldItems, labels: Labels, declared: tuple[str, ...] | None) -> _Classes:
        seen = _distinct(labels)
        outside = [] if declared is None else unfamiliar(seen, declared)
        if outside:
            raise BadData(labelling.undeclared_class(gold.label, outside, list(declared or ())))
        return cls(declared or tuple(seen), declared is not None)

    def with_more(self, labels: Labels) -> _Classes:
        return replace(self, names=tuple(dict.fromkeys((*self.names, *_distinct(labels)))))

    def odd(self, labels: Labels, right: Labels, gold: str, path: str) -> list[Diagnostic]:
        """Labels that the gold does not have."""
        known, given = list(self.names) if self.declared else _distinct(right), _distinct(labels)
        strange = unfamiliar(given, known)
        if strange and len(strange) == len(given):
            numbers = are_numbers(given) and (have_fractions(given) or not are_numbers(known))
            if are_foreign(given, known, numbers=numbers):
                raise BadData(labelling.no_common_label(path, gold, known, given, numbers=numbers))
        return unknown_labels(path, strange, known, "always wrong")

    def in_order(self) -> _Classes:
        """As they were given, else numbers by value and words by alphabet."""
        if self.declared:
            return self
        return replace(self, names=tuple(sorted(self.names, key=place_in_order)))


def is_numeric(names: Iterable[str]) -> bool:
    """Whether all labels are numbers."""
    return not any(is_word for is_word, _, _ in map(place_in_order, names))


def _distinct(labels: Labels) -> list[str]:
    """The different labels, in order of appearance."""
    return list(labels.names) if isinstance(labels, CodedLabels) else list(coded(labels.explode()).names)


def _text(labels: pl.Series) -> pl.Series:
    """Labels as text; grades of TREC files are labels too, and 1.0 is the class 1 there."""
    if isinstance(labels.dtype, pl.List):
        return labels
    integers = labels.cast(pl.Int64, strict=False) if labels.dtype.is_float() else labels
    return (integers if bool((integers == labels).all()) else labels).cast(pl.String)


def _in_one_spelling(labels: Labels) -> tuple[Labels, dict[str, str]]:
    """The labels of the gold, of which `1.0` is `1` if there is a `1`; and which of them were written otherwise."""
    names = _distinct(labels)
    same = respelled(names, [name for name in names if plain_label(name) == name])
    return _replaced(labels, same), same


def _replaced(labels: Labels, spellings: dict[str, str]) -> Labels:
    """The labels with some of them in another spelling."""
    if not spellings:
        return labels
    if not isinstance(labels, CodedLabels):
        return labels.list.eval(pl.element().replace(spellings))
    return labels.renamed([spellings.get(name, name) for name in labels.names])


def _labels(gold: GoldItems, read: Table, matched: Matched, policy: Policy) -> tuple[Labels, list[Diagnostic]]:
    """The system's label of each item of the gold; none where it gives none."""
    labels = _matched_labels(gold, matched)
    answered = labels.codes >= 0 if isinstance(labels, CodedLabels) else labels.is_not_null().to_numpy()
    return labels, answer_notices(gold, read, matched, answered, policy, task_named("classification").item_rules["wrong"])


def _matched_labels(gold: GoldItems, matched: Matched) -> Labels:
    if matched.labels is not None:
        return matched.labels if matched.in_gold_order else matched.labels.spread(matched.item, len(gold.case))
    column = _text(matched.frame[VALUE])
    if not isinstance(column.dtype, pl.List):
        labels = coded(column)
        return labels if matched.in_gold_order else labels.spread(matched.item, len(gold.case))
    if matched.in_gold_order:
        return column
    numbered = pl.DataFrame([pl.Series("item", matched.item), column])
    every = pl.DataFrame({"item": np.arange(len(gold.case))})
    return every.join(numbered, on="item", how="left", maintain_order="left")[VALUE]
