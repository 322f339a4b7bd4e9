"""Twenty cases with graded judgements and six ranking systems of different character, made from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CASES: Final = 20
ITEMS: Final = 120
SEED: Final = 7

Ranking = dict[str, float]
Grades = dict[str, int]


@dataclass(frozen=True)
class Character:
    """What a system is like: how noisy, how long its lists are, and what it does to its scores."""

    description: str
    noise: float
    length: int
    score: Callable[[float], float] = float
    skips: int = 0
    top_only: bool = False


SYSTEMS: Final[dict[str, Character]] = {
    "strong": Character("good at the top and further down", 0.7, 100),
    "early": Character("finds the best items first, then little else", 0.9, 25, top_only=True),
    "deep": Character("finds nearly everything, roughly in order", 1.4, 100),
    "tied": Character("like deep, but with few distinct scores", 1.2, 80, score=round),
    "gaps": Character("like strong, but without output for three cases", 0.7, 100, skips=3),
    "random": Character("knows nothing", 9.0, 60),
}


def write_collection(folder: Path, seed: int = SEED) -> list[str]:
    """Write qrels.txt and runs/*.run; return the names of the files."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    worth = {f"q{case:02}": _worth(random) for case in range(1, CASES + 1)}
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    lines = [f"{case} 0 {item} {grade}\n" for case, items in worth.items() for item, grade in _judged(items, random).items()]
    (folder / "qrels.txt").write_text("".join(lines), encoding="utf-8", newline="\n")
    for name, character in SYSTEMS.items():
        rankings = {case: _ranking(items, character, random) for case, items in list(worth.items())[character.skips :]}
        text = "".join(_run_lines(case, ranking, name) for case, ranking in rankings.items())
        (folder / "runs" / f"{name}.run").write_text(text, encoding="utf-8", newline="\n")
    return ["qrels.txt", *(f"runs/{name}.run" for name in SYSTEMS)]


def _worth(random: Random) -> Grades:
    """The true grade of every item: most 0, a few 1 and 2, one or two 3."""
    return {f"d{item:03}": random.choices([0, 1, 2, 3], [86, 8, 4, 2])[0] for item in range(ITEMS)}


def _judged(items: Grades, random: Random) -> Grades:
    """All items with a grade and some of the others: the rest stays unjudged."""
    return {item: grade for item, grade in items.items() if grade > 0 or random.random() < 0.5}  # noqa: PLR2004 - one half


def _ranking(items: Grades, character: Character, random: Random) -> Ranking:
    scores = {item: _score(grade, character, random) for item, grade in items.items()}
    best = sorted(scores, key=lambda item: -scores[item])[: character.length]
    return {item: character.score(scores[item]) for item in best}


def _score(grade: int, character: Character, random: Random) -> float:
    seen = max(0, grade - 1) * 1.5 if character.top_only else float(grade)
    return round(3.0 * seen + random.gauss(0.0, 2.0 * character.noise), 4)


def _run_lines(case: str, ranking: Ranking, name: str) -> str:
    ordered = sorted(ranking.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return "".join(f"{case} Q0 {item} {rank} {score} {name}\n" for rank, (item, score) in enumerate(ordered, start=1))
