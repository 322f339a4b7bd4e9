"""Eight brands with alerts by priority and topic, and systems that fail at different things, made from a seed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BRANDS: Final = ("airline", "bank", "brewery", "carmaker", "hotel", "museum", "phone", "shop")
SEED: Final = 13
LEVELS: Final = 3
"""Act now, answer today, keep an eye on it."""

Levels = list[list[list[str]]]


@dataclass(frozen=True)
class Monitor:
    """What a system is like, and what it makes of the right answer."""

    description: str
    answers: Callable[[Levels, Random], Levels]


def write_alerts(folder: Path, seed: int = SEED) -> list[str]:
    """Write alerts.json, alerts/*.json, and a ranking with its clusters; return the names of the files."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    gold = {brand: _gold(random) for brand in BRANDS}
    written = {"alerts.json": _lines(gold)}
    for name, monitor in MONITORS.items():
        written[f"alerts/{name}.json"] = _lines({brand: monitor.answers(levels, random) for brand, levels in gold.items()})
    written["alerts/scored.run"] = "".join(_scored(brand, levels, random) for brand, levels in gold.items())
    written["alerts/topics.tsv"] = "".join(_topics(brand, levels) for brand, levels in gold.items())
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(written)


def _gold(random: Random) -> Levels:
    """Levels of one to three topics with up to four posts each; in some brands a post is about two topics of a level."""
    posts = iter(random.sample([f"post{number:02}" for number in range(60)], 60))
    levels = [[[next(posts) for _ in range(random.randint(1, 4))] for _ in range(random.randint(1, 3))] for _ in range(LEVELS)]
    wide = [level for level in levels if len(level) > 1]
    if wide and random.random() < 0.5:  # noqa: PLR2004 - one half
        level = random.choice(wide)
        level[1].append(level[0][0])
    return levels


def _ordered(levels: Levels, random: Random) -> Levels:
    """The levels are right; topics fall apart."""
    return [[part for topic in level for part in _broken(topic, random)] for level in levels]


def _broken(topic: list[str], random: Random) -> list[list[str]]:
    """A topic in two pieces, or whole."""
    cut = random.randint(1, len(topic))
    return [part for part in (topic[:cut], topic[cut:]) if part]


def _grouped(levels: Levels, random: Random) -> Levels:
    """The topics are right; they stand at any level."""
    moved: Levels = [[] for _ in levels]
    for level in levels:
        for topic in level:
            random.choice(moved).append(topic)
    return [level for level in moved if level]


def _short(levels: Levels, random: Random) -> Levels:
    """Only what is urgent, and not all of it."""
    kept = [[[post for post in topic if random.random() < 0.9] for topic in level] for level in levels[:2]]  # noqa: PLR2004
    return [[topic for topic in level if topic] for level in kept if any(level)]


def _noisy(levels: Levels, random: Random) -> Levels:
    """All alerts are there, between posts that are none."""
    noise = iter(random.sample([f"chat{number:02}" for number in range(60)], 60))
    return [[*([*topic, next(noise)] for topic in level), *([next(noise)] for _ in range(2))] for level in levels]


MONITORS: Final[dict[str, Monitor]] = {
    "ordered": Monitor("right priorities, split topics", _ordered),
    "grouped": Monitor("right topics, wrong priorities", _grouped),
    "short": Monitor("shows little, misses alerts", _short),
    "noisy": Monitor("shows everything, including posts that are not alerts", _noisy),
}
"""A fifth system, `scored`, is a ranking by one program and topics by another."""


def _scored(brand: str, levels: Levels, random: Random) -> str:
    """The lines of a ranking with rough scores."""
    scores = {
        post: round(LEVELS - place + random.gauss(0, 0.7), 3)
        for place, level in enumerate(levels)
        for topic in level
        for post in topic
    }
    ranked = sorted(scores, key=lambda post: -scores[post])
    return "".join(f"{brand} Q0 {post} {rank} {scores[post]} scored\n" for rank, post in enumerate(ranked, start=1))


def _topics(brand: str, levels: Levels) -> str:
    """The lines of a clustering without overlap: a post about two topics is in the second only."""
    rows = {
        post: f"topic{place}.{number}"
        for place, level in enumerate(levels)
        for number, topic in enumerate(level)
        for post in topic
    }
    return "".join(f"{brand}\t{post}\t{topic}\n" for post, topic in rows.items())


def _lines(answers: dict[str, Levels]) -> str:
    """A JSON list with a line for each brand."""
    return "[" + ",\n ".join(json.dumps({"case": brand, "levels": levels}) for brand, levels in answers.items()) + "]\n"
