"""Tables in a pipe are laid out as those at a terminal are."""

from __future__ import annotations

import io

import pytest

from plumbline.render.grid import Cell, Grid
from plumbline.render.terminal import plain, terminal


class Terminal(io.StringIO):
    """A terminal that knows no colour."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.mark.parametrize(
    "names",
    [
        ("system", "AP ↑", "num_q"),
        ("系统", "é", "e\u0301 ↓"),
        ("[bold]x[/bold]", "\x1b[1m", ":smile:"),
        ("👨\u200d👩\u200d👧", "ไทย", ""),
        ("alone",),
    ],
)
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_plain_text_is_laid_out_as_at_a_terminal(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], rows: int) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "10000")
    cells = [Cell("0.1234", best=True, mark="*"), Cell("日本 [i]", mark=" "), Cell("n/a")]
    body = tuple((Cell(f"name {row}"), *cells[row:], *cells[:row])[: len(names)] for row in range(rows))
    grid = Grid(names, body, "3 cases [1]; é" if rows else "")
    shown, piped = Terminal(), io.StringIO()
    terminal(grid, shown)
    terminal(grid, piped)
    assert piped.getvalue() == plain(grid)
    assert shown.getvalue() == plain(grid)


def test_colour_can_be_forced_into_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    piped = io.StringIO()
    terminal(Grid(("system", "AP"), ((Cell("a"), Cell("1.0", best=True)),)), piped)
    assert "\x1b[" in piped.getvalue()
