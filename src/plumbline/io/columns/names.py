"""The names that columns may have, by their meaning; nothing here imports a data frame library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.io.table import Role

CASES: Final = (
    *("case", "query_id", "qid", "q_id", "query", "topic", "topic_id", "test_case", "q"),
    *("user_id", "user", "session_id", "session", "fold", "seed"),
)
ITEMS: Final = (
    *("item", "doc_id", "docno", "docid", "doc", "document", "document_id", "item_id", "pid", "corpus_id", "passage_id"),
    *("sample_id", "example_id", "id", "d"),
)
GRADES: Final = (
    *("grade", "relevance", "rel", "label", "judgement", "judgment", "qrel", "y_true", "target", "rating"),
    *("value", "score"),
)
PROBABILITIES: Final = (
    *("score", "y_score", "probability", "prob", "proba", "y_prob", "y_proba", "confidence", "similarity"),
    *("logit", "logits"),
)
SCORES: Final = (*PROBABILITIES, "sim", "prediction", "predicted", "y_pred", "pred", "value", "s")
RANKS: Final = ("rank", "position", "pos")
STRATA: Final = ("stratum", "strata", "stratum_id")
INCLUSIONS: Final = ("inclusion_probability", "inclusion")
SUBTOPICS: Final = ("subtopic", "subtopic_id", "aspect", "intent")
TAGS: Final = ("system", "run", "run_id", "runid", "run_name", "tag", "model")
EVALL: Final = frozenset({"test_case", "id", "value"})
"""The columns of an EvALL file."""
KNOWN: Final = frozenset(CASES + ITEMS + GRADES + SCORES + RANKS + TAGS)
"""Every column name of a ranking."""

_ANY_LABELS: Final = ("label", "labels", "class", "classes", "category", "answer", "y")
_TRUE_LABELS: Final = ("y_true", "true_label", "gold_label", "gold")
_PREDICTED_LABELS: Final = ("prediction", "predicted", "predicted_label", "y_pred", "pred")
LABELS: Final[dict[Role, tuple[str, ...]]] = {
    "gold": (*_TRUE_LABELS, *_ANY_LABELS, "target", *_PREDICTED_LABELS, "value"),
    "output": (*_PREDICTED_LABELS, *_ANY_LABELS, "target", *_TRUE_LABELS, "value"),
}
"""Columns of labels, those that are meant first: a table may hold right and predicted labels side by side."""
RIGHT_ANSWERS: Final = frozenset({*_TRUE_LABELS, "target"})
"""Columns that are no answers of a system where it has a column of scores."""
_ALSO_LABELS: Final = frozenset({"y", "pos", "rel", "s", "q", "d", "user", "session", "gold", "target", "answer", "model"})
"""Column names that are labels as often: beside unknown words they make no header."""

_GOLD_CLUSTERS: Final = ("gold_cluster", "gold_sense_id", "gold_sense", "topic_gold", "y_true")
_OUTPUT_CLUSTERS: Final = ("predicted_cluster", "predict_sense_id", "predicted_sense_id", "y_pred")
CLUSTERS_BY_ROLE: Final[dict[Role, tuple[str, ...]]] = {"gold": _GOLD_CLUSTERS, "output": _OUTPUT_CLUSTERS}
"""A file may hold gold and output side by side."""
CLUSTERS: Final = ("cluster", "cluster_id", "clusters", "group", "group_id", "groups", "community", "sense", "sense_id")
CLASSES: Final = ("label", "labels", "class", "classes", "category", "prediction", "predicted", "target", "y", "value")
TOPICS: Final = ("topic", "topic_id")
"""The case for most, but the cluster where no other column can be it."""
CLUSTER_CASES: Final = (*CASES, "entity_id", "entity")
CLUSTER_ITEMS: Final = (
    *("item", "items", "members", "tweet_id", "context_id", "mention", "mention_id"),
    *ITEMS[1:],
)
WEIGHTS: Final = ("weight", "membership")
"""How far an item belongs to its cluster."""
WORDS: Final = ("word", "name")
"""Items or cases where no other column can be it."""
KNOWN_TO_CLUSTERINGS: Final = frozenset(
    {*_GOLD_CLUSTERS, *_OUTPUT_CLUSTERS, *CLUSTERS, *CLASSES, *CLUSTER_CASES, *WORDS, *CLUSTER_ITEMS}
)
_TYPICAL_OF_CLUSTERINGS: Final = frozenset(
    {*_GOLD_CLUSTERS, *_OUTPUT_CLUSTERS, *CLUSTERS, "topic_id", "entity_id", "tweet_id", "context_id", "mention_id"}
)
"""Names that are hardly those of an item or a cluster."""

START_NAMES: Final = ("start", "begin", "start_offset", "start_char", "char_start", "offset_start", "from")
END_NAMES: Final = ("end", "stop", "end_offset", "end_char", "char_end", "offset_end", "to")
SPAN_LABELS: Final = (
    *("label", "type", "entity_type", "entity_group", "entity", "ner", "tag", "class", "category"),
    *("prediction", "predicted", "value"),
)
SPAN_CASES: Final = (
    *CASES,
    *("document", "document_id", "doc", "doc_id", "docid", "docno", "text_id", "sentence", "sentence_id", "id"),
)
FIELD_NAMES: Final = ("field", "slot", "attribute", "key", "property")
FILLER_NAMES: Final = ("value", "filler", "text", "content", "prediction", "predicted")
RECORD_NAMES: Final = ("record", "record_id", "row", "object_id")
HEAD_NAMES: Final = ("head", "subject", "source", "arg1", "from")
TAIL_NAMES: Final = ("tail", "object", "target", "arg2", "to")
RELATION_NAMES: Final = ("relation", "predicate", "relation_type", *SPAN_LABELS)

LEVELS: Final = ("priority", "level")
LEVEL_GRADES: Final = ("grade", "relevance", "rel", "judgement", "judgment", "qrel")
LEVEL_SCORES: Final = (*PROBABILITIES, "sim", "s")
ANSWERS: Final = ("answer", *(name for name in CLASSES if name != "value"), "y_true", "y_pred", "value")
"""Names of labels, which may be yes and no: then they are levels, otherwise clusters."""
_TYPICAL_OF_ORGANIZATIONS: Final = frozenset(
    {*LEVELS, *LEVEL_GRADES, *LEVEL_SCORES, *RANKS, *CLUSTERS, *ANSWERS, *_GOLD_CLUSTERS, *_OUTPUT_CLUSTERS}
)


_USUAL: Final[dict[str, tuple[str, ...]]] = {
    "case": (*CLUSTER_CASES, *WORDS),
    "item": (*CLUSTER_ITEMS, *WORDS),
    "score": LEVEL_SCORES,
    "grade": LEVEL_GRADES,
    "label": (*LABELS["gold"], *LABELS["output"]),
    "cluster": (*_GOLD_CLUSTERS, *_OUTPUT_CLUSTERS, *CLUSTERS),
    "rank": RANKS,
    "level": LEVELS,
    "start": START_NAMES,
    "end": END_NAMES,
    "system": TAGS,
}
"""The names that other columns lose where a column is named for a meaning."""


def plain_name(text: str) -> str:
    """A column name as it is compared: without quotes, white space around it and capitals; `query-id` is `query_id`."""
    return text.strip().strip('"').lower().replace("-", "_").replace(" ", "_")


def columns_by_name(columns: Iterable[str], column_of: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """The columns by the names that are compared, those that were named for a meaning under it; and which of these there are.

    A column that was named is the only one of its meaning, whatever usual names others have.
    """
    names = {plain_name(column): column for column in columns}
    by_meaning = {
        meaning: column if column in names.values() else names[plain_name(column)]
        for meaning, column in column_of.items()
        if column in names.values() or plain_name(column) in names
    }
    taken = {*by_meaning.values()}
    hidden = {name for meaning in by_meaning for name in _USUAL.get(meaning, ())}
    others = {name: column for name, column in names.items() if column not in taken and name not in hidden}
    return {**others, **by_meaning}, frozenset(column_of[meaning] for meaning in by_meaning)


def same_names(columns: Iterable[str], column_of: Mapping[str, str]) -> list[str]:
    """The columns of one name that has a meaning, if there are several and none is named for it."""
    usual = {name for meaning, names in _USUAL.items() if meaning not in column_of for name in names}
    groups: dict[str, list[str]] = {}
    for column in columns:
        groups.setdefault(plain_name(column), []).append(column)
    return next((group for name, group in groups.items() if len(group) > 1 and name in usual), [])


class LabelColumns(NamedTuple):
    """The columns of a labelled file, as far as there are any."""

    case: str | None
    item: str | None
    score: str | None
    label: str | None


def label_columns(names: Mapping[str, str], role: Role) -> LabelColumns:
    """The columns by their meaning; the right answers beside scores are no answers of an output."""
    case, item, score = (
        next((names[name] for name in usual if name in names), None) for usual in (CASES, ITEMS, PROBABILITIES)
    )
    hidden = RIGHT_ANSWERS if score is not None and role == "output" else frozenset[str]()
    labels = (names[name] for name in LABELS[role] if name in names and name not in hidden)
    return LabelColumns(case, item, score, next((label for label in labels if label not in {case, item}), None))


def cluster_columns(names: Mapping[str, str], role: Role) -> dict[str, str]:
    """The columns under the names of a table of labels: `label` is the cluster.

    The cluster is chosen first, then the item, then the case; words and names are items where nothing else is.
    """
    left = dict(names)
    chosen = {}
    for meaning, candidates in (
        ("label", clusters_of(role)),
        ("item", (*CLUSTER_ITEMS, *WORDS)),
        ("case", (*CLUSTER_CASES, *WORDS)),
    ):
        name = next((name for name in candidates if name in left), None)
        if name is not None:
            chosen[meaning] = left.pop(name)
    others = {name: column for name, column in left.items() if name not in KNOWN_TO_CLUSTERINGS and name not in PROBABILITIES}
    return {**others, **chosen}


def clusters_of(role: Role) -> tuple[str, ...]:
    """The names of columns of clusters, those that are meant first."""
    other_side = CLUSTERS_BY_ROLE["output" if role == "gold" else "gold"]
    return tuple(dict.fromkeys((*CLUSTERS_BY_ROLE[role], *CLUSTERS, *CLASSES, *TOPICS, *other_side)))


def are_ranking_names(names: Iterable[str]) -> bool:
    """Whether a line names the columns of a ranking or of judgements."""
    return any(name in KNOWN for name in names)


def are_label_names(names: list[str], more: Iterable[str] = ()) -> bool:
    """Whether a line names the columns of a table of labels: such files need no header, and some labels are column names.

    Beside an unknown word with a digit, such as `utt1`, only a name of items makes a header.
    """
    allowed = KNOWN.union(more, *LABELS.values())
    known, unknown = ([name for name in names if (name in allowed) is wanted] for wanted in (True, False))
    if any(map(str.isdigit, "".join(unknown))):
        known = [name for name in known if name in ITEMS]
    return not unknown or any(name not in _ALSO_LABELS for name in known)


def are_cluster_names(names: Iterable[str]) -> bool:
    """Whether a line names the columns of a table of clusters: one typical name, and at least two that are known."""
    listed = list(names)
    return any(name in _TYPICAL_OF_CLUSTERINGS for name in listed) and sum(name in KNOWN_TO_CLUSTERINGS for name in listed) > 1


def are_organization_names(keys: Iterable[str]) -> bool:
    """Whether an object is one row of a table, with an item and something that organizes it."""
    names = set(map(plain_name, keys))
    return bool(names & {*CLUSTER_ITEMS, *WORDS}) and bool(names & _TYPICAL_OF_ORGANIZATIONS)


def are_span_names(names: Iterable[str]) -> bool:
    """Whether a line names the columns of a table of spans, of slots or of relations."""
    listed = set(names)
    return any(
        bool(listed & set(first)) and bool(listed & set(second))
        for first, second in ((START_NAMES, END_NAMES), (FIELD_NAMES, FILLER_NAMES), (HEAD_NAMES, TAIL_NAMES))
    )
