"""WePS clusterings: an XML file for each name, with its entities and their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_EXAMPLE: Final = """<clustering name="caf\u00e9">
<entity id="0">
<doc rank="1"/>
<doc rank="22"/>
</entity>
<entity id="1">
<doc rank="333"/>
</entity>
</clustering>
"""


def sniff(sample: Sample) -> str | None:
    """The start of an XML file."""
    return "it is XML" if sample.text.startswith((b"<?xml", b"<!", b"<clustering")) else None


declare(
    Reader(
        "weps",
        "XML files of WePS: the documents of each entity; discarded documents are not items",
        "plumbline.io.formats.weps.reading:read_weps",
        sniff,
        sign="magic",
        suffixes=(".xml", ".clust"),
        example=_EXAMPLE,
        kinds=("clusters", "levels"),
        folders=True,
    )
)
