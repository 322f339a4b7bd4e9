"""Declarations are read from text as importing them would tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.comparison.significance.registry import all_tests
from plumbline.declarations import declarations
from plumbline.io.catalogue import reader_names
from plumbline.io.registry import readers
from plumbline.render.formats import format_names, output_formats

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MODULE = '''"""Some metrics, not @metric("at all")."""

@metric("AP", linear=True)
def ap(): ...


@metric(
    "nDCG",
    at="k",
    claims=("deepness",),
)
@cache
def ndcg(): ...

    @metric("inside")

declare(
    Format("short", text=True),
    Format(
        "long",
        text=False,
        example=f"{1}",
    ),
)
'''


def test_uses_of_a_decorator_or_class_are_read_without_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "declaring"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "some.py").write_text(MODULE + "raise SystemExit\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert declarations("declaring", "metric") == {"AP": {"linear": True}, "nDCG": {"at": "k"}}
    assert declarations("declaring", "Format") == {"short": {"text": True}, "long": {"text": False}}


def test_the_names_are_those_that_importing_declares() -> None:
    assert format_names() == list(output_formats())
    assert reader_names() == tuple(readers())
    assert declarations("plumbline.comparison.significance", "significance_test").keys() == all_tests().keys()
