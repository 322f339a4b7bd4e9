"""Whether a file holds judgements or an output, decided by its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plumbline.io.bytes.content import Content
from plumbline.io.columns.names import GRADES, RANKS, SCORES
from plumbline.io.registry import resolved
from plumbline.io.sniff import sniff

if TYPE_CHECKING:
    from plumbline.io.table import Readable, ReadOptions, Role


def role_of(content: Content, options: ReadOptions) -> Role | None:
    """What the columns say that a file is, if they do: a JSON file of numbers may be either."""
    reader, _ = sniff(content, options)
    if reader.role_of is None:
        return _role_by_names(content)
    role: Role | None = resolved(reader.role_of)(content)
    return role


def role_of_organization(source: Readable, options: ReadOptions) -> Role:
    """The same for an organization, where only grades and the order of a file need it; a folder holds clusters."""
    if options.order != "score" or not isinstance(source, Content):
        return "output"
    return _role_by_names(source) or "output"


def _role_by_names(content: Content) -> Role | None:
    """Judgements have grades, outputs have scores or ranks; the first line names columns, or is a record with their names."""
    names = set(re.findall(r"[a-z_]+", content.head(2**12).decode(errors="replace").split("\n")[0].lower()))
    only_in_outputs = (set(SCORES) | set(RANKS)) - set(GRADES) | {"score"}
    only_in_gold = set(GRADES) - set(SCORES) - {"rank"}
    if names & only_in_outputs:
        return "output"
    return "gold" if names & only_in_gold else None
