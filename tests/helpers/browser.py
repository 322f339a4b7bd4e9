"""A browser for tests: Debian's chromium, driven by Playwright, with everything that it asks for and complains about."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page

VARIABLE = "PLUMBLINE_CHROMIUM"
FLAGS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP, PHONE = 1280, 360


def chromium() -> str:
    """The path of a browser; the test is skipped where there is none."""
    path = os.environ.get(VARIABLE) or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip(f"no chromium: install it with apt, or set {VARIABLE} to the path of one", allow_module_level=True)
    return path


@dataclass
class Visit:
    """A page that was opened, what it asked for, and what it complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def refuse(self, dialog: Dialog) -> None:
        """No page asks its reader anything."""
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def run(self, script: str, argument: Any = None) -> Any:
        """Ask the page something."""
        return self.page.evaluate(script, argument)

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return self.page.locator(selector).count()

    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.run("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@contextmanager
def opened(browser: Browser, path: Path, *, width: int = DESKTOP, **context: Any) -> Iterator[Visit]:
    """The page with all its figures drawn, in a context of its own without network."""
    made = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **context)
    page = made.new_page()
    visit = Visit(page)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("console", lambda message: visit.complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: visit.complaints.append(f"error: {error}"))
    page.on("dialog", visit.refuse)
    page.goto(path.resolve().as_uri())
    if context.get("java_script_enabled", True):
        page.wait_for_selector("html[data-drawn=all]", state="attached")
    try:
        yield visit
    finally:
        made.close()
