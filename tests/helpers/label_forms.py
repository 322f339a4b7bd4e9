"""One small set of labels, with what it scores, in every form that holds labels."""

from __future__ import annotations

import gzip
import json
import lzma
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import pytest

import plumbline as pb

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = list[tuple[str, str, str]]
"""Case, item and label."""

SPAM: Final[Rows] = [("m", item, label) for item, label in zip("abcdef", "101100", strict=True)]
GUESS: Final[Rows] = [("m", item, label) for item, label in zip("abcdef", "110101", strict=True)]
"""Two of three positives found, two false alarms."""
FILTERED: Final = {"Accuracy": 3 / 6, "P": 2 / 4, "R": 2 / 3, "Specificity": 1 / 3, "MAAc": 1 / 2}

TOPICS: Final[Rows] = [("n", item, label) for item, label in zip("abcdef", ["x", "y", "z", "x", "y", "z"], strict=True)]
TAGGED: Final[Rows] = [("n", item, label) for item, label in zip("abcdef", ["x", "y", "x", "x", "z", "z"], strict=True)]
CLASSIFIED: Final = {"Accuracy": 4 / 6, "P": (2 / 3 + 1 + 1 / 2) / 3, "R": (1 + 1 / 2 + 1 / 2) / 3, "Kappa": 0.5}


def scored(gold: Any, systems: Any, names: list[str], task: str, **options: Any) -> dict[str, float | None]:
    """The means of the only system, by metric."""
    scores = pb.evaluate(gold, systems, names, task=task, **options)
    return dict(scores.mean.select("metric", "value").iter_rows())


def filtered(gold: Any, systems: Any, **options: Any) -> dict[str, float | None]:
    """The means of a filter."""
    return scored(gold, systems, list(FILTERED), "filtering", **options)


def classified(gold: Any, systems: Any, **options: Any) -> dict[str, float | None]:
    """The means of a classifier."""
    return scored(gold, systems, list(CLASSIFIED), "classification", **options)


def codes(gold: Any, systems: Any, names: list[str], task: str, **options: Any) -> set[str]:
    """What was said, without how files were read."""
    notices = pb.evaluate(gold, systems, names, task=task, **options).notices
    return {notice.code for notice in notices} - {"N212"}


def refusal(code: str, gold: Any, systems: Any, names: list[str], task: str, **options: Any) -> str:
    """The text of the refusal with this code; it always shows a way out."""
    with pytest.raises(pb.PlumblineError) as caught:
        pb.evaluate(gold, systems, names, task=task, **options)
    assert caught.value.code == code, str(caught.value)
    assert "help: " in str(caught.value)
    return str(caught.value)


def file(data: bytes | str, name: str = "labels.txt") -> BytesIO:
    """An open file with a name."""
    made = BytesIO(data if isinstance(data, bytes) else data.encode())
    made.name = name
    return made


def plain(rows: Rows, separator: str = "\t", *, cases: bool = True) -> str:
    """Lines without a heading, with or without the case."""
    return "".join(separator.join(row if cases else row[1:]) + "\n" for row in rows)


def headed(rows: Rows, names: tuple[str, ...], separator: str = ",") -> str:
    """The same below a line of names; two names leave out the case."""
    return separator.join(names) + "\n" + plain(rows, separator, cases=len(names) == 3)


def records(rows: Rows, names: tuple[str, str, str] = ("case", "item", "label")) -> list[dict[str, str]]:
    """One dict a row."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def nested(rows: Rows) -> dict[str, dict[str, str]]:
    """`{case: {item: label}}`."""
    made: dict[str, dict[str, str]] = {}
    for case, item, label in rows:
        made.setdefault(case, {})[item] = label
    return made


def flat(rows: Rows) -> dict[str, str]:
    """`{item: label}`."""
    return {item: label for _, item, label in rows}


def frame(rows: Rows) -> pl.DataFrame:
    """A polars frame."""
    return pl.DataFrame(rows, schema=["case", "item", "label"], orient="row")


def _columnar(rows: Rows, write: str) -> bytes:
    out = BytesIO()
    getattr(frame(rows), write)(out)
    return out.getvalue()


EVALL: Final = ("test_case", "id", "value")
FILES: Final[dict[str, Callable[[Rows], bytes | str]]] = {
    "tabs": plain,
    "spaces": lambda rows: plain(rows, " "),
    "many spaces": lambda rows: plain(rows, "   "),
    "commas": lambda rows: plain(rows, ","),
    "two columns": lambda rows: plain(rows, cases=False),
    "two columns, spaces": lambda rows: plain(rows, " ", cases=False),
    "two columns, commas": lambda rows: plain(rows, ",", cases=False),
    "comments": lambda rows: "# labels\n" + plain(rows).replace("\n", "\n# and so on\n", 2),
    "blank lines": lambda rows: "\n" + plain(rows).replace("\n", "\n\n") + "  \n",
    "windows": lambda rows: plain(rows).replace("\n", "\r\n"),
    "old mac": lambda rows: plain(rows).replace("\n", "\r"),
    "bom": lambda rows: "\ufeff" + plain(rows),
    "no last line end": lambda rows: plain(rows).rstrip("\n"),
    "csv": lambda rows: headed(rows, ("case", "item", "label")),
    "csv of one case": lambda rows: headed(rows, ("item", "label")),
    "tsv": lambda rows: headed(rows, ("case", "item", "label"), "\t"),
    "json nested": lambda rows: json.dumps(nested(rows)),
    "json flat": lambda rows: json.dumps(flat(rows)),
    "json records": lambda rows: json.dumps(records(rows), indent=1),
    "json lines": lambda rows: "".join(json.dumps(record) + "\n" for record in records(rows)),
    "evall json": lambda rows: json.dumps(records(rows, EVALL)),
    "evall tsv": lambda rows: headed(rows, EVALL, "\t"),
    "parquet": lambda rows: _columnar(rows, "write_parquet"),
    "arrow": lambda rows: _columnar(rows, "write_ipc"),
    "gzip": lambda rows: gzip.compress(plain(rows).encode()),
    "xz": lambda rows: lzma.compress(headed(rows, ("case", "item", "label")).encode()),
}
OF_ONE_CASE: Final = frozenset({"two columns", "two columns, spaces", "two columns, commas", "csv of one case", "json flat"})
"""Files without a column for the case go with each other, not with files that name a case."""
