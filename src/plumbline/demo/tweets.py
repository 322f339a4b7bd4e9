"""Tweets about forty brands, grouped by topic, and systems whose differences are real, a matter of weight, or chance."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

BRANDS: Final = 40
SEED: Final = 172
PIECES: Final = 3
"""The number of further pieces of a topic that is split."""

Topics = dict[str, int]
"""The topic of each tweet."""


@dataclass(frozen=True)
class Grouping:
    """What a system is like: how often it puts a tweet into another topic, and how often it splits one off."""

    description: str
    strays: float
    splits: float


GROUPINGS: Final[dict[str, Grouping]] = {
    "words": Grouping("the system in use", 0.32, 0.08),
    "strict": Grouping("joins only when it is certain", 0.05, 0.38),
    "links": Grouping("looks at links too: better at both", 0.16, 0.06),
    "tags": Grouping("looks at tags only: worse at both", 0.45, 0.3),
}
TUNED: Final = "tuned"
"""A fifth system, `words` with some answers drawn again: any difference from `words` is chance."""
CHANGED: Final = 0.3
"""The share of tweets whose answer is drawn again."""


def write_tweets(folder: Path, seed: int = SEED) -> list[str]:
    """Write tweets.tsv and grouped/*.tsv; return the names of the files."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    gold = {f"brand{number:02}": _gold(random) for number in range(1, BRANDS + 1)}
    hard = {brand: random.uniform(0.5, 1.5) for brand in gold}
    answers = {
        name: {brand: _grouped(topics, grouping, hard[brand], random) for brand, topics in gold.items()}
        for name, grouping in GROUPINGS.items()
    }
    answers[TUNED] = {
        brand: clusters | _some(_grouped(gold[brand], GROUPINGS["words"], hard[brand], random), random)
        for brand, clusters in answers["words"].items()
    }
    truth = {brand: {tweet: f"t{topic}" for tweet, topic in topics.items()} for brand, topics in gold.items()}
    written = {"tweets.tsv": _lines(truth), **{f"grouped/{name}.tsv": _lines(groups) for name, groups in answers.items()}}
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(written)


def _gold(random: Random) -> Topics:
    """Twenty to thirty tweets about three to six topics, of which the first ones are larger."""
    topics = list(range(random.randint(3, 6)))
    weights = [1 / (topic + 1) for topic in topics]
    return {f"tweet{number:02}": random.choices(topics, weights)[0] for number in range(random.randint(20, 30))}


def _grouped(topics: Topics, grouping: Grouping, hard: float, random: Random) -> dict[str, str]:
    """The topics with the errors of a system, more of them where a brand is hard."""
    clusters = {}
    for tweet, topic in topics.items():
        stray, split = (random.random() < hard * rate for rate in (grouping.strays, grouping.splits))
        place = random.choice(list(topics.values())) if stray else topic
        clusters[tweet] = f"c{place}.{random.randint(1, PIECES) if split else 0}"
    return clusters


def _some(answers: dict[str, str], random: Random) -> dict[str, str]:
    return {tweet: cluster for tweet, cluster in answers.items() if random.random() < CHANGED}


def _lines(groups: dict[str, dict[str, str]]) -> str:
    return "".join(f"{brand}\t{tweet}\t{group}\n" for brand, clusters in groups.items() for tweet, group in clusters.items())
