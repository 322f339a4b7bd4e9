"""judge(): pages on which assessors judge a pool, offline."""

from __future__ import annotations

import hashlib
import html
import json
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, pools
from plumbline.errors.base import plural
from plumbline.io.bytes.atomic import write_atomically
from plumbline.io.columns.names import plain_name
from plumbline.io.read import read
from plumbline.io.scores.sources import open_source
from plumbline.io.table import ReadOptions
from plumbline.io.texts import read_texts
from plumbline.options.option import checked, documented
from plumbline.options.pools import JudgeOptions
from plumbline.render.grid import Cell, Grid
from plumbline.render.result import Result
from plumbline.schema import CASE, ITEM, VALUE
from plumbline.truth.pools.result import Pool

if TYPE_CHECKING:
    import os

    from plumbline.errors import Diagnostic

LARGEST: Final = 20 * 2**20
"""Bytes of a page that can still be mailed."""
GRADES: Final = "0 not relevant,1 relevant"
_GRADE: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s+(.+?)\s*")
_KEYS: Final = "1234567890"


@dataclass(frozen=True, repr=False)
class JudgingPages(Result):
    """Pages on which assessors judge a pool; each works without a network.

    Attributes:
        pages: The HTML of each page: one for everything, or one for each case if that would be too large to be mailed.
        table: `page, cases, items, bytes`: a row for each page.
        notices: What should be known about the pages.

    Example:
        >>> import plumbline
        >>> pages = plumbline.judge({"q1": ["d1"]}, {"d1": "A text."})
        >>> pages.table["items"].to_list()
        [1]
    """

    pages: dict[str, str]
    table: pl.DataFrame
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`page, cases, items, bytes`."""
        return self.table

    def grid(self) -> Grid:
        """A row for each page."""
        rows = tuple(
            (Cell(name or "all cases"), Cell(f"{cases:,}"), Cell(f"{items:,}"), Cell(f"{size / 1e6:.2f}"))
            for name, cases, items, size in self.table.iter_rows()
        )
        return Grid(("page", "cases", "items", "MB"), rows)

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> list[Path]:
        """Write the page, or one for each case beside it.

        Args:
            path: The file of the page, such as judge.html; several pages have the number and name of their case in theirs.
            force: Overwrite existing files.

        Returns:
            The files that were written.

        Raises:
            BadUsage: A file already exists, or cannot be written.
        """
        main, written = Path(path), []
        for number, (name, page) in enumerate(self.pages.items(), start=1):
            safe = re.sub(r"[^\w-]+", "_", name)[:40]
            page_path = main if len(self.pages) == 1 else main.with_name(f"{main.stem}-{number:03}-{safe}{main.suffix}")
            with write_atomically(page_path, force=force) as file:
                file.write(page.encode())
            written.append(page_path)
        return written


@documented(JudgeOptions)
def judge(pool: Any, texts: Any, **options: Unpack[JudgeOptions]) -> JudgingPages:
    """Make a page on which assessors judge a pool offline, with one keystroke for each grade.

    Args:
        pool: What `pool` returned or wrote, a frame with case and item, or a dict `{case: [item, ...]}`.
        texts: The text of each item: a dict, a frame, or a file (JSON lines, CSV, TSV).
        **options: See `plumbline.options.pools.JudgeOptions`.

    Returns:
        One page, or one for each case if it would be larger than 20 MB.

    Raises:
        BadData: If an item has no text, or a file cannot be read.
        BadUsage: If grades cannot be read.

    Example:
        >>> import plumbline
        >>> pages = plumbline.judge({"q1": ["d1", "d2"]}, {"d1": "<b>bold</b>", "d2": "plain"}, grades="0 no,1 yes")
        >>> "<b>bold" in pages.pages[""]
        False
    """
    given = checked(options, JudgeOptions, "judge")
    grades = parse_grades(given.get("grades", GRADES))
    rows = _rows(pool)
    known = _known(given.get("known"))
    items = _mixed(rows, known, given.get("seed", 0))
    corpus = read_texts(texts, "item")
    missing = list(dict.fromkeys(item for _, item, _ in items if item not in corpus))
    if missing:
        raise BadData(pools.no_texts(missing[:6], len(missing), len({item for _, item, _ in items})))
    topics = {} if given.get("topics") is None else read_texts(given["topics"], "case")
    title = given.get("title") or "Judge these texts"
    filled = [{"case": case, "item": item, "text": corpus[item], **gold} for case, item, gold in items]
    single = _page(filled, topics, grades, title)
    if len(single.encode()) <= given.get("max_page", LARGEST):
        return _result({"": single}, {"": filled})
    by_case: dict[str, list[dict[str, Any]]] = {}
    for row in filled:
        by_case.setdefault(row["case"], []).append(row)
    pages = {case: _page(some, topics, grades, f"{title}: {topics.get(case, case)}") for case, some in by_case.items()}
    notice = pools.several_pages(len(pages), f"{len(single.encode()) / 1e6:.0f} MB")
    return _result(pages, by_case, notice)


def parse_grades(text: str) -> list[dict[str, str]]:
    """Read `0 no,1 partly,2 yes`: the value, the label and the key of each grade."""
    parts = [part for part in text.split(",") if part.strip()]
    matches = [_GRADE.fullmatch(part) for part in parts]
    wrong = next((part for part, match in zip(parts, matches, strict=True) if match is None), None)
    if wrong is not None or len(parts) < 2:  # noqa: PLR2004 - one grade says nothing
        raise BadUsage(pools.bad_grades(text, f"{wrong.strip()!r} is not a number and a word" if wrong else "give two or more"))
    if len(parts) > len(_KEYS):
        raise BadUsage(pools.bad_grades(text, f"there are keys for {len(_KEYS)} grades"))
    values = [match[1] for match in matches if match is not None]
    if len(set(values)) < len(values):
        raise BadUsage(pools.bad_grades(text, "a grade occurs twice"))
    digits = all(len(value) == 1 for value in values)
    return [
        {"value": match[1], "label": match[2], "key": match[1] if digits else _KEYS[place]}
        for place, match in enumerate(matches)
        if match is not None
    ]


def _rows(pool: Any) -> list[tuple[str, str]]:
    """Case and item of what is to be judged, in order."""
    if isinstance(pool, Pool):
        frame, label = pool.items, "the pool"
    elif isinstance(pool, dict) and all(isinstance(items, (list, tuple)) for items in pool.values()):
        return [(str(case), str(item)) for case, items in pool.items() for item in items]
    else:
        opened = open_source(pool, "the pool")
        if not isinstance(opened.data, pl.DataFrame):
            raise BadData(pools.not_a_pool(opened.label, list(map(str, opened.data))))
        frame, label = opened.data, opened.label
    names = {plain_name(name): name for name in frame.columns}
    if CASE not in names or ITEM not in names:
        raise BadData(pools.not_a_pool(label, frame.columns))
    kept = frame.drop_nulls(names["order"]) if "order" in names else frame
    return [(str(case), str(item)) for case, item in kept.select(names[CASE], names[ITEM]).iter_rows()]


def _known(source: Any) -> list[tuple[str, str, dict[str, Any]]]:
    if source is None:
        return []
    table = read(source, "gold", ReadOptions(), "known items")
    rows = table.frame.select(pl.col(CASE).cast(pl.String), ITEM, VALUE)
    return [(case, item, {"gold": f"{grade:g}"}) for case, item, grade in rows.iter_rows() if grade >= 0]


def _mixed(
    rows: list[tuple[str, str]], known: list[tuple[str, str, dict[str, Any]]], seed: int
) -> list[tuple[str, str, dict[str, Any]]]:
    """The items with those of known grades among them, within their case where it is judged, at places drawn at random."""
    judged = {(case, item) for case, item, _ in known}
    items: list[tuple[str, str, dict[str, Any]]] = [(case, item, {}) for case, item in rows if (case, item) not in judged]
    rng = np.random.default_rng(seed)
    for case, item, gold in known:
        places = [at for at, row in enumerate(items) if row[0] == case]
        at = int(rng.integers(places[0], places[-1] + 2)) if places else len(items)
        items.insert(at, (case, item, gold))
    return items


def _page(rows: list[dict[str, Any]], topics: dict[str, str], grades: list[dict[str, str]], title: str) -> str:
    """The HTML: texts are data, which the script puts on the page as text."""
    folder = resources.files("plumbline.truth.pools") / "page"
    cases = dict.fromkeys(row["case"] for row in rows)
    data: dict[str, Any] = {"grades": grades, "topics": {case: topics[case] for case in cases if case in topics}, "items": rows}
    data["page"] = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    safe = json.dumps(data, ensure_ascii=False)
    for sign in "<>&\u2028\u2029":
        safe = safe.replace(sign, f"\\u{ord(sign):04x}")
    parts = {
        "@TITLE@": html.escape(title),
        "@STYLE@": (folder / "judging.css").read_text(encoding="utf-8"),
        "@SCRIPT@": (folder / "judging.js").read_text(encoding="utf-8"),
        "@DATA@": safe,
    }
    template = (folder / "judging.html").read_text(encoding="utf-8")
    return re.sub("|".join(parts), lambda match: parts[match[0]], template)


def _result(pages: dict[str, str], rows: dict[str, list[dict[str, Any]]], *notices: Diagnostic) -> JudgingPages:
    table = pl.DataFrame(
        [
            {
                "page": name,
                "cases": len({row["case"] for row in rows[name]}),
                "items": len(rows[name]),
                "bytes": len(page.encode()),
            }
            for name, page in pages.items()
        ]
    )
    return JudgingPages(pages, table, notices)


def summary(pages: JudgingPages) -> str:
    """One sentence about what was written."""
    return f"{plural(int(pages.table['items'].sum()), 'item')} on {plural(len(pages.pages), 'page')}"
