"""Every output format renders every result, and no name acts on a terminal, a page or a spreadsheet."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline as pb
from plumbline.render.formats import OutputFormat, find_format, format_of, output_format, output_formats, render
from tests.helpers.results import MADE, example

if TYPE_CHECKING:
    from plumbline.render.document import Document

FORMATS = output_formats()
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NEEDS_SCORES = {"trec_eval"}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("form", FORMATS)
def test_a_format_renders_a_result(form: str, name: str) -> None:
    result = example(name)
    if form in NEEDS_SCORES and result.score_table() is None:
        with pytest.raises(pb.BadUsage, match=r"E362.*holds scores of systems"):
            render(result, form)
        return
    text = render(result, form)
    assert text.endswith("\n") or not text
    assert text or not result.notices
    assert not CONTROLS.search(text), repr(text)
    for alias in FORMATS[form].aliases:
        assert render(result, alias) == text


@pytest.mark.parametrize("name", MADE)
def test_json_reads_back(name: str) -> None:
    assert json.loads(render(example(name), "json"), parse_constant=pytest.fail)
    lines = [json.loads(line, parse_constant=pytest.fail) for line in render(example(name), "jsonl").splitlines()]
    assert len(lines) == len(example(name).to_rows())


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_delimited_text_reads_back(form: str, separator: str, name: str) -> None:
    rows = example(name).to_rows()
    read = pl.read_csv(BytesIO(render(example(name), form).encode()), separator=separator, infer_schema_length=None)
    assert read.shape == rows.shape
    assert read.columns == rows.columns
    texts = [value for column in read.iter_columns() if column.dtype == pl.String for value in column.drop_nulls()]
    assert not [value for value in texts if value.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("name", MADE)
def test_html_is_balanced_and_has_no_attributes(name: str) -> None:
    open_tags: list[str] = []

    class Balanced(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not attrs
            open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Balanced().feed(render(example(name), "html"))
    assert open_tags == []


@pytest.mark.parametrize("name", MADE)
def test_markdown_tables_have_as_many_cells_in_every_row(name: str) -> None:
    lines = [line for line in render(example(name), "markdown").splitlines() if line.startswith("| ")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in lines]
    rules = [place for place, line in enumerate(lines) if line.startswith("| ---")]
    for start, stop in zip(rules, [*(place - 1 for place in rules), len(lines)][1:], strict=True):
        assert len(set(widths[start - 1 : stop])) == 1


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_is_described_and_found_by_its_names(form: str) -> None:
    result = FORMATS[form]
    assert result.description.endswith(".")
    assert all(find_format(word) is result for word in (result.name, *result.aliases))
    assert all(format_of(f"table{suffix}") is result for suffix in result.suffixes)


def test_an_unknown_format_names_the_nearest() -> None:
    with pytest.raises(pb.BadUsage, match=r"(?s)E361 there is no output format 'makdown'.*did you mean markdown\?"):
        render(example("Weights"), "makdown")
    assert format_of("table.unknown") is None


def test_a_name_is_declared_once() -> None:
    def convert(document: Document) -> str:
        """Nothing."""
        return str(document)

    with pytest.raises(ValueError, match="a name of its own"):
        output_format("other", aliases=("md",))(convert)
    assert "other" not in output_formats()


def test_two_formats_do_not_share_a_suffix() -> None:
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_sentences_are_left_out_where_tables_are_wanted() -> None:
    why = example("Why")
    assert "of poor in case q1" in render(why, "markdown")
    assert "of poor in case q1" not in render(why, "markdown", tables_only=True)
    assert isinstance(find_format("md"), OutputFormat)
