"""The gallery of figures: a picture of every kind into docs/plots, and its part of the page of figures.

python docs/gallery.py
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from contextlib import chdir
from glob import glob
from pathlib import Path
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
TWEETS: Final = "tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR"
MAIL: Final = "mail.tsv filters/*.tsv --positive spam"
DRAWN_OF: Final = {
    "bars": f"{MAIL} --floor -m 'F(P,R)' -m Accuracy -m Lam",
    "ranks": "qrels.txt runs/*.run",
    "graph": TWEETS,
    "unanimity": TWEETS,
    "alpha": TWEETS,
    "differences": f"{TWEETS} --system strict --system words",
    "scatter": f"{MAIL} --floor -m Accuracy -m 'F(Rel,Sens)'",
    "tradeoff": TWEETS,
    "precision_recall": "qrels.txt runs/*.run",
    "confusion": "tickets.tsv classifiers/*.tsv",
    "losses": "alerts.json alerts/*.json --task organization",
    "weights": "-m 'Rel(n=10)' -m 'Rel(n=30)' -m 'Rel(n=30,discount=geometric)'",
    "strictness": "qrels.txt runs/*.run -m AP -m nDCG@10 -m P@10 -m RR -m R@10 -m ERR",
}
"""What each kind is drawn of: the collection of `plumbline demo`."""


def picture(kind: str) -> str:
    """The name of the picture of a kind."""
    return f"{kind.replace('_', '-')}.svg"


def section() -> str:
    """The part of the page that the script writes: every kind with its picture, how to read it, and the command."""
    parts = [
        f"### {kind}\n\n{figure.title}. {figure.caption}\n\n![{figure.title}](plots/{picture(kind)})\n\n"
        f"```sh\nplumbline plot {kind} {DRAWN_OF[kind]}\n```\n"
        for kind, figure in FIGURES.items()
    ]
    return f"{START}\nThe pictures show the collection of `plumbline demo`.\n\n" + "\n".join(parts)


def draw(folder: Path) -> None:
    """Draw all pictures into a folder."""
    with tempfile.TemporaryDirectory() as collection, chdir(collection):
        for write in (write_collection, write_labels, write_alerts, write_tweets):
            write(Path())
        for kind, words in DRAWN_OF.items():
            given = [name for word in shlex.split(words) for name in (sorted(glob(word)) or [word])]  # noqa: PTH207 - as a shell
            if run(["plot", kind, *given, "-o", os.fspath(folder / picture(kind)), "--force", "--quiet"]):
                sys.exit(f"{kind} was not drawn")


def main() -> None:
    """Write the pictures and the page."""
    draw((HERE / "plots").resolve())
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(START)] + section(), encoding="utf-8")


if __name__ == "__main__":
    main()
