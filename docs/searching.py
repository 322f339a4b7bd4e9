"""What the search of the site puts first: it splits `p-value` into two words, of which one is the name of a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

BOOST: Final = {"improvement.md": 10}
"""How much more the words of a page count than those of others."""


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:  # noqa: ANN401 - what mkdocs passes
    """Weigh a page, without front matter that other viewers would show."""
    if page.file.src_uri in BOOST:
        page.meta["search"] = {"boost": BOOST[page.file.src_uri]}
    return markdown
