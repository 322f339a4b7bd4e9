"""The picture of a report in the README: the demo's report, as a browser shows it.

python docs/screenshot.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PICTURE = HERE / "screenshots" / "report.png"
SHOWN = "part-4"
"""The part about clusters: it has a winner for some weights and another one for others."""
sys.path.insert(0, str(HERE.parent))

from tests.helpers.browser import FLAGS, chromium, opened  # noqa: E402 - found in the tests


def main() -> None:
    """Make the demo, open its report, and keep what is seen of one part."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo = Path(folder) / "demo"
        subprocess.run([sys.executable, "-m", "plumbline", "demo", str(demo)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        with opened(browser, demo / "report.html") as visit:
            visit.page.set_viewport_size({"width": 1280, "height": 1180})
            visit.run("(name) => document.getElementById(name).scrollIntoView({behavior: 'instant'})", SHOWN)
            visit.page.wait_for_timeout(500)
            visit.page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
