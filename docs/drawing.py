"""Pieces of the drawings of these pages: SVG that tells in words what it shows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Words at a place."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def svg(width: int, height: int, title: str, description: str, style: str, parts: Iterable[str]) -> str:
    """A drawing with a title and a description for those who do not see it."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title told">'
    words = f'<title id="title">{escape(title)}</title>\n<desc id="told">{escape(description)}</desc>\n<style>{style}</style>'
    return "\n".join([head, words, *parts, "</svg>", ""])
