"""BioC: documents in passages, with annotations, as XML or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.io.registry import Reader, declare

if TYPE_CHECKING:
    from plumbline.io.sample import Sample

_EXAMPLE: Final = """<collection><source/><date/><key/><document><id>1</id>
<passage><offset>0</offset><text>Ada left Caf\u00e9 Noir.</text>
<annotation id="a"><infon key="type">PER</infon><location offset="0" length="3"/><text>Ada</text></annotation>
<annotation id="b"><infon key="type">ORG</infon><location offset="9" length="9"/><text>Caf\u00e9 Noir</text></annotation>
</passage></document></collection>
"""


def sniff_bioc(sample: Sample) -> str | None:
    """XML, or an object with passages."""
    if sample.text.startswith((b"<?xml", b"<!", b"<collection")):
        return "it is XML"
    return "it has passages of BioC" if sample.text.startswith((b"{", b"[")) and b'"passages"' in sample.text else None


declare(
    Reader(
        "bioc",
        "spans of documents in passages, as BioC writes them, in XML or JSON",
        "plumbline.io.formats.bioc.reading:read_bioc",
        sniff_bioc,
        sign="magic",
        suffixes=(".bioc",),
        example=_EXAMPLE,
        kinds=("spans",),
        annotated=True,
    ),
)
