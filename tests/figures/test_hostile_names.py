"""Names of systems, cases, classes and metrics are data: they are shown as they are, and do nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest
import vl_convert

from drawn import CASES, HOMES, data, outputs, table, texts
from plumbline.figures.parts import shown
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject, subject_of

HOSTILE = (
    "a.b[0]",
    "'+alert(1)+'",
    '"]; alert(1); //',
    "<script>alert(1)</script>",
    "datum.secret",
    "]]><svg onload=alert(1)>",
    "\x1b[31mred",
    "\u202etxt.exe",
    "{{constructor}}",
    "=cmd|' /C calc'!A0",
    "&lt;b&gt;",
    "a\\'b\nc",
)
ALLOWED = {"values", "domain", "title", "subtitle", "description", "title.text"}
"""Where names may stand in a specification: none of these is code or the name of a field."""


@cache
def subject(kind: str) -> Subject:
    if kind in HOMES and kind != "weights":
        return outputs(HOMES[kind], HOSTILE)
    cases = dict(zip(CASES, HOSTILE, strict=True))
    hostile = table(HOSTILE, metrics=("'+m+'", "<i>n</i>"))
    return subject_of(hostile.with_columns(pl.col("case").replace_strict(cases)))


def named_places(drawn: dict[str, Any]) -> set[str]:
    """The properties that hold a hostile text."""
    marks = [*HOSTILE, *shown(HOSTILE).values(), "'+m+'", "<i>n</i>"]
    found = [at for at, text in texts(drawn) if any(mark in text for mark in marks) and at[0] != "datasets"]
    return {"title.text" if at[-2:] == ("title", "text") else at[-1] for at in found}


@pytest.mark.parametrize("kind", [kind for kind in FIGURES if kind != "weights"])
def test_names_are_data(kind: str) -> None:
    drawn = FIGURES[kind].draw(subject(kind)).to_dict(validate=False)
    assert named_places(drawn) <= ALLOWED
    fields = {name for row in data(drawn) for name in row}
    assert all(re.fullmatch(r"[a-z_]\w*", name) for name in fields)


@pytest.mark.parametrize("kind", ["bars", "differences", "confusion", "graph"])
def test_names_do_nothing(kind: str) -> None:
    svg = vl_convert.vegalite_to_svg(FIGURES[kind].draw(subject(kind)).to_dict(validate=False))
    tree = ET.fromstring(svg)  # noqa: S314 - our own
    assert not [part.tag for part in tree.iter() if part.tag.endswith("script")]
    assert not [name for part in tree.iter() for name in part.attrib if name.startswith("on") or name.endswith("href")]
    assert "\x1b" not in svg
    assert "\u202e" not in svg


@pytest.mark.parametrize("kind", ["bars", "ranks", "unanimity"])
def test_names_are_shown_as_they_are(kind: str) -> None:
    drawn = FIGURES[kind].draw(subject(kind)).to_dict(validate=False)
    written = {"".join(part.itertext()) for part in ET.fromstring(vl_convert.vegalite_to_svg(drawn)).iter()}  # noqa: S314 - as above
    for name in HOSTILE:
        assert shown([name])[name] in written


def test_names_never_become_the_same() -> None:
    made = shown(["a\x1b", "a\\x1b", "", "a"])
    assert list(made.values()) == ["a\\x1b", "a\\x1b (2)", "(empty name)", "a"]
