"""Ten streams of mail with filters of different character, and tickets with two classifiers, made from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

STREAMS: Final = 10
MAILS: Final = 60
TICKETS: Final = 120
SEED: Final = 11
TOPICS: Final = {"billing": 50, "login": 40, "delivery": 25, "other": 5}
"""The classes of tickets with their weights: one is rare."""


@dataclass(frozen=True)
class Filter:
    """What a filter is like: how often it finds spam, and how often it takes other mail for spam."""

    description: str
    finds: float
    mistakes: float
    silent: float = 0.0


FILTERS: Final[dict[str, Filter]] = {
    "careful": Filter("accepts only when it is certain", 0.45, 0.005),
    "eager": Filter("finds nearly all spam, and much that is not spam", 0.97, 0.35),
    "timid": Filter("hardly ever says spam", 0.08, 0.002),
    "trained": Filter("good on both sides, and leaves some mails open", 0.85, 0.05, silent=0.04),
}
CLASSIFIERS: Final[dict[str, float]] = {"rules": 0.35, "model": 0.18}
"""How often each classifier errs."""


def write_labels(folder: Path, seed: int = SEED) -> list[str]:
    """Write mail.tsv, filters/*.tsv, tickets.tsv and classifiers/*.tsv; return the names of the files."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    share = {f"stream{number:02}": random.uniform(0.03, 0.3) for number in range(1, STREAMS + 1)}
    mails = {(stream, f"mail{number:03}"): random.random() < rate for stream, rate in share.items() for number in range(MAILS)}
    text = {name: _filtered(mails, character, random) for name, character in FILTERS.items()}
    written = {"mail.tsv": _lines(mails), **{f"filters/{name}.tsv": lines for name, lines in text.items()}}
    topics = dict(zip(map("ticket{:03}".format, range(TICKETS)), _topics(random, TICKETS), strict=True))
    written["tickets.tsv"] = "".join(f"{item}\t{topic}\n" for item, topic in topics.items())
    for name, errs in CLASSIFIERS.items():
        answers = {item: _topics(random, 1)[0] if random.random() < errs else topic for item, topic in topics.items()}
        written[f"classifiers/{name}.tsv"] = "".join(f"{item}\t{topic}\n" for item, topic in answers.items())
    for name, lines in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(lines, encoding="utf-8", newline="\n")
    return list(written)


def _topics(random: Random, count: int) -> list[str]:
    return random.choices(list(TOPICS), list(TOPICS.values()), k=count)


def _filtered(mails: dict[tuple[str, str], bool], character: Filter, random: Random) -> str:
    """What one filter says; a mail that it leaves open has no line."""
    answers = {
        mail: random.random() < (character.finds if spam else character.mistakes)
        for mail, spam in mails.items()
        if random.random() >= character.silent
    }
    return _lines(answers)


def _lines(mails: dict[tuple[str, str], bool]) -> str:
    return "".join(f"{stream}\t{mail}\t{'spam' if spam else 'ham'}\n" for (stream, mail), spam in mails.items())
