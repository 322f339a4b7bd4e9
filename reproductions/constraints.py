"""Which constraints metrics keep, beside Table 6 of Amigó et al. (SIGIR 2013) and Table 3 and figure 5 of Amigó et al. (2019).

python reproductions/constraints.py

No data are needed: `plumbline.audit` tries small outputs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from constraints_published import OF_RANKINGS, R_S, R_S_800, R_S_TAIL, REMARKS, SAID, TABLES
from printed import sections, table

import plumbline
from plumbline.audits.constraints.ranking import Listed, many_below, one_at_the_top
from plumbline.audits.scenes.ranking import SCENE
from plumbline.audits.subjects import registered, scored
from plumbline.audits.verdict import DIGITS, in_words, short
from plumbline.render.grid import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from constraints_published import Published

    from plumbline.audits.result import Audit
    from plumbline.audits.verdict import Counterexample, Verdict

OUTCOME: Final = {"yes": "holds", "no": "broken"}
LAST: Final = 30
"""The last place of a relevant item that is shown alone."""
MOST_HIDDEN: Final = 2
CUT_800: Final = 20_002
FARTHEST: Final = 60
"""The greatest n that is tried for the cut point of R*S."""
GOLDS: Final = (None, 42, 60, 87, 88, 100, 300, 1000, 3000)
READINGS: Final = {
    "default": R_S,
    "`tail_credit=false`": "F(Rel(tail_credit=false),Sens(tail_credit=false))",
    "`absent=tail`": "F(Rel(absent=tail),Sens(absent=tail))",
    "both": R_S_TAIL,
}


def audited() -> dict[str, Audit]:
    """What the audit says about all metrics and constraints of the tables of each task."""
    results: dict[str, Audit] = {}
    for task in dict.fromkeys(one.task for one in TABLES):
        mine = [one for one in TABLES if one.task == task]
        constraints = [name for one in mine for name in one.constraints]
        results[task] = plumbline.audit([name for one in mine for name in one.metrics], task=task, constraints=constraints)
    return results


def cells(published: Published, audit: Audit) -> Iterator[tuple[str, str, str, Verdict]]:
    """Every cell of a table: its row, the metric, what is published, what was found."""
    for row in published.rows:
        for metric in row.metrics:
            for constraint, mark in zip(published.constraints, row.marks, strict=True):
                yield row.name, metric, SAID[mark], audit.verdict(metric, constraint)


def differs(published: str, verdict: Verdict) -> bool:
    """Whether something else was found than is published."""
    return published != "-" and OUTCOME[published] != verdict.outcome


def whole(published: Published, audit: Audit) -> list[str]:
    """The published table with ours in each cell, and how many agree."""
    rows, known, same = [], 0, 0
    for row in published.rows:
        for metric in row.metrics:
            mine = [(message, verdict) for _, name, message, verdict in cells(published, audit) if name == metric]
            wrong = sum(differs(message, verdict) for message, verdict in mine)
            known += sum(message != "-" for message, _ in mine)
            same += sum(message != "-" for message, _ in mine) - wrong
            text = [f"{message} / {short(verdict)}" for message, verdict in mine]
            rows.append([row.name, f"`{metric}`", *text, f"differs in {wrong}" if wrong else ""])
    lines = table(["published as", "metric", *published.constraints, "remark"], rows)
    return [*lines, "", f"Each cell: published / ours. Equal in {same} of {known} published cells."]


def example(counterexample: Counterexample, *, equal: bool) -> str:
    """A counterexample in one line."""
    rows = {name: (text.replace(" | ", " / "), score) for name, text, score in counterexample.rows()}
    (better, high), (worse, low) = rows["better"], rows["worse"]
    gold = f"; gold: {rows['gold'][0]}" if "gold" in rows else ""
    verb = "is not equal to" if equal else "is no better than"
    return f"`{better}` {number(high, DIGITS)} {verb} `{worse}` {number(low, DIGITS)}{gold}"


def why(verdict: Verdict) -> str:
    """What was found, in one line."""
    if verdict.counterexample is None:
        return in_words(verdict).removeprefix(f"{verdict.metric}: {verdict.constraint.name} ")
    return example(verdict.counterexample, equal=verdict.constraint.demand == "equal")


def differences(audits: Mapping[str, Audit]) -> list[str]:
    """Every cell in which ours is not what is published, with the smallest counterexample."""
    rows = []
    for published in TABLES:
        for name, metric, message, verdict in cells(published, audits[published.task]):
            if differs(message, verdict):
                remark = REMARKS.get((metric, verdict.constraint.name), "")
                where = published.title.partition(":")[0]
                ours = [f"`{metric}`", verdict.constraint.name, message, short(verdict)]
                rows.append([f"{where}: {name}", *ours, f"{why(verdict)}{f'; {remark}' if remark else ''}"])
    return table(["where", "metric", "constraint", "published", "ours", "remark"], rows)


def alone(metrics: tuple[str, ...]) -> list[str]:
    """Priority and deepness where one relevant item is shown alone, at each place of a list."""
    lists = [
        Listed("N" * place + "R" + "N" * (LAST - place), hidden)
        for hidden in range(MOST_HIDDEN + 1)
        for place in range(LAST + 1)
    ]
    values = scored([registered(name, "ranking") for name in metrics], SCENE, lists)
    rows = []
    for name in metrics:
        steps = -np.diff(values[name].reshape(MOST_HIDDEN + 1, -1))
        kept = ("yes" if (result > 0).all() else "no" for result in (steps, -np.diff(steps)))
        rows.append([f"`{name}`", *kept, ""])
    return table(["metric", "one step down is worse", "and matters less further down", "remark"], rows)


def below_is_better(verdict: Verdict) -> str:
    """For which n of those tried n relevant items below n others are better than one at the top."""
    right = np.flatnonzero(verdict.better > verdict.worse)
    sizes = [verdict.searched.pairs[at].size for at in right]
    gap = len(sizes) and right[-1] - right[0] != len(right) - 1
    return "none" if not sizes else f"{sizes[0]} to {sizes[-1]:,}{' with gaps' if gap else ''}"


def far(metric: str, n: int) -> str:
    """Both scores at an n that the audit does not try."""
    top, below = scored([registered(metric, "ranking")], SCENE, [one_at_the_top(n), many_below(n)])[metric]
    return f"n = {n:,}: {below:.6e} is {'above' if below > top else 'not above'} {top:.6e}"


def numbers(audit: Audit) -> list[str]:
    """For which n many relevant items below are better than one at the top, as the text of 2013 says and as found."""
    beyond = ", ".join(far(R_S_800, n) for n in (CUT_800 - 1, CUT_800))
    claims = {
        "AP": ("any n > 4", "the paper gives a bound"),
        "DCG": ("any n", "the paper's bound is above 1 from n = 3 on"),
        "P@10": ("n < 9", "equal at 9"),
        "ERR": ("no n", ""),
        "RBP": ("some n", ""),
        R_S: ("up to the cut point 20", "with many relevant documents 20: see the next table"),
        R_S_TAIL: ("up to the cut point 20", "only if the gold has n + 1 relevant documents"),
        R_S_800: ("up to some n", beyond),
    }
    rows = [
        [f"`{name}`", message, below_is_better(audit.verdict(name, "closeness threshold")), remark]
        for name, (message, remark) in claims.items()
    ]
    return table(["metric", "published", "ours, of n from 2 to 1,000", "remark"], rows)


def cut_point(metric: str, relevant: int | None) -> str:
    """The n from which on one relevant item at the top is better, with so many in the gold, or with n + 1."""
    sizes = range(2, min(relevant or FARTHEST, FARTHEST) + 1)
    lists = [
        Listed(shown, (n + 1 if relevant is None else relevant) - shown.count("R"))
        for n in sizes
        for shown in ("R" + "N" * (2 * n - 1), "N" * n + "R" * n)
    ]
    top, below = scored([registered(metric, "ranking")], SCENE, lists)[metric].reshape(-1, 2).T
    wins = top > below
    return str(sizes[int(np.argmax(wins))]) if wins.any() and wins[int(np.argmax(wins)) :].all() else "none"


def cut_points() -> list[str]:
    """The cut point of R*S for golds of several sizes, in every reading of what the paper leaves open."""
    rows = [
        ["n + 1" if relevant is None else f"{relevant:,}", *(cut_point(metric, relevant) for metric in READINGS.values()), ""]
        for relevant in GOLDS
    ]
    return table(["relevant documents", *READINGS, "remark"], rows)


def report(audits: Mapping[str, Audit]) -> str:
    """All tables."""
    parts = {one.title: whole(one, audits[one.task]) for one in TABLES}
    parts["Where ours differs"] = differences(audits)
    parts["One relevant item, shown alone at places 1 to 31"] = alone(OF_RANKINGS.metrics)
    parts["For which n are n relevant items below n others better than one at the top?"] = numbers(audits["ranking"])
    parts["From which n on is one relevant item at the top better than n of them below n others by R\\*S?"] = cut_points()
    return sections(parts)


def main() -> int:
    """Print the tables."""
    sys.stdout.write(report(audited()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
