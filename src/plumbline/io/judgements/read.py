"""From files or objects to one table of judgements."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, BadUsage, Place, files, judgements, table, usage
from plumbline.io.bytes.content import Content, load
from plumbline.io.columns.text import encodable, id_column
from plumbline.io.formats.columnar.reading import columnar_frame
from plumbline.io.formats.delimited.reading import delimited_frame
from plumbline.io.formats.json_file.reading import RecordOrigin, jsonl_records, parsed_json
from plumbline.io.judgements.judgements import NUMBER, joined, number_text, on_the_scale, without_repetitions
from plumbline.io.judgements.names import MEANINGS, chosen_columns, meaning_of
from plumbline.io.judgements.part import ASSESSOR, ROW, Opened, Part, forms
from plumbline.io.memory.frames import dict_frame, is_frame, polars_frame
from plumbline.io.paths import name_of
from plumbline.io.read import read
from plumbline.io.sample import Sample
from plumbline.io.sniff import self_described
from plumbline.io.table import FrameOrigin, ReadOptions
from plumbline.schema import CASE, ITEM, LABEL, ONLY_CASE, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.io.judgements.judgements import Judgements, OnDuplicate, OutOfScale
    from plumbline.io.judgements.part import Form
    from plumbline.io.table import Readable

EXPECTED: Final = "a path, a list of paths, a table, or {assessor: path, {item: label} or list of labels}"
TREC: Final = "trec"
EXAMPLE: Final = '{"q1": {"d1": 2, "d2": 0}}'


@dataclass(frozen=True)
class JudgementOptions:
    """How judgements are read."""

    reader: str | None = None
    columns: str | Mapping[str, str] | None = None
    on_duplicate: OnDuplicate = "error"
    repeats: bool = False
    scale: tuple[float, float] | None = None
    out_of_scale: OutOfScale = "error"
    reference: str | None = None
    """The assessor whose grades are the scale, where no scale is given."""
    levels: Sequence[str] = ()
    """The labels from the lowest to the highest; they then have the numbers 0, 1, 2."""
    label_separator: str | None = None
    max_bytes: int | None = None


def read_judgements(sources: Any, options: JudgementOptions | None = None) -> Judgements:  # noqa: ANN401 - see EXPECTED
    """Read and check the judgements of all assessors."""
    options = options or JudgementOptions()
    sources = _as_frame(sources, options)
    listed = _listed(sources)
    _refuse_different_lengths(listed)
    parts = [_part(source, options) for source in listed]
    if not any(len(part.frame) for part in parts):
        raise BadData(files.no_data(parts[0].label if parts else "the judgements"))
    read_table = joined(parts)
    if read_table.frame.is_empty():
        raise BadData(files.no_data(parts[0].label))
    if options.label_separator and read_table.frame[LABEL].dtype == pl.String:
        split = pl.col(LABEL).str.split(options.label_separator)
        read_table = replace(read_table, frame=read_table.frame.drop(NUMBER, strict=False).with_columns(split))
    if options.levels:
        read_table = _ordered(read_table, list(options.levels))
    if not options.repeats:
        read_table = without_repetitions(read_table, options.on_duplicate)
    return _scaled(read_table, options)


def _scaled(judged: Judgements, options: JudgementOptions) -> Judgements:
    if not judged.are_numbers:
        return judged
    scale, whose = options.scale, ""
    if scale is None and options.reference is not None and not options.levels:
        grades = judged.frame.filter(pl.col(ASSESSOR) == options.reference)[NUMBER]
        if len(grades) and (grades == grades.floor()).all():
            scale, whose = (float(grades.min()), float(grades.max())), options.reference  # type: ignore[arg-type]
    return judged if scale is None else on_the_scale(judged, scale, options.out_of_scale, whose)


def _ordered(judged: Judgements, levels: list[str]) -> Judgements:
    """Labels with the numbers 0, 1, 2 in the order that was given."""
    labels = judged.frame[LABEL]
    unknown = [] if labels.dtype != pl.String else labels.filter(~labels.is_in(levels)).unique().sort().to_list()
    if unknown:
        raise BadUsage(judgements.no_level(unknown, levels))
    numbers = labels.replace_strict(levels, list(map(float, range(len(levels)))), return_dtype=pl.Float64)
    return replace(judged, frame=judged.frame.with_columns(numbers.alias(NUMBER)))


def _as_frame(sources: Any, options: JudgementOptions) -> Any:  # noqa: ANN401 - as above
    """A dict of columns and a list of rows are a table if the names say which column is the item and which the label."""
    rows = isinstance(sources, list) and bool(sources) and all(isinstance(one, Mapping) for one in sources)
    if not rows and not isinstance(sources, Mapping):
        return sources
    names = list(dict.fromkeys(str(name) for one in (sources if rows else [sources]) for name in one))
    if not {ITEM, LABEL} <= meaning_of(names, chosen_columns(options.columns)).keys():
        return sources
    if rows:
        return dict_frame({name: [row.get(name) for row in sources] for name in names}, "judgements")
    columns = {str(name): list(one.values()) if isinstance(one, Mapping) else one for name, one in sources.items()}
    are_files = any(isinstance(one, (str, bytes, os.PathLike)) or not hasattr(one, "__len__") for one in columns.values())
    return sources if are_files else dict_frame(columns, "judgements")


def _listed(sources: Any) -> list[tuple[str | None, Any]]:  # noqa: ANN401 - as above
    """Each source with the name of its assessor, where it has one."""
    if isinstance(sources, Mapping):
        return list(sources.items())
    if isinstance(sources, (list, tuple)):
        return [(None, source) for source in sources]
    return [(None, sources)]


def _refuse_different_lengths(listed: list[tuple[str | None, Any]]) -> None:
    """Labels in lists are of the same items by their place."""
    arrays = [(name or "judgements", len(source)) for name, source in listed if _is_array(source)]
    for name, length in arrays[1:]:
        if length != arrays[0][1]:
            raise BadData(judgements.different_lengths(str(name), length, arrays[0][1]))


def _is_array(source: Any) -> bool:  # noqa: ANN401 - as above
    """Whether labels stand by their place, without names of items."""
    if isinstance(source, (list, tuple)):
        return True
    return hasattr(source, "__array__") and not isinstance(source, type) and not is_frame(source)


def _part(named: tuple[str | None, Any], options: JudgementOptions) -> Part:
    name, source = named
    part = _opened_part(source, name or "judgements", options)
    return part if name is None else part.named(str(name))


def _opened_part(source: Any, label: str, options: JudgementOptions) -> Part:  # noqa: ANN401 - as above
    columns = chosen_columns(options.columns)
    if isinstance(source, (str, os.PathLike, Content)) or hasattr(source, "read"):
        content = load(source, options.max_bytes)
        opened = _of_content(content, columns, options)
        return opened if isinstance(opened, Part) else _understood(opened, options)
    if is_frame(source):
        return _understood(Opened(polars_frame(source, label), label, label, FrameOrigin(label), columns), options)
    if isinstance(source, Mapping):
        return _nested(source, label)
    if _is_array(source):
        items = [str(number) for number in range(1, len(source) + 1)]
        return _nested(dict(zip(items, list(source), strict=True)), label)
    raise BadUsage(usage.bad_object(f"the {label}: a {type(source).__name__}", EXPECTED))


def _nested(source: Mapping[Any, Any], label: str) -> Part:
    """`{item: label}` or `{case: {item: label}}`."""
    has_cases = any(isinstance(one, Mapping) for one in source.values())
    cases = source if has_cases else {ONLY_CASE: source}
    odd = next((case for case, items in cases.items() if not isinstance(items, Mapping)), None)
    if odd is not None:
        raise BadData(table.json_shape(Place(label), f"labels beside objects: {odd!r}", EXAMPLE))
    rows = [
        (str(case), str(item), given) for case, items in cases.items() for item, given in items.items() if not _is_gap(given)
    ]
    columns = {CASE: [row[0] for row in rows], ITEM: [row[1] for row in rows]}
    texts = {name: id_column(names, label, name) for name, names in columns.items()}
    frame = pl.DataFrame(
        [*(texts[name].alias(name) for name in columns), _values([row[2] for row in rows], label).alias(LABEL)]
    )
    frame = frame.with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
    return Part(frame if has_cases else frame.drop(CASE), label, label, FrameOrigin(label))


def _is_gap(given: Any) -> bool:  # noqa: ANN401 - a label of any type
    """Whether nobody judged: None and NaN."""
    return given is None or (isinstance(given, float) and isnan(given))


def _text(label: Any) -> str:  # noqa: ANN401 - a label of any type
    return str(int(label)) if isinstance(label, bool) else str(label)


def _understood(opened: Opened, options: JudgementOptions) -> Part:
    """The part that the chosen form makes of it, or else the first one that fits."""
    known = forms()
    if options.reader is not None and options.reader != TREC:
        if options.reader not in known:
            raise BadUsage(usage.bad_option("reader", options.reader, [*known, TREC]))
        chosen = known[options.reader]
        if options.reader == "quepid" and isinstance(opened.data, pl.DataFrame):
            chosen = known["matrix"]
        return _read_as(chosen, opened)
    form = next((form for form in known.values() if form.fits(opened)), None)
    if form is None:
        raise BadData(judgements.unknown_form(opened.label, [*known, TREC]))
    return _read_as(form, opened)


def _read_as(form: Form, opened: Opened) -> Part:
    """The part; a record of a tool that lacks something, or has something else in its place, is no such export."""
    try:
        return form.read(opened)
    except (KeyError, TypeError, AttributeError, ValueError, PolarsError):
        raise BadData(judgements.unknown_form(f"{opened.label} as {form.name}", [*forms(), TREC])) from None


def _of_content(content: Content, columns: Mapping[str, str], options: JudgementOptions) -> Opened | Part:
    name = name_of(content.label)
    kind = self_described(content)
    plain = FrameOrigin(content.label)
    if kind in {"parquet", "arrow"}:
        return Opened(columnar_frame(content, kind), content.label, name, plain, columns)
    if kind in {"json", "jsonl"}:
        return _of_json(content, kind, columns, options)
    if options.reader == TREC or not _has_header(content, columns):
        return _trec(content, name)
    frame, where = delimited_frame(content)
    return Opened(frame, content.label, name, where, columns)


def _of_json(content: Content, kind: str, columns: Mapping[str, str], options: JudgementOptions) -> Opened | Part:
    name = name_of(content.label)
    if kind == "jsonl":
        records, origin = jsonl_records(content)
        return _of_records(records, content.label, name, origin, columns)
    data = parsed_json(content.label, bytes(content.data), 1)
    if isinstance(data, list) and data and all(isinstance(record, dict) for record in data):
        return _of_records(data, content.label, name, RecordOrigin(content.label), columns)
    if isinstance(data, dict) and "query_doc_pairs" not in data and options.reader is None:
        return _nested(data, content.label).named(name)
    return Opened(data, content.label, name, RecordOrigin(content.label), columns)


def _has_header(content: Content, columns: Mapping[str, str]) -> bool:
    """Whether the first line names columns: it holds a usual name or one that was given, or commas and no number."""
    sample = Sample(content.label, content.head_of_data())
    names = set(sample.names)
    known = {name for group in MEANINGS.values() for name in group} | {column.lower() for column in columns.values()}
    separated = any(sign in sample.first_line for sign in ",\t")
    return separated and (bool(names & known) or not any(word.replace(".", "").isdigit() for word in names))


def _of_records(
    records: list[dict[str, Any]], label: str, name: str, origin: RecordOrigin, columns: Mapping[str, str]
) -> Opened:
    """Records as a frame, unless they are nested as those of annotation tools are."""
    opened = Opened(records, label, name, origin, columns)
    tools = [form for form in forms().values() if form.name not in {"table", "matrix"}]
    if any(form.fits(opened) for form in tools):
        return opened
    keys = dict.fromkeys(key for record in records for key in record)
    frame = pl.DataFrame({key: _values([record.get(key) for record in records], label) for key in keys})
    return replace(opened, data=frame)


def _values(values: list[Any], label: str) -> pl.Series:
    """Labels as texts, or as lists of texts if one of them is a list or a set."""
    several = (list, tuple, set, frozenset)
    odd = next((one for one in values if isinstance(one, Mapping) or not encodable(str(one))), None)
    if odd is not None:
        raise BadData(table.json_shape(Place(label), f"a label that is no text and no number: {odd!a}", EXAMPLE))
    if any(isinstance(value, several) for value in values):
        lists = [None if one is None else sorted(map(str, one)) if isinstance(one, several) else [_text(one)] for one in values]
        return pl.Series(lists, dtype=pl.List(pl.String))
    return pl.Series([None if value is None else _text(value) for value in values], dtype=pl.String)


def _trec(content: Readable, name: str) -> Part:
    """A file of judgements without a header, as `evaluate` reads its gold; negative grades are not judged."""
    read_as = read(content, "gold", ReadOptions(kind="scores"))
    frame = (
        read_as.frame.select(
            pl.col(CASE).cast(pl.String),
            ITEM,
            number_text(read_as.frame[VALUE]).alias(LABEL),
            (pl.col(VALUE) < 0).alias("unjudged"),
        )
        .with_row_index(ROW)
        .with_columns(pl.col(ROW).cast(pl.Int64))
    )
    skipped = int(frame["unjudged"].sum())
    notices = (judgements.no_answers(read_as.label, skipped, "with a negative grade, not judged"),) if skipped else ()
    kept = frame.filter(~pl.col("unjudged")).drop("unjudged")
    return Part(kept, read_as.label, name, read_as.origin, notices)
