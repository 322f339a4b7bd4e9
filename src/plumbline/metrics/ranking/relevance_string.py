"""The top of a list as a string of grades."""

from __future__ import annotations

import numpy as np

from plumbline.metrics.registry import NEVER, metric
from plumbline.metrics.rules import Cutoff
from plumbline.views.ranked import Ranked
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
def relevance_string(lists: Ranked, *, k: Cutoff = 10) -> Value:
    """Grades of the first k items, one character each: `-` not judged, `.` negative, `>` above 9.

    Text, not a number: it has no mean. `--per-case` shows it, and so do JSON, `--format trec_eval` and Scores.texts.
    """
    top = np.flatnonzero(lists.rank <= k)
    length = np.minimum(lists.shown, k).astype(np.int64)
    start = np.cumsum(length) - length
    letters = np.full(length.sum(), "-", dtype="U1")
    grades = lists.grade[top]
    drawn = np.floor(np.clip(grades, 0, ONE_DIGIT)).astype(np.int64).astype("U1")
    drawn = np.where(grades > ONE_DIGIT, ">", np.where(grades < 0, ".", drawn))
    letters[start[lists.of[top]] + lists.rank[top].astype(np.int64) - 1] = drawn
    text = "".join(letters.tolist())
    strings = [text[first : first + count] for first, count in zip(start.tolist(), length.tolist(), strict=True)]
    return Value(np.array(strings, dtype=np.object_))
