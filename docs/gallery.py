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
        f"{START}\nThe pictures show the collection of `plumbline demo`; `chances` are made-up probabilities for its "
        "mails, and a file that ends in `.parquet` is what `plumbline agree`, `pool --simulate`, `experiment`, "
        "`interleave --log`, `policy` or `clicks` saved.\n\n" + "\n".join(parts)
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


def write_judgements(folder: Path) -> None:
    """Judgements of four made-up assessors of the collection, and a replay of its judging."""
    random = Random(2)  # noqa: S311 - as above
    lines = ["case,item,assessor,grade"]
    rows = [line.split() for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines()]
    for judge, care in (("anna", 0.95), ("ben", 0.9), ("cy", 0.8), ("dora", 0.4)):
        for case, _, item, grade in rows:
            lines.append(f"{case},{item},{judge},{grade if random.random() < care else random.randrange(3)}")
    (folder / "judgements.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    runs = sorted(glob("runs/*.run", root_dir=folder))  # noqa: PTH207 - as a shell
    run(["agree", "judgements.csv", "--systems", *runs, "-m", "AP", "-o", "judges.parquet", "--quiet"])
    orders = [word for order in ("rrf", "depth", "bandit", "hedge") for word in ("--method", order)]
    write_users(folder)
    run(["pool", *runs, "--simulate", "qrels.txt", *orders, "-o", "replay.parquet", "--quiet"])
    run(["clicks", *runs, "--simulate", "qrels.txt", "--model", "dbn", "--sessions", "5000", "-o", "log.csv", "--quiet"])
    run(["clicks", "log.csv", "-o", "models.parquet", "--quiet"])


def write_users(folder: Path) -> None:
    """Users of two made-up variants of a shop over two weeks, and the analysis of their experiment."""
    random = Random(3)  # noqa: S311 - as above
    lines = ["user,variant,country,day,orders,minutes"]
    for user in range(6_000):
        arm, country = random.choice("AB"), random.choice(("de", "es", "fr", "it"))
        orders = sum(random.random() < (0.11 if arm == "A" else 0.13) for _ in range(10))
        lines.append(f"{user},{arm},{country},2026-03-{1 + user // 429:02d},{orders},{random.expovariate(0.2):.1f}")
    (folder / "users.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = "users.csv -m orders -m minutes --by country --peek --planned 6000 --when day -o experiment.parquet --quiet"
    run(["experiment", *words.split()])


def write_sizes(folder: Path) -> None:
    """Learning curves of three made-up learners."""
    random = Random(2)  # noqa: S311 - as above
    learners = {"neighbours": (0.86, 1.1), "words": (0.9, 2.0), "network": (0.97, 4.5)}
    rows = [
        f"{name},{size},{fold},{limit - gap * size**-0.5 + random.gauss(0, 0.01):.4f}\n"
        for name, (limit, gap) in learners.items()
        for size in (50, 100, 200, 400, 800)
        for fold in range(5)
    ]
    (folder / "sizes.csv").write_text("".join(["system,size,fold,Accuracy\n", *rows]), encoding="utf-8")
    run(["learning", "sizes.csv", "--runs", "fold", "-o", "curves.parquet", "--quiet"])


def write_clicks(folder: Path) -> None:
    """Made-up clicks on interleaved lists of the collection, and rewards of a made-up shop window."""
    random = Random(4)  # noqa: S311 - as above
    lines = ["session,event,team"]
    for session in range(400):
        shown = random.sample(("bm25", "dense", "hybrid"), k=3)
        lines += [f"{session},click,{team}" for team in shown if random.random() < {"hybrid": 0.5, "bm25": 0.35}.get(team, 0.3)]
    (folder / "clicks.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(["interleave", "--log", "clicks.csv", "-o", "preferences.parquet", "--quiet"])
    chances, clicked = {"boots": 0.5, "coats": 0.3, "hats": 0.2}, {"boots": 0.1, "coats": 0.15, "hats": 0.3}
    shown = random.choices(list(chances), list(chances.values()), k=2_000)
    rows = [f"{action},{chances[action]},{int(random.random() < clicked[action])}" for action in shown]
    (folder / "banners.csv").write_text("\n".join(["action,propensity,clicked", *rows]) + "\n", encoding="utf-8")
    run(["policy", "banners.csv", "--policy", "uniform", "-o", "policy.parquet", "--quiet"])


def draw(folder: Path) -> None:
    """Draw all pictures into a folder."""
    with tempfile.TemporaryDirectory() as collection, chdir(collection):
        for write in (write_collection, write_labels, write_alerts, write_tweets):
            write(Path())
        write_chances(Path())
        write_judgements(Path())
        write_sizes(Path())
        write_clicks(Path())
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
