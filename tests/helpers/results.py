"""One small example of every kind of result, for tests of what all results have in common."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import polars as pl

import plumbline as pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline import Result

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GOLD = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}, "q3": {"e": 0}}
GOOD = {"q1": {"a": 3.0, "c": 2.0, "b": 1.0}, "q2": {"a": 2.0, "d": 1.0}, "q3": {"e": 1.0}}
POOR = {"q1": {"b": 3.0, "a": 2.0}, "q3": {"e": 1.0}}
SYSTEMS = {"good": GOOD, "poor": POOR}
HOSTILE = "=1+<i>|&\\_%\x1b"
"""A name that means something to a spreadsheet, a page, a table and a terminal."""


def _scores() -> Result:
    return pb.evaluate(GOLD, {**SYSTEMS, HOSTILE: POOR}, ["AP", "P@1"])


def _confusion() -> Result:
    return pb.confusion(["x", "y", "y", HOSTILE], {"one": ["x", "y", "x", "x"], HOSTILE: ["x", "y", "y", "y"]})


def _learning() -> Result:
    rows = [
        (name, n, fold, 0.9 - gap * n**-0.5 + fold / 100)
        for name, gap in ((HOSTILE, 1.0), ("b", 2.0))
        for n in (50, 100, 200)
        for fold in (0, 1)
    ]
    return pb.learning(pl.DataFrame(rows, schema=["system", "size", "fold", "Accuracy"], orient="row"), runs="fold")


def _sweep() -> Result:
    clusters = {"0.1": [0, 0, 1, 1], "0.5": [0, 0, 0, 1], "0.9": [0, 1, 2, 3]}
    return pb.sweep([0, 0, 1, 1], clusters)


def _losses() -> Result:
    return pb.losses(GOLD, SYSTEMS, task="ranking")


def _check() -> Result:
    folder = Path(mkdtemp())
    (folder / "run.csv").write_text("case,item,score\nq1,a,2\nq1,a,1\n", encoding="utf-8")
    (folder / "qrels.txt").write_text("q1 0 a 1\n", encoding="utf-8")
    return pb.check([folder / "run.csv", folder / "qrels.txt"])


def _conversion() -> Result:
    folder = Path(mkdtemp())
    (folder / "run.csv").write_text("case,item,score\nq1,a,2\nq1,b,1\n", encoding="utf-8")
    return pb.convert(folder / "run.csv", folder / "run.parquet")


def _table(shift: int) -> dict[str, list[float]]:
    return {"a": [0.5, 0.6, 0.7 - 0.1 * shift], "b": [0.3, 0.2, 0.4], HOSTILE: [0.2, 0.4, 0.1]}


def _impressions() -> pl.DataFrame:
    """Four sessions with two items that change places."""
    shown = [[("a", 1), (HOSTILE, 0)], [(HOSTILE, 0), ("a", 1)], [("a", 1), (HOSTILE, 0)], [(HOSTILE, 1), ("a", 0)]]
    rows = [
        (f"s{number}", f"q{number % 2 + 1}", item, position, clicked)
        for number, page in enumerate(shown)
        for position, (item, clicked) in enumerate(page, 1)
    ]
    return pl.DataFrame(rows, schema=["session", "case", "item", "position", "clicked"], orient="row")


MADE: dict[str, Callable[[], Result]] = {
    "Scores": _scores,
    "ConfusionMatrix": _confusion,
    "Sweep": _sweep,
    "Losses": _losses,
    "Weights": lambda: pb.weights(5, 0.8, discounts=["inverse_square", "uniform"]),
    "Why": lambda: pb.why(GOLD, SYSTEMS, "F(P@2,R@2)", case="q1", system="poor"),
    "Check": _check,
    "Conversion": _conversion,
    "Audit": lambda: pb.audit(["F(P,R)", "Lam"], task="filtering", budget=50),
    "Study": lambda: pb.meta(_scores(), splits=10),
    "Comparison": lambda: pb.compare(pb.evaluate(GOLD, {**SYSTEMS, HOSTILE: POOR}, ["AP", "P@1"])),
    "Elsewhere": lambda: pb.elsewhere({"one": _table(0), "two": _table(1)}),
    "Agreement": lambda: pb.between([HOSTILE, "b", "c"], ["b", HOSTILE, "d"]),
    "BreakEven": lambda: pb.break_even({HOSTILE: [(1.0, 0.2), (0.8, 0.6), (0.4, 1.0)]})[0],
    "Reversal": lambda: pb.reversal({HOSTILE: 0.8, "R": 0.3}, {HOSTILE: 0.5, "R": 0.4}),
    "AssessorAgreement": lambda: pb.agree({HOSTILE: [0, 1, 2, 1], "ben": [0, 1, 1, 1], "cy": [0, 2, 2, 1]}, resamples=20),
    "AggregatedGold": lambda: pb.aggregate({HOSTILE: ["x", HOSTILE, "x"], "ben": ["x", "y", "x"], "cy": ["x", "y", "y"]}),
    "Pool": lambda: pb.pool({HOSTILE: {"q1": {"a": 2.0, HOSTILE: 1.0}}, "two": {"q1": {"b": 2.0, "a": 1.0}}}),
    "Replay": lambda: pb.pool({"one": {"q1": {"a": 2.0, "b": 1.0}}}, simulate={"q1": {"a": 1, "b": 0}}),
    "Inspection": lambda: pb.inspect_pool(GOLD, {**SYSTEMS, HOSTILE: POOR}),
    "JudgingPages": lambda: pb.judge({"q1": [HOSTILE]}, {HOSTILE: HOSTILE}),
    "LearningCurves": _learning,
    "Split": lambda: pb.split([HOSTILE, "b", "c", "d"], folds=2),
    "FoldCheck": lambda: pb.check_folds([HOSTILE, "b", "c"], pl.DataFrame({"item": [HOSTILE, "b"], "fold": [1, 2]})),
    "Experiment": lambda: pb.experiment(
        {"arm": ["A", HOSTILE] * 20, "x": [0, 1, 1, 1] * 10, HOSTILE: [3.0, 2.0, 4.0, 5.0, 1.0] * 8, "land": ["x", "y"] * 20},
        by="land",
    ),
    "ExperimentPlan": lambda: pb.plan_experiment(baseline=0.2, detect=0.01),
    "PolicyValue": lambda: pb.policy_value(
        pl.DataFrame({"action": [HOSTILE, "b"] * 30, "propensity": [0.5] * 60, "reward": [1, 0, 1] * 20}), policy="uniform"
    ),
    "InterleavedLists": lambda: pb.interleave({HOSTILE: GOOD, "two": POOR}),
    "Preferences": lambda: pb.analyse_interleaving(
        pl.DataFrame({"session": [1, 2, 3], "event": ["click"] * 3, "team": ["A", HOSTILE, "A"]}), resamples=20
    ),
    "InterleavingAudit": lambda: pb.audit_interleaving("balanced", items=3),
    "ClickModels": lambda: pb.clicks(
        _impressions(), {HOSTILE: {"q1": {"a": 2.0, HOSTILE: 1.0}}}, model=["ctr", "pbm"], hold_out=0
    ),
    "SimulatedClicks": lambda: pb.simulate_clicks(GOLD, {HOSTILE: {"q1": {"a": 2.0, "b": 1.0}}}, sessions=4),
    "Advice": lambda: pb.choose(task="filtering", noninformative="equal"),
}
"""By the name of the class; a new kind of result needs a line here."""


@cache
def example(name: str) -> Result:
    """The example of a class, made once."""
    return MADE[name]()
