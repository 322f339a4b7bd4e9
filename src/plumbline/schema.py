"""Names, types and meaning of the columns of every table that passes from one stage to the next."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from plumbline.lazily import pl

CASE: Final = "case"
"""The test case (topic, query) an item belongs to: text in what was read, a code into the gold's cases afterwards."""
ITEM: Final = "item"
"""The document, passage or object: text, compared byte by byte."""
VALUE: Final = "value"
"""What was read: the score in a system output, the grade in the gold; in Scores, the value of the metric."""
SCORE: Final = "score"
"""In the output of a filter or classifier: how sure it is that an item is positive."""
SUBTOPIC: Final = "subtopic"
"""In judgements of diversity: the aspect of the case that a grade is about."""
STRATUM: Final = "stratum"
"""In a gold of which a sample was judged: the part of the pool that an item belongs to."""
PROBABILITY: Final = "probability"
"""In such a gold: how probably an item was judged."""
TAG: Final = "tag"
"""The run tag of a TREC run or the system column of a table."""

UNIT: Final = "unit"
"""In the gold: the cluster that an item belongs to, such as its user or document, where a comparison asks for one."""

LIST: Final = "list"
"""One ranking: a number for each pair of system and case, system by system, cases in gold order."""
RANK: Final = "rank"
"""Position in the ranking, from 1."""
GRADE: Final = "grade"
"""The judgement of an item; negative means in the pool but not judged."""
SHOWN: Final = "shown"
"""How many items the ranking has."""
WEIGHT: Final = "weight"
"""The probability of this row, below 1 only where equal scores leave the rank open; of a clustering, how far an item belongs
to the cluster."""
GROUP: Final = "group"
"""The tie group of a row, numbered within all lists."""
OFFSET: Final = "offset"
"""How many items of the list come before the tie group."""
SIZE: Final = "size"
"""How many items the tie group has."""
TIMES: Final = "times"
"""How many items a row stands for, where equal items were counted before; 1 each if there is no such column."""

SYSTEM: Final = "system"
RUN: Final = "run"
"""In a table of scores: which of several runs of a system a value comes from, such as the seed of its training."""
FOLD: Final = "fold"
"""In a table of scores, or in an output: the part of the data that was tested, in cross-validation."""
REPEAT: Final = "repeat"
"""In folds, and in outputs over folds: which of several splits of the data a fold belongs to."""
PART: Final = "part"
"""In the same: whether the learner of the fold was tested on an item (`test`) or had seen it (`train`)."""
METRIC: Final = "metric"
NUMBER: Final = "number"
"""The number of an item of the gold."""
LABEL: Final = "label"
"""The name of a cluster or class."""
START: Final = "start"
"""Where a span begins in its document: the number of its first character, or of its first token, from 0."""
END: Final = "end"
"""Where a span ends: the number of the first character, or token, after it."""
FILLER: Final = "filler"
"""In a table of slots: the value of a field, as text."""
RECORD: Final = "record"
"""In the same: the number of the record of its document that a field belongs to, from 0."""
HEAD: Final = "head"
TAIL: Final = "tail"
"""In a table of relations: what is related to what, as text, or as START-END."""
CLASS: Final = "class"
"""The number of a class among all classes; -1 stands for no answer."""

ONLY_CASE: Final = "whole"
"""The name of the only case, where the data has no cases."""
ALL: Final = "all"
"""The case name of a mean in text formats."""

TableKind = Literal["scores", "labels", "clusters", "levels", "spans"]
"""What a table holds beside case and item.

- `scores`: the grades of the gold, the scores of a ranking
- `labels`: the labels of a filter or classifier, one or several for an item
- `clusters`: labels that are names of clusters; a list in a dict holds the items of a cluster
- `levels`: an organization, with a level as its value and the cluster as its `label`
- `spans`: stretches of documents, with `start` and `end` in place of an item and the type as their value; or fields of records
  with `record` and `filler`, or relations with `head` and `tail`
"""


class MeanRow(NamedTuple):
    """A row of the table of means."""

    system: str
    metric: str
    value: float | None
    cases: int
    missing: int
    undefined: int


def mean_schema() -> dict[str, type[pl.DataType]]:
    """The columns of the table of means."""
    counts = dict.fromkeys(("cases", "missing", "undefined"), pl.Int64)
    return {SYSTEM: pl.String, METRIC: pl.String, VALUE: pl.Float64, **counts}


def per_case_schema() -> dict[str, type[pl.DataType]]:
    """The columns of the table of all cases."""
    return {SYSTEM: pl.String, CASE: pl.String, METRIC: pl.String, VALUE: pl.Float64}
