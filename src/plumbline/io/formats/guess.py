"""Whether a file holds judgements or an output, told by its columns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plumbline.io.bytes.content import load
from plumbline.io.bytes.lines import Fields, data_lines
from plumbline.io.formats.columns import GRADES, RANKS, SCORES
from plumbline.io.formats.trec import JUDGEMENTS
from plumbline.io.sniff import sniff

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Role

_ENDINGS: Final[dict[str, Role]] = {".qrels": "gold", ".run": "output"}


def role_of(content: Content, reader: str | None) -> Role:
    """Judgements have grades, outputs have scores or ranks; where the columns do not tell, it is an output."""
    return told_role(content, reader) or "output"


def told_role(content: Content, reader: str | None) -> Role | None:
    """What the columns tell that a file is, if they do: a JSON file of numbers may be either."""
    kind, _ = sniff(content, reader)
    if kind == "trec":
        first = next(data_lines(content), (0, b""))
        return "gold" if len(Fields.of(*first)) == len(JUDGEMENTS) else "output"
    return _by_names(content)


def meant_role(path: Path) -> Role | None:
    """What the ending of a name says that a file is, if it does."""
    return _ENDINGS.get(path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix)


def organization_role(path: str, options: ReadOptions) -> Role:
    """The same for an organization, where only grades and the order of a file need it; a folder holds clusters."""
    if options.order != "score" or path == "-" or not Path(path).is_file():
        return "output"
    return _by_names(load(path, options.max_bytes)) or "output"


def _by_names(content: Content) -> Role | None:
    """The first line names columns, or is a record with their names."""
    names = set(re.findall(r"[a-z_]+", content.head(2**12).decode(errors="replace").split("\n")[0].lower()))
    only_in_outputs = (set(SCORES) | set(RANKS)) - set(GRADES) | {"score"}
    only_in_gold = set(GRADES) - set(SCORES) - {"rank"}
    if names & only_in_outputs:
        return "output"
    return "gold" if names & only_in_gold else None
