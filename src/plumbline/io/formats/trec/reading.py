"""TREC runs and judgements: columns between white space, comments at the line start, any line end."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from plumbline.deferred import later
from plumbline.errors import BadData, Diagnostic, Place, files, notices, table
from plumbline.errors.base import MOST_SHOWN
from plumbline.io.bytes.blocks import side_by_side, whole_lines
from plumbline.io.bytes.lines import Fields, TextOrigin, data_lines, nul_place
from plumbline.io.bytes.tidy import survey, tidied
from plumbline.io.checks import ANY_TAG, check_probabilities, keep_tag, only_tag
from plumbline.io.columns.levels import by_grades, by_scores
from plumbline.io.columns.ranks import NO_DISORDER, RANK, Disorder, disorder_of, rises
from plumbline.io.formats.trec import quick
from plumbline.io.formats.trec.quick import read_quickly
from plumbline.io.formats.trec.scanning import FIRST_LINES
from plumbline.io.formats.trec.small import AT_MOST, read_small
from plumbline.io.native import native
from plumbline.io.table import Table
from plumbline.lazily import pattern, pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, PROBABILITY, STRATUM, SUBTOPIC, TAG, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.io.bytes.content import Content
    from plumbline.io.bytes.tidy import Survey
    from plumbline.io.table import ReadOptions, Role

RUN: Final = ("case", "Q0", "item", "rank", "score", "tag")
JUDGEMENTS: Final = ("case", "0", "item", "grade")
STRATA: Final = ("case", "0", "item", STRATUM, "grade")
PRELS: Final = ("case", "item", "grade", "method", PROBABILITY)
_NUMERIC: Final = pattern(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_MANY: Final = 200
"""Lines of judgements with five columns that are looked at to tell what they are."""
_SECOND: Final = "0"
"""The second column of judgements, which is 0 or the same on every line, unless it is a subtopic."""
_COMMENT: Final = pattern(rb"^#[^\n]*", re.MULTILINE)
_PLAIN: Final = pattern(r"[!-^`-~]+")
"""Printable ASCII without the underscore: Python reads `1_000`, digits of other scripts and white space around a number too."""
_SEPARATOR: Final = pattern(rb"[ \t]")
_FIELD: Final = rb"[ \t]+\S+"
_NUMBER: Final = rb"[ \t]+[-+.\d][-+.\deE]*"
_COMMENTED: Final[dict[tuple[str, ...], re.Pattern[bytes]]] = {
    layout: pattern(rb"^#[^\s#]\S*" + before + _NUMBER + after + rb"[ \t\r]*$", re.MULTILINE)
    for layout, before, after in (
        (RUN, _FIELD * 3, _FIELD),
        (JUDGEMENTS, _FIELD * 2, b""),
        (STRATA, _FIELD * 3, b""),
        (PRELS, _FIELD, _FIELD * 2),
    )
}
"""Comments that have the columns of a row, with a number where a row has its score or grade."""
LAYOUTS: Final[dict[Role, tuple[str, ...]]] = {"output": RUN, "gold": JUDGEMENTS}


@dataclass(frozen=True)
class _Read:
    """Rows of case, item and number, all run tags, and notices."""

    frame: pl.DataFrame
    tags: list[str]
    notices: tuple[Diagnostic, ...] = ()
    disorder: Disorder = NO_DISORDER
    commented: int = 0
    """How many comments have the columns of data."""


def read_trec(content: Content, options: ReadOptions) -> Table:
    """A run or judgements; as an organization, gold and outputs may be either."""
    if options.kind != "levels":
        return _read(content, options.role, options)
    role = role_of(content) or options.role
    table = _read(content, role, options)
    return by_grades(table) if role == "gold" else by_scores(table)


def role_of(content: Content) -> Role | None:
    """What the number of columns in the first line says that the file is, if it does."""
    width = next((len(Fields.of(*line)) for line in data_lines(content)), 0)
    if width == len(STRATA):
        return "gold"
    return next((role for role, layout in LAYOUTS.items() if len(layout) == width), None)


def _read(content: Content, role: Role, options: ReadOptions) -> Table:
    """Read in one pass by columns; only a file that this pass cannot read is looked at line by line."""
    at_once = AT_MOST if native() is None else quick.KEPT
    content = content if len(content.data) > at_once else replace(content, data=bytes(content.data))
    layout = _sampled_layout(content) if role == "gold" and not options.extra_columns else LAYOUTS[role]
    number = "grade" if role == "gold" else {"score": "score", "rank": "rank", "file": "score"}[options.order]
    _check_layout(content, role)
    only = (TAG, options.tag) if role == "output" and options.tag not in {None, ANY_TAG} else None
    origin = TextOrigin(content, {name: index for index, name in enumerate(layout)}, only)
    if (read := read_quickly(content, layout, role, options)) is not None:
        remarks = read.disorder.notices(content.label)
        frame = later(lambda: _table(content, layout, number, role, options, origin).frame)
        return Table(frame, content.label, "trec", origin, read.tag, tuple(remarks), listed=read.listed)
    if (small := read_small(content, layout, role, options)) is not None:
        remarks = small.disorder.notices(content.label)
        frame = later(lambda: _table(content, layout, number, role, options, origin).frame)
        return Table(frame, content.label, "trec", origin, small.tag, tuple(remarks), nested=small.nested)
    return _table(content, layout, number, role, options, origin)


def _table(
    content: Content, layout: tuple[str, ...], number: str, role: Role, options: ReadOptions, origin: TextOrigin
) -> Table:
    """The table of a file of any size."""
    read = _by_columns(content, layout, number, options.tag) or _line_by_line(content, layout, number, options)
    frame, tag = read.frame, None
    if role == "gold":
        frame = _with_subtopics(frame, options) if _SECOND in frame.columns else frame
        frame = _with_sample(frame, layout, options, origin)
    if role == "output":
        tag = only_tag(read.tags, content.label, options.tag)
        if options.order == "rank":
            frame = frame.with_columns(-pl.col(VALUE))
        elif options.order == "file":
            frame = frame.with_columns(-pl.int_range(pl.len()).cast(pl.Float64).alias(VALUE))
    remarks = [*read.notices, *(read.disorder.notices(content.label) if options.order == "score" else [])]
    if read.commented:
        remarks.append(notices.commented_rows(content.label, read.commented))
    return Table(frame, content.label, "trec", origin, tag, tuple(remarks))


def _sampled_layout(content: Content) -> tuple[str, ...]:
    """The columns of judgements; of five columns the second is the same everywhere, unless it has the items of prels."""
    lines = islice(data_lines(content), _MANY)
    rows = [Fields.of(*line) for line in islice(lines, 1)]
    if not rows or len(rows[0]) != len(STRATA):
        return JUDGEMENTS
    rows += [Fields.of(*line) for line in lines]
    seconds = {row[1] for row in rows if len(row) == len(STRATA)}
    layout = STRATA if len(seconds) == 1 and (len(rows) > 1 or seconds <= {"0", "Q0"}) else PRELS
    numbers = [layout.index(name) for name in ("grade", PROBABILITY) if name in layout]
    return layout if all(_NUMERIC.fullmatch(rows[0][column]) for column in numbers) else JUDGEMENTS


def _with_sample(frame: pl.DataFrame, layout: tuple[str, ...], options: ReadOptions, origin: TextOrigin) -> pl.DataFrame:
    """What rankings read about the sample of the pool that was judged; other tasks know no samples."""
    if options.kind != "scores":
        return frame.drop(STRATUM, PROBABILITY, strict=False)
    if layout == PRELS:
        check_probabilities(frame[PROBABILITY], origin)
    return frame


def _with_subtopics(frame: pl.DataFrame, options: ReadOptions) -> pl.DataFrame:
    """The second column is a subtopic where judgements of a ranking have several values there.

    Fractions such as 0.5 and 1.5 are rounds of judging, as in TREC-COVID, and mean nothing for an evaluation.
    """
    second = frame[_SECOND]
    if options.kind != "scores" or second.n_unique() <= 1 or _has_fractions(second):
        return frame.drop(_SECOND)
    return frame.rename({_SECOND: SUBTOPIC})


def _has_fractions(second: pl.Series) -> bool:
    return bool(second.unique().cast(pl.String).str.contains(r"^\d+\.\d+$").any())


def _check_layout(content: Content, role: Role) -> None:
    """Refuse a run given as judgements, or the other way round; the first line shows it."""
    first = next(data_lines(content), None)
    if first is None:
        raise BadData(files.no_data(content.label))
    fields = Fields.of(*first)
    other: Role = "output" if role == "gold" else "gold"
    if len(fields) != len(LAYOUTS[role]) and len(fields) == len(LAYOUTS[other]):
        looks, expected = ("a run", "judgements") if role == "gold" else ("judgements", "a run")
        raise BadData(
            table.swapped(fields.place(content.label), looks, len(fields), f"{expected} ({len(LAYOUTS[role])} columns)")
        )


def _by_columns(content: Content, layout: tuple[str, ...], number: str, tag: str | None) -> _Read | None:
    """The fast way, block by block, or None where it cannot be sure."""
    parts: list[_Read] = []
    for part in side_by_side(lambda block: _block(content.take(block), layout, number, tag), whole_lines(content.data)):
        if part is None:
            return None
        parts.append(part)
    columns = pl.concat([part.frame for part in parts], rechunk=False).get_columns()
    tags = list(dict.fromkeys(tag for part in parts for tag in part.tags))
    # numbers are looked at as arrays, which lie in one piece; text is not, and would be copied for nothing
    frame = pl.DataFrame([column if column.name == ITEM else column.rechunk() for column in columns])
    disorder = sum((part.disorder for part in parts), NO_DISORDER)
    return _Read(frame, tags, disorder=disorder, commented=sum(part.commented for part in parts))


def _block(data: bytes, layout: tuple[str, ...], number: str, tag: str | None) -> _Read | None:
    """Some complete lines; None if they hold something that the column parser would not report."""
    bytes_survey, head = survey(data), data[: data.rfind(b"\n", 0, FIRST_LINES) + 1] if len(data) > FIRST_LINES else None
    if bytes_survey.nul:
        return None
    if bytes_survey.untidy:
        head = None if head is None else tidied(head)
        data = tidied(data)
        bytes_survey = survey(data)
    try:
        frame = _scanned(data, layout, number, bytes_survey).select(_columns(layout, number)).collect()
        disorder = _disorder(data, head, frame, tag, bytes_survey) if number == "score" else NO_DISORDER
    except pl.exceptions.PolarsError:
        return None
    short = any(column.null_count() for column in frame.get_columns())
    wanted = len(frame) * (len(layout) - 1)
    longer = bytes_survey.separators != wanted and bytes_survey.separators - _separators_in_comments(data) != wanted
    if short or longer:
        return None
    commented = _commented(data, layout) if bytes_survey.comments else 0
    return _Read(*_of_system(frame, tag), disorder=disorder, commented=commented)


def _of_system(frame: pl.DataFrame, tag: str | None) -> tuple[pl.DataFrame, list[str]]:
    """The rows of one system and all tags; judgements have no tags."""
    return keep_tag(frame, tag) if TAG in frame.columns else (frame, [])


def _disorder(data: bytes, head: bytes | None, frame: pl.DataFrame, tag: str | None, bytes_survey: Survey) -> Disorder:
    """Where the ranks of some lines contradict their scores.

    Scores decide, so ranks are only worth reading where scores rise from line to line. Where they fall, as in most files, the
    first lines show whether the ranks rise.
    """
    if head is not None and not rises(frame[CASE], frame[VALUE]):
        data = head
    return _compared(frame, _scanned(data, RUN, "score", bytes_survey).select(_ranks()).collect(), tag)


def _ranks() -> pl.Expr:
    return pl.col(RANK).cast(pl.Float64, strict=False)


def _compared(frame: pl.DataFrame, ranks: pl.DataFrame, tag: str | None) -> Disorder:
    """The ranks of the first rows, or of all, compared with their scores."""
    rows, _ = keep_tag(frame.head(len(ranks)).with_columns(ranks), tag)
    return disorder_of(rows[CASE], rows[RANK], rows[VALUE])


def _commented(data: bytes, layout: tuple[str, ...]) -> int:
    """How many comments look like rows whose case starts with #."""
    return len(_COMMENTED[layout].findall(data))


def _scanned(data: bytes, layout: tuple[str, ...], number: str, bytes_survey: Survey) -> pl.LazyFrame:
    """All columns; those that are not selected are not read."""
    kept: dict[str, type[pl.DataType]] = {
        CASE: pl.Categorical,
        _SECOND: pl.Categorical,
        STRATUM: pl.Categorical,
        PROBABILITY: pl.Float64,
        number: pl.Float64,
    }
    return pl.scan_csv(
        data,
        separator="\t" if bytes_survey.tabs else " ",
        has_header=False,
        quote_char=None,
        comment_prefix="#" if bytes_survey.comments else None,
        schema={name: kept.get(name, pl.String) for name in layout},
        raise_if_empty=False,
    )


def _columns(layout: tuple[str, ...], number: str) -> list[pl.Expr]:
    """What is kept: tags tell systems apart, and subtopics are judged."""
    more = [pl.col(name) for name in (TAG, _SECOND, STRATUM, PROBABILITY) if name in layout]
    return [pl.col(CASE), pl.col(ITEM), pl.col(number).alias(VALUE), *more]


def _separators_in_comments(data: bytes) -> int:
    """Spaces and tabs that separate no columns; the parser says nothing about text after the last column."""
    return sum(len(_SEPARATOR.findall(comment.group())) for comment in _COMMENT.finditer(data))


def _line_by_line(content: Content, layout: tuple[str, ...], number: str, options: ReadOptions) -> _Read:
    """The exact way: every line is checked, and what is wrong is named."""
    if content.data.find(b"\x00") >= 0:
        raise BadData(files.binary(nul_place(content)))
    wrong: list[Diagnostic] = []
    longer: list[Place] = []
    rows: list[tuple[str, ...]] = []
    for line_number, line in data_lines(content):
        fields = Fields.of(line_number, line)
        if options.extra_columns and len(fields) > len(layout):
            longer.append(fields.place(content.label, len(layout)))
            fields = Fields(fields.number, fields.text, fields.matches[: len(layout)])
        problem = _problem(fields, line, content.label, layout, number)
        if problem is None:
            rows.append(tuple(fields[index] for index in range(len(layout))))
        else:
            wrong.append(problem if len(wrong) < MOST_SHOWN else wrong[-1])
    if wrong:
        raise BadData(*wrong)
    remarks = (notices.extra_columns(content.label, len(longer), str(longer[0])),) if longer else ()
    every_column = _frame(rows, layout, number)
    frame = every_column.select(_columns(layout, number))
    disorder = _compared(frame, every_column.select(_ranks()), options.tag) if number == "score" else NO_DISORDER
    return _Read(*_of_system(frame, options.tag), remarks, disorder, _commented(bytes(content.data), layout))


def _frame(rows: Iterable[tuple[str, ...]], layout: tuple[str, ...], number: str) -> pl.DataFrame:
    frame = pl.DataFrame(list(rows), schema=dict.fromkeys(layout, pl.String), orient="row")
    texts = [pl.col(name).cast(pl.Categorical) for name in (CASE, _SECOND, STRATUM) if name in layout]
    numbers = [pl.col(name).cast(pl.Float64) for name in (number, PROBABILITY) if name in layout]
    return frame.with_columns(*texts, *numbers)


def _problem(fields: Fields, line: bytes, path: str, layout: tuple[str, ...], number: str) -> Diagnostic | None:
    if len(fields) != len(layout):
        return table.wrong_columns(fields.place(path), len(fields), len(layout), " ".join(layout))
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return files.not_utf8(Place(path, fields.number, error.start + 1))
    for name in (number, PROBABILITY):
        if name in layout and (problem := _wrong_number(fields, path, layout.index(name), name)) is not None:
            return problem
    return None


def _wrong_number(fields: Fields, path: str, column: int, name: str) -> Diagnostic | None:
    place = fields.place(path, column)
    if not _PLAIN.fullmatch(fields[column]):
        return table.not_a_number(place, name, fields[column])
    try:
        value = float(fields[column])
    except ValueError:
        return table.not_a_number(place, name, fields[column])
    return None if math.isfinite(value) else table.not_finite(place, name, fields[column])
