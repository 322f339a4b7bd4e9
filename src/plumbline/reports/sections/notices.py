"""What the reader should know about the data: what was missing, undefined, repeated or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors.base import READ_AS, plural
from plumbline.reports.model import Entry, Heading, Notice, Notices, Paragraph, Section, Table

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject


def section(subject: Subject) -> Section:
    """What was missing, undefined, repeated or decided."""
    notices = tuple(
        Notice(one.code, one.headline().replace(f"{one.code} ", "", 1), one.help or "") for one in subject.all_notices
    )
    decided = tuple(one for one in notices if one.code != READ_AS)
    read = tuple(one for one in notices if one.code == READ_AS)
    blocks = [Notices(decided)] if decided else [Paragraph("Nothing was missing, undefined, repeated or left out.")]
    return Section("notices", "About the data", (*blocks, *_reading(read)))


def _reading(read: tuple[Notice, ...]) -> tuple[Table, ...]:
    """How each file was read, folded away."""
    rows = tuple((Entry(one.text),) for one in read)
    heading = (Heading("file", numeric=False),)
    folded = f"How {plural(len(read), 'file')} {'was' if len(read) == 1 else 'were'} read"
    return (Table("reading", "how each file was read", heading, rows, folded=folded, live=False),) if read else ()
