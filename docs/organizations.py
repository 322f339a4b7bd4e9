"""The drawings of the page "One measure for everything": levels as rows, clusters as boxes, and what is wrong with them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drawing import svg, text

import plumbline

if TYPE_CHECKING:
    from collections.abc import Iterator

    Levels = list[list[list[str]]]

EXAMPLES: Final = Path(__file__).parent / "examples" / "table9"
TITLES: Final = {
    "gold": "The gold standard of table 9",
    "output_1": "Output 1: a cluster of the last level is broken",
    "output_2": "Output 2: a cluster of the first level is broken",
    "output_3": "Output 3: a document is missing",
    "output_4": "Output 4: a document is missing and another is too many",
    "output_5": "Output 5: the levels are turned round",
}
N: Final = 10
W: Final = 0.8
STYLE: Final = """
text { font: 13px system-ui, sans-serif; fill: #333 }
.small { font-size: 11px; fill: #555 }
.mark { font-size: 11px; fill: #a34100 }
.box { fill: none; stroke: #777; stroke-width: 1.2 }
.chip { fill: #e4ecf1; stroke: #6b8294 }
.missing { fill: none; stroke: #c35200; stroke-width: 1.5; stroke-dasharray: 4 3 }
.extra { fill: #c35200; stroke: #c35200 }
.moved { fill: #e4ecf1; stroke: #c35200; stroke-width: 2.5 }
.broken { fill: none; stroke: #c35200; stroke-width: 1.5; stroke-dasharray: 7 4 }
.tail { fill: #888; fill-opacity: 0.12; stroke: #888; stroke-dasharray: 2 3 }
.bar { fill: #0072b2 }
.ground { fill: #888; fill-opacity: 0.2 }
text.on-extra { fill: #fff }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd } .small { fill: #aaa } .mark { fill: #ff9c54 } .bar { fill: #56b4e9 }
  .chip, .moved { fill: #35434e; stroke: #8ba3b5 } .moved, .missing, .broken { stroke: #ff9c54 } .box { stroke: #999 }
}
"""
_WIDTH: Final = 640
_ROW: Final = 74
_TOP: Final = 34
_LEFT: Final = 74
_CHIP: Final = 44
_TALL: Final = 28
_PAD: Final = 8
_GAP: Final = 22
_BAR: Final = 110


class Chip(NamedTuple):
    """A document in a cluster; `mark` is empty, missing, extra, or the level that it was moved from."""

    item: str
    mark: str


class Box(NamedTuple):
    """A cluster; those with the same `gold_cluster` were one cluster of the gold, -1 is for clusters that are not broken."""

    chips: tuple[Chip, ...]
    gold_cluster: int


def read(name: str) -> Levels:
    """The levels of an example file."""
    levels: Levels = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))["levels"]
    return levels


def compared(gold: Levels, output: Levels) -> list[list[Box]]:
    """The clusters of the output, with what the gold says about them."""
    rows = [[Box(tuple(chips), _whole(gold, number, chips)) for chips in level] for number, level in _marked(gold, output)]
    for number, item in _absent(gold, output):
        home = next(set(cluster) for cluster in gold[number] if item in cluster)
        at = max(range(len(rows[number])), key=lambda box: sum(chip.item in home for chip in rows[number][box].chips))
        box = rows[number][at]
        rows[number][at] = Box(tuple(sorted((*box.chips, Chip(item, "missing")))), box.gold_cluster)
    return [[box if _shared(level, box) > 1 else Box(box.chips, -1) for box in level] for level in rows]


def _shared(level: list[Box], box: Box) -> int:
    return sum(other.gold_cluster == box.gold_cluster for other in level)


def _marked(gold: Levels, output: Levels) -> Iterator[tuple[int, list[list[Chip]]]]:
    """Each occurrence at its level; one that the gold has at another level is told from where it came."""
    left = {
        item: _levels_of(gold, item) - _levels_of(output, item) for level in output for cluster in level for item in cluster
    }
    for number, level in enumerate(output):
        yield number, [[Chip(item, _mark(gold, item, number, left[item])) for item in cluster] for cluster in level]


def _mark(gold: Levels, item: str, number: int, left: Counter[int]) -> str:
    levels = _levels_of(gold, item)
    if not levels:
        return "extra"
    return "" if levels[number] or not left else f"from {min(left) + 1}"


def _levels_of(levels: Levels, item: str) -> Counter[int]:
    return Counter(number for number, level in enumerate(levels) for cluster in level if item in cluster)


def _whole(gold: Levels, number: int, chips: list[Chip]) -> int:
    """Which cluster of the gold, at the same level, holds all of this one."""
    places = (at for at, cluster in enumerate(gold[number]) if {chip.item for chip in chips} <= set(cluster))
    return next(places, -1 - number)


def _absent(gold: Levels, output: Levels) -> Iterator[tuple[int, str]]:
    there = {item for level in output for cluster in level for item in cluster}
    for number, level in enumerate(gold):
        yield from ((number, item) for cluster in level for item in cluster if item not in there)


def draw(name: str) -> str:
    """One organization, beside the gold of table 9."""
    gold, output = read("gold"), read(name)
    rows = compared(gold, output)
    shares = _shares([sum(len(cluster) for cluster in level) for level in output])
    parts = [text(_WIDTH - _BAR - 44, 18, f"weight, n={N}, w={W:g}", kind="small")]
    for number, level in enumerate(rows):
        top = _TOP + _ROW * number
        parts += [text(10, top + 27, f"level {number + 1}"), *_weight(top, shares[number]), *_row(level, top)]
    top = _TOP + _ROW * len(rows)
    parts += [text(10, top + 22, "tail"), *_weight(top - 5, shares[-1])]
    parts.append(f'<rect class="tail" x="{_LEFT}" y="{top}" width="{_WIDTH - _BAR - 60 - _LEFT}" height="34" rx="6"/>')
    parts.append(text(_LEFT + 10, top + 22, "all documents that are not prioritised", kind="small"))
    return svg(_WIDTH, top + 48, TITLES[name], _told(rows, shares), STYLE, parts)


def _shares(sizes: list[int]) -> list[float]:
    """What each level weighs, and the tail."""
    reached = [0.0, *plumbline.weights(N, W).table["reached"]]
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    return [*(reached[end] - reached[start] for start, end in pairwise(ends)), 1 - reached[ends[-1]]]


def _weight(top: float, share: float) -> Iterator[str]:
    left = _WIDTH - _BAR - 44
    yield f'<rect class="ground" x="{left}" y="{top + 16}" width="{_BAR}" height="12"/>'
    yield f'<rect class="bar" x="{left}" y="{top + 16}" width="{_BAR * share:.1f}" height="12"/>'
    yield text(_WIDTH - 4, top + 27, f"{share:.2f}", "end")


def _row(level: list[Box], top: float) -> Iterator[str]:
    """The clusters side by side; a dashed line goes round those that should be one."""
    x = float(_LEFT)
    spans: dict[int, tuple[float, float]] = {}
    for box in level:
        wide = _PAD + (_CHIP + _PAD) * len(box.chips)
        yield f'<rect class="box" x="{x}" y="{top}" width="{wide}" height="{_TALL + 2 * _PAD}" rx="10"/>'
        for place, chip in enumerate(box.chips):
            yield from _chip(chip, x + _PAD + (_CHIP + _PAD) * place, top + _PAD)
        if box.gold_cluster >= 0:
            start, _ = spans.get(box.gold_cluster, (x, x))
            spans[box.gold_cluster] = (start, x + wide)
        x += wide + _GAP
    for start, end in spans.values():
        yield f'<rect class="broken" x="{start - 6}" y="{top - 6}" width="{end - start + 12}" height="{_TALL + 28}" rx="14"/>'
        yield text((start + end) / 2, top + _TALL + 36, "broken: one cluster in the gold", "middle", "mark")


def _chip(chip: Chip, x: float, y: float) -> Iterator[str]:
    kind = "moved" if chip.mark.startswith("from") else chip.mark or "chip"
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{_CHIP}" height="{_TALL}" rx="{_TALL / 2:g}"/>'
    yield text(x + _CHIP / 2, y + 18.5, chip.item, "middle", "on-extra" if chip.mark == "extra" else "")
    if chip.mark:
        yield text(x + _CHIP / 2, y + _TALL + 22, chip.mark, "middle", "mark")


def _told(rows: list[list[Box]], shares: list[float]) -> str:
    """The drawing in words, from top to bottom."""
    sentences = []
    for number, level in enumerate(rows):
        clusters = "; ".join(
            " ".join(f"{chip.item}{f' ({chip.mark})' if chip.mark else ''}" for chip in box.chips) for box in level
        )
        broken = ", of which some should be one cluster" if any(box.gold_cluster >= 0 for box in level) else ""
        sentences.append(f"Level {number + 1}, weight {shares[number]:.2f}, clusters: {clusters}{broken}.")
    return " ".join([*sentences, f"The tail weighs {shares[-1]:.2f}."])
