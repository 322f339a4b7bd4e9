"""Ranking: how far a user reads, and what the judgements can say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.errors.faces import switch
from plumbline.tools.choose.advice import Pick
from plumbline.tools.choose.organization import USUAL, harmonic, weighed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers, Reads

_METRICS: Final[Mapping[tuple[Reads, bool | None], tuple[str, ...]]] = {
    ("first-hit", True): ("ERR", "RR"),
    ("first-hit", False): ("RR", "Success@1"),
    ("first-hit", None): ("RR", "ERR"),
    ("first-page", True): ("nDCG@10", "ERR@10"),
    ("first-page", False): ("P@10", "RBP"),
    ("first-page", None): ("nDCG@10", "P@10"),
    ("whole-list", True): ("nDCG", "Q"),
    ("whole-list", False): ("AP", "R@1000"),
    ("whole-list", None): ("AP", "nDCG"),
    ("unknown", True): ("ERR", "nDCG@10", "Q"),
    ("unknown", False): ("RR", "P@10", "AP"),
    ("unknown", None): ("RR", "nDCG@10", "AP"),
}
"""By how far a user reads, and whether judgements are graded."""

_DEPTHS: Final[Mapping[Reads, int]] = {"first-page": 10, "whole-list": 800, "unknown": USUAL}
"""The n of F(Rel,Sens): how many positions carry most of its weight. A user who reads one item needs no such measure."""

_PAPERS: Final = {
    "AP": "buckley2005",
    "Bpref": "buckley2004",
    "ERR": "chapelle2009",
    "Judged": "macavaney2022",
    "nDCG": "jarvelin2002",
    "P": "vanrijsbergen1979",
    "Q": "sakai2007",
    "R": "vanrijsbergen1979",
    "RBP": "moffat2008",
    "RR": "kantor2000",
    "Success": "craswell2003",
}

_FAMILIES: Final[Mapping[Reads, tuple[str, str]]] = {
    "first-hit": ("first hit", "A user who needs one item stops there, so what comes below it hardly counts."),
    "first-page": ("top of the list", "What is below the first page is not seen, so it does not count, or hardly."),
    "whole-list": ("whole list", "A user who wants all there is pays for every relevant item that comes late or is missing."),
    "unknown": (
        "one for each kind of reader",
        "Readers of one item, of a page and of the whole list may prefer different systems.",
    ),
}
_GRADES: Final[Mapping[bool | None, str]] = {
    True: "Grades are used as gains: a better item counts more.",
    False: "An item is relevant or not, so hits are counted.",
    None: "Some of these use grades where there are any, the others ask only whether an item is relevant.",
}
_RANDOM: Final = (
    "A random order has no fixed score: the larger the share of relevant items, the higher it gets. An empty list gets 0, and "
    "more items at the end of a list never lower a score."
)
_RANDOM_BUT_RELATIONS: Final = f"{_RANDOM[:-1]}, except for F(Rel,Sens)."
_RELATIONS: Final = (
    "F(Rel,Sens) compares items with each other and with all that were left out. It needs confidence: long lists of "
    "irrelevant items cost, so a system has to know where to stop."
)
_UNJUDGED: Final = (
    "Items that nobody judged count as not relevant. What changes when you evaluate again with "
    f"{switch('judged_only')} depends on them."
)


def pick(answers: Answers) -> Pick:
    """Metrics for a reader, one of relations among them, and those that show what missing judgements do."""
    reads, graded, incomplete = answers.reads, answers.graded, answers.incomplete
    family, reason = _FAMILIES[reads]
    usual = (*_METRICS[reads, graded], *_coverage(reads, incomplete=incomplete))
    papers = tuple(dict.fromkeys(_PAPERS[name.partition("@")[0]] for name in usual))
    chosen = Pick(family, usual, f"{reason} {_GRADES[graded]}", _RANDOM, papers, (_UNJUDGED,) if incomplete else ())
    return chosen if incomplete or reads not in _DEPTHS else _with_relations(chosen, _DEPTHS[reads])


def _with_relations(chosen: Pick, depth: int) -> Pick:
    """F(Rel,Sens) takes unjudged items for irrelevant ones, so it goes with judgements that are complete."""
    name = harmonic(() if depth == USUAL else (f"n={depth}",))
    return replace(
        chosen,
        metrics=(*chosen.metrics, name),
        noninformative=_RANDOM_BUT_RELATIONS,
        references=(*chosen.references, "amigo2013"),
        notes=(*chosen.notes, _RELATIONS, weighed(depth)),
    )


def _coverage(reads: Reads, *, incomplete: bool | None) -> tuple[str, ...]:
    """Bpref looks at judged items only, but at the whole list; Judged@10 is the judged share of the first page."""
    if incomplete is False:
        return ()
    deep = reads in {"whole-list", "unknown"}
    return ("Bpref", "Judged@10") if incomplete and deep else ("Judged@10",)
