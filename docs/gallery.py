"""Draw the gallery: a picture of every figure, by the example that it declares, into docs/plots, and its part of the page.

python docs/gallery.py
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from contextlib import chdir
from glob import glob
from math import exp
from pathlib import Path
from random import Random
from typing import Final

from plumbline.cli.app import run
from plumbline.demo.alerts import write_alerts
from plumbline.demo.collection import write_collection
from plumbline.demo.labels import write_labels
from plumbline.demo.tweets import write_tweets
from plumbline.figures.registry import FIGURES

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "figures-gallery.md"
START: Final = "## The kinds\n"


def picture(kind: str) -> str:
    """The name of the picture of a kind."""
    return f"{kind.replace('_', '-')}.svg"


def section() -> str:
    """The part of the page that this script writes: each figure with its picture, how to read it, and the command."""
    parts = [
        f"### {kind}\n\n{figure.title}. {figure.caption}\n\n![{figure.title}](plots/{picture(kind)})\n\n"
        f"```sh\nplumbline plot {kind} {figure.example}\n```\n"
        for kind, figure in FIGURES.items()
    ]
    return (
        f"{START}\nThe pictures show the collection of `plumbline demo`; `chances` are made-up probabilities for its mails.\n\n"
        + "\n".join(parts)
    )


def write_chances(folder: Path) -> None:
    """Probabilities of two made-up filters for the mails of the collection, into chances/."""
    random = Random(1)  # noqa: S311 - made data, not secrets
    mails = [line.split("\t") for line in (folder / "mail.tsv").read_text(encoding="utf-8").splitlines()]
    (folder / "chances").mkdir()
    for name, skill in (("sharp", 2.5), ("blunt", 1.0)):
        lines = []
        for stream, mail, label, *_ in mails:
            odds = exp(random.gauss(skill if label == "spam" else -skill, 1.5))
            lines.append(f"{stream}\t{mail}\t{odds / (1 + odds):.4f}\n")
        (folder / "chances" / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")


def draw(folder: Path) -> None:
    """Draw all pictures into a folder."""
    with tempfile.TemporaryDirectory() as collection, chdir(collection):
        for write in (write_collection, write_labels, write_alerts, write_tweets):
            write(Path())
        write_chances(Path())
        for kind, figure in FIGURES.items():
            given = [name for word in shlex.split(figure.example) for name in (sorted(glob(word)) or [word])]  # noqa: PTH207 - as a shell
            if run(["plot", kind, *given, "-o", os.fspath(folder / picture(kind)), "--force", "--quiet"]):
                sys.exit(f"{kind} was not drawn")


def main() -> None:
    """Write the pictures and the page."""
    draw((HERE / "plots").resolve())
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(START)] + section(), encoding="utf-8")


if __name__ == "__main__":
    main()
