"""A browser and a folder for the tests that open pages, and a report that is not drawn for the others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plumbline.reports import report as writing
from tests.helpers.browser import FLAGS, chromium

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser

    from plumbline.reports.building import Chapter


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all pages: each visit has a context of its own."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - slow to import

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Chapter]]:
    """What would be written, without drawing it."""
    seen: list[Sequence[Chapter]] = []

    def keep(made: Sequence[Chapter], path: Any, **_: Any) -> Path:
        seen.append(made)
        return Path(path)

    monkeypatch.setattr(writing, "write", keep)
    return seen
