"""A result without scores of systems, such as judgements, a pool or an experiment: its figures and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject
from plumbline.render.grid import Fields, Grid, Sentences, Verbatim
from plumbline.reports.model import Entry, Heading, Listing, Paragraph, Points, Section, Table, table_of
from plumbline.reports.sections import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.figures.figure import Figure
    from plumbline.render.grid import Block as Shown
    from plumbline.render.result import Result
    from plumbline.reports.model import Block


def sentences(result: Result) -> tuple[str, ...]:
    """What it says first."""
    texts = next((block.lines for block in result.to_page() if isinstance(block, Sentences)), ())
    return tuple(filter(None, texts)) or (f"{result.heading}: see the tables below.",)


def facts(result: Result) -> str:
    """What was counted: the caption of its first table."""
    return next((block.caption for block in result.to_page() if isinstance(block, Grid) and block.caption), "")


def sections(result: Result) -> Iterator[Section]:
    """The figures that draw it, by their sections, and then all sentences and tables."""
    alone = Subject(result=result)
    for figures in drawn.declared_sections().values():
        mine = [one for one in figures if _draws(one, result)]
        empty = {one.name: why for one in mine if (why := drawn.why_empty(alone, one, drawn.place_of(one.name)))}
        pictures = [made for one in mine if one.name not in empty and (made := drawn.picture(alone, one.name)) is not None]
        if pictures:
            about = drawn.place_of(mine[0].name).section
            left_out = [Paragraph(why) for why in dict.fromkeys(empty.values())]
            text = Paragraph(drawn.text(about, alone))
            yield Section(about.name, drawn.title(about, alone), (text, *pictures, *left_out))
    texts = sentences(result)
    blocks = [_block(block, at) for at, block in enumerate(result.to_page())]
    shown = tuple(block for block in blocks if not (isinstance(block, Points) and block.texts == texts))
    if shown:
        yield Section("tables", "Tables", shown)


def _draws(figure: Figure, result: Result) -> bool:
    return figure.of is not None and isinstance(result, figure.of) and FIGURES[figure.name].applies(Subject(result=result))


def _block(block: Shown, at: int) -> Block:
    """A block of a terminal as a block of a page."""
    if isinstance(block, Sentences):
        return Points(tuple(filter(None, block.lines)))
    if isinstance(block, Verbatim):
        return Listing("", tuple(block.text.splitlines()))
    if isinstance(block, Fields):
        rows = tuple((Entry(name), Entry(text)) for name, text in block.rows)
        return Table(f"table-{at}", "", (Heading("what", numeric=False), Heading("value", numeric=False)), rows, live=False)
    return table_of(block, f"table-{at}")
