"""The top of a list as a string of grades."""

from __future__ import annotations

import polars as pl

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Cutoff
from plumbline.views.ranked import Ranked, grade, rank, shown
from plumbline.views.terms import Value

ONE_DIGIT = 9


@metric(
    "RelString",
    range=(None, None),
    paper="treceval",
    better="neither",
    undefined=NEVER,
    at="k",
    text=True,
    aliases={"relstring": {}, "relstring_{k}": {}},
    elsewhere={"trec_eval": "relstring"},
)
def relevance_string(_lists: Ranked, *, k: Cutoff = 10) -> Value:
    """Grades of the first k items, one character each: `-` not judged, `.` negative, `>` above 9.

    Text, not a number: it has no mean. `--per-case` shows it, and so do JSON, `--format trec_eval` and Scores.texts.
    """
    letter = (
        pl.when(grade > ONE_DIGIT)
        .then(pl.lit(">"))
        .when(grade < 0)
        .then(pl.lit("."))
        .otherwise(grade.floor().cast(pl.Int64).cast(pl.String))
    )
    gap = (rank - rank.shift(1, fill_value=0) - 1).cast(pl.Int64)
    top = (rank <= k).fill_null(value=False)
    drawn = (pl.lit("-").repeat_by(gap.filter(top)).list.join("") + letter.filter(top)).str.join("")
    length = pl.min_horizontal(shown, pl.lit(k))
    rest = pl.lit("-").repeat_by((length - drawn.str.len_chars()).cast(pl.Int64)).list.join("")
    return Value(drawn + rest)
