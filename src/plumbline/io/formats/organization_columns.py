"""The columns of a table of an organization: what gives the level, and what gives the cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, organizations, table
from plumbline.io.formats.cluster_columns import CASES, CLASSES, CLUSTERS, ITEMS, NAMES, SIDES, TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from plumbline.io.table import Order, Origin, ReadOptions, Role

LEVELS: Final = ("priority", "level")
GRADES: Final = ("grade", "relevance", "rel", "judgement", "judgment", "qrel")
_SCORES: Final = ("score", "similarity", "sim", "probability", "prob", "confidence", "s")
_RANKS: Final = ("rank", "position", "pos")
_ANSWERS: Final = ("answer", *(name for name in CLASSES if name != "value"), "y_true", "y_pred", "value")
"""Names of labels, which may be yes and no: then they are levels, otherwise clusters."""
_VALUE: Final = "value"
_TELLING: Final = frozenset({*LEVELS, *GRADES, *_SCORES, *_RANKS, *CLUSTERS, *_ANSWERS, *SIDES["gold"], *SIDES["output"]})


@dataclass(frozen=True)
class Chosen:
    """Which column has which meaning; a table without cases has no column for them."""

    item: str
    case: str | None
    number: str | None
    sign: float
    """-1 where 1 is best."""
    what: str
    """What the number is called."""
    judged: bool
    """Whether the number is a grade of the gold, so that only those above 0 are levels."""
    cluster: str | None
    may_answer: bool
    """Whether the cluster may be an answer instead: yes or no."""
    guessed: bool
    """Whether only the looks of the values told that they are numbers."""


def are_organization_names(words: Iterable[str]) -> bool:
    """Whether an object is one row of a table, with an item and something that organizes it."""
    names = {word.strip().lower() for word in words}
    return bool(names & {*ITEMS, *NAMES}) and bool(names & _TELLING)


def choose(frame: pl.DataFrame, names: Mapping[str, str], reader: str, options: ReadOptions, origin: Origin) -> Chosen:
    """The number is chosen first, then the cluster, then the item and the case."""
    left = dict(names)
    number = next((name for name in _numbers(options.role, options.order) if name in left), None)
    clusters = tuple(dict.fromkeys((*SIDES[options.role], *CLUSTERS)))
    explicit = any(name in left for name in clusters)
    guessed = number is None and _VALUE in left and (explicit or _starts_with_number(frame[left[_VALUE]]))
    number = _VALUE if guessed else number
    column = None if number is None else left.pop(number)
    cluster = next((name for name in (*clusters, *_ANSWERS, *_topics(left, number)) if name in left), None)
    of_cluster = None if cluster is None else left.pop(cluster)
    if number is None and cluster is None and not (options.order == "file" and options.role == "output"):
        place = origin.places([-1], "priority")[0]
        raise BadData(organizations.nothing_organized(place, list(names.values())))
    item = next((left.pop(name) for name in (*ITEMS, *NAMES) if name in left), None)
    if item is None:
        place = origin.places([-1], "item")[0]
        raise BadData(table.missing_column(place, "item", [*ITEMS, *NAMES], list(names.values()), None))
    ranks = number in {*LEVELS, *_RANKS} or (guessed and reader == "evall" and options.role == "output")
    return Chosen(
        item,
        next((left[name] for name in (*CASES, *NAMES) if name in left), None),
        column,
        -1.0 if ranks else 1.0,
        "rank" if ranks and guessed else "grade" if guessed and options.role == "gold" else number or "level",
        judged=options.role == "gold" and (number in GRADES or (guessed and not explicit)),
        cluster=of_cluster,
        may_answer=cluster in _ANSWERS,
        guessed=guessed and not explicit,
    )


def _numbers(role: Role, order: Order) -> tuple[str, ...]:
    """Names of columns with numbers, those that are meant first."""
    if role == "gold":
        return (*LEVELS, *GRADES, *_SCORES, *_RANKS)
    return (*_RANKS, *LEVELS, *_SCORES, *GRADES) if order == "rank" else (*LEVELS, *_SCORES, *GRADES, *_RANKS)


def _topics(left: Mapping[str, str], number: str | None) -> tuple[str, ...]:
    """A topic is the case of a ranking; it is the cluster where there is no number, or where another column is the case."""
    return TOPICS if number is None or any(name in left for name in CASES if name not in TOPICS) else ()


def _starts_with_number(values: pl.Series) -> bool:
    first = values.drop_nulls().head(1)
    if first.dtype.is_numeric():
        return True
    try:
        float(str(first[0]) if len(first) else "")
    except ValueError:
        return False
    return True
