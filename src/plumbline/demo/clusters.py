"""Five names, each of several people, and clusterings of their pages that stop merging at different points."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

NAMES: Final = ("brown", "garcia", "kim", "lopez", "smith")
PAGES: Final = 36
SEED: Final = 5
THRESHOLDS: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
"""A clustering stops early at a high threshold, with many small clusters, and late at a low one."""


def write_clusters(folder: Path, seed: int = SEED) -> list[str]:
    """Write people.tsv, in which a page may be about two people, and stops/*.tsv; return the names of the files."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    people = {(name, f"page{page:02}"): _people(random) for name in NAMES for page in range(PAGES)}
    written = {
        "people.tsv": "".join(f"{name}\t{page}\tperson{one}\n" for (name, page), persons in people.items() for one in persons)
    }
    for threshold in THRESHOLDS:
        rows = {page: _cluster(persons[0], threshold, random) for page, persons in people.items()}
        written[f"stops/stop{threshold:g}.tsv"] = "".join(
            f"{name}\t{page}\t{cluster}\n" for (name, page), cluster in rows.items()
        )
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return list(written)


def _people(random: Random) -> list[int]:
    """Whom a page is about: few people have many pages; now and then a page is about two."""
    first = min(int(random.expovariate(0.6)), 5)
    second = random.randrange(6)
    return [first, second] if random.random() < 0.06 and second != first else [first]  # noqa: PLR2004 - now and then


def _cluster(person: int, threshold: float, random: Random) -> str:
    """A high threshold breaks people apart, a low one puts them together."""
    if random.random() < (1 - threshold) * 0.6:
        person = person // 3
    piece = random.randrange(4) if random.random() < threshold * 0.8 else 0
    return f"c{person}.{piece}"
