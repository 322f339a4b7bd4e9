"""Does the leaderboard stay when the judge changes? Systems evaluated with the judgements of each assessor as gold."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.compare import compare_scores
from plumbline.comparison.correlation.between import between
from plumbline.comparison.cube import Cube
from plumbline.comparison.reading import read_scores
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage, judgements, usage
from plumbline.io.memory.systems import named_systems, unique
from plumbline.io.read import read
from plumbline.io.rows import systems_of
from plumbline.io.table import ReadOptions
from plumbline.metrics.names import listed
from plumbline.schema import LABEL
from plumbline.truth.judges.board import Board
from plumbline.truth.judges.estimate import estimates
from plumbline.truth.judges.scoring import scores_by_judge
from plumbline.truth.judges.strata import read_strata
from plumbline.truth.judges.wording import about_estimates, about_leaderboards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.io.judgements.judgements import Judgements
    from plumbline.io.table import Table
    from plumbline.truth.agreement.result import AssessorAgreement


JUDGED: Final = "Judged@10"
TEST: Final = {"test": "t", "correction": "holm"}
"""How systems are compared under each judge: randomization would take minutes with many judges."""
TWO: Final = 2


def boards_of(table: Judgements, systems: Any, metrics: Sequence[str] | str | None, rel: float | None) -> list[Board]:
    """The systems under each judge; outputs are read once."""
    if not table.are_numbers:
        raise BadUsage(judgements.needs_grades("a leaderboard", table.frame[LABEL].explode().unique().sort().to_list()))
    outputs = read_systems(systems)
    wanted = listed(metrics) or ["nDCG@10", "AP"]
    options = {} if rel is None else {"rel": rel}
    boards = []
    for judge, scores in scores_by_judge(table, outputs, [*wanted, JUDGED], options):
        cube, _ = read_scores(scores)
        shown = [name for name in cube.metrics if name != JUDGED]
        judged = cube.means[cube.metrics.index(JUDGED)]
        boards.append(Board(judge, cube.only(shown), scores, judged))
    return boards


def read_systems(systems: Any) -> dict[str, Table]:
    """Every output by its name; a file may hold several systems."""
    pairs = []
    for name, source in named_systems(systems).items():
        parts = systems_of(read(source, "output", ReadOptions(several_systems=True), name))
        pairs += [(part.tag or name if len(parts) > 1 else name, part) for part in parts]
    return unique(pairs)


def with_systems(
    result: AssessorAgreement,
    table: Judgements,
    systems: Any,
    metrics: Sequence[str] | str | None,
    given: Mapping[str, Any],
) -> AssessorAgreement:
    """The agreement with what the systems say about the judges."""
    boards = boards_of(table, systems, metrics, given.get("rel"))
    makers = _makers(given.get("made_by", ()), boards)
    reference = given.get("reference")
    compared = _compared(boards, reference, given.get("top", 10))
    places = _places(boards, reference, makers)
    shared = _unanimous(boards)
    lines = about_leaderboards(compared, places, shared, len(boards[0].cube.systems), reference)
    made = dict(result.made) | {"metrics": list(boards[0].cube.metrics), "test": TEST["test"]}
    extended = replace(result, leaderboards=compared, systems=places, unanimous=shared, made=made)
    if given.get("estimate"):
        first = next(board for board in boards if board.judge == reference)
        others = [board for board in boards if board is not first]
        strata = None if given.get("strata") is None else read_strata(given["strata"])
        estimated = estimates(first, others, given.get("confidence", 0.95), strata)
        extended = replace(extended, estimates=estimated.together, strata=estimated.by_stratum)
        lines += about_estimates(estimated.together, estimated.by_stratum)
    return replace(extended, summary=(*result.summary, *lines))


def _makers(pairs: Sequence[str] | str, boards: Sequence[Board]) -> dict[str, str]:
    """The judge that shares its maker with each of some systems."""
    made: dict[str, str] = {}
    for pair in [pairs] if isinstance(pairs, str) else pairs:
        system, sign, judge = pair.partition("=")
        if not sign or system not in boards[0].cube.systems:
            raise BadUsage(usage.unknown_name("system", system, list(boards[0].cube.systems)[:3]))
        if judge not in [board.judge for board in boards]:
            raise BadUsage(judgements.unknown_assessor(judge, [board.judge for board in boards]))
        made[system] = judge
    return made


def _compared(boards: Sequence[Board], reference: str | None, top: int) -> pl.DataFrame:
    """A row for each two judges and each metric: how much their leaderboards agree, and which differences stay."""
    significant = {board.judge: [_significant(board, metric) for metric in board.cube.metrics] for board in boards}
    rows = []
    for one, other in combinations(boards, 2):
        if reference is not None and reference not in {one.judge, other.judge}:
            continue
        first, second = (other, one) if other.judge == reference else (one, other)
        for at, metric in enumerate(first.cube.metrics):
            rows.append(
                _row(first, second, at, metric, top) | _pairs(significant[first.judge][at], significant[second.judge][at])
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def _row(first: Board, second: Board, at: int, metric: str, top: int) -> dict[str, Any]:
    ours, theirs = first.means(at), second.means(at)
    agreement = between(ours, theirs, p=0.9)
    best = sorted(ours, key=lambda name: -ours[name])[:top]
    of_top = between({name: ours[name] for name in best}, {name: theirs[name] for name in best})
    before, after = _ranks(ours), _ranks(theirs)
    worst = max(ours, key=lambda name: after[name] - before[name])
    return {
        "a": first.judge,
        "b": second.judge,
        "metric": metric,
        "cases_a": len(first.cube.cases),
        "cases_b": len(second.cube.cases),
        "tau": _number(agreement.tau_b),
        "tau_ap": _number(agreement.tau_ap),
        "rbo": _number(agreement.rbo),
        "tau_top": _number(of_top.tau_b),
        "largest_drop": int(after[worst] - before[worst]),
        "falls_most": worst if after[worst] > before[worst] else None,
        "judged_b": _number(float(np.nanmean(second.judged))),
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _ranks(means: Mapping[str, float]) -> dict[str, int]:
    """The rank of each system, from 1; equal means share the better one."""
    values = list(means.values())
    return {name: 1 + sum(other > mean for other in values) for name, mean in means.items()}


def _significant(board: Board, metric: str) -> NDArray[np.int64]:
    """`[system, system]`: 1 where the first one is significantly better, -1 where it is worse, 0 otherwise."""
    systems = list(board.cube.systems)
    signs = np.zeros((len(systems), len(systems)), dtype=np.int64)
    if len(systems) < TWO or len(board.cube.cases) < TWO:
        return signs
    table = compare_scores(board.scores, [metric], dict(TEST)).significance
    won = table.filter(pl.col("winner").is_not_null()).select("a", "b", "winner")
    place = {name: number for number, name in enumerate(systems)}
    for a, b, winner in won.iter_rows():
        loser = b if winner == a else a
        signs[place[winner], place[loser]], signs[place[loser], place[winner]] = 1, -1
    return signs


def _pairs(ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> dict[str, int]:
    """How many significant differences of the first judge stay, vanish or are reversed, and how many appear."""
    upper = np.triu_indices(len(ours), 1)
    mine, other = ours[upper], theirs[upper]
    return {
        "significant": int((mine != 0).sum()),
        "stay": int(((mine != 0) & (mine == other)).sum()),
        "vanish": int(((mine != 0) & (other == 0)).sum()),
        "turn_round": int((mine * other < 0).sum()),
        "appear": int(((mine == 0) & (other != 0)).sum()),
    }


def _places(boards: Sequence[Board], reference: str | None, makers: Mapping[str, str]) -> pl.DataFrame:
    """`metric, system, judge, score, rank, change, own`: ranks under each judge.

    The change is against the rank under the reference or, without one, the mean rank under all judges.
    """
    rows = []
    for at, metric in enumerate(boards[0].cube.metrics):
        ranks = {board.judge: _ranks(board.means(at)) for board in boards}
        for system in boards[0].cube.systems:
            others = [ranks[board.judge][system] for board in boards]
            usual = ranks[reference][system] if reference is not None else float(np.mean(others))
            for board in boards:
                place = board.cube.systems.index(system)
                rows.append(
                    {
                        "metric": metric,
                        "system": system,
                        "judge": board.judge,
                        "score": _number(float(board.cube.means[at, place])),
                        "rank": ranks[board.judge][system],
                        "change": float(usual - ranks[board.judge][system]),
                        "own": makers.get(system) == board.judge,
                    }
                )
    return pl.DataFrame(rows, infer_schema_length=None)


def _unanimous(boards: Sequence[Board]) -> pl.DataFrame:
    """Every pair of systems with the judges as cases: UIR 1 means that no judge and no metric says the contrary."""
    first = boards[0].cube
    values = np.stack([board.cube.means for board in boards], axis=2)
    over = Cube(first.metrics, first.systems, tuple(board.judge for board in boards), values, first.lower)
    table = unanimity(over).table()
    ordered = table.filter((pl.col("uir") > 0) | ((pl.col("uir") == 0) & (pl.col("a") < pl.col("b"))))
    return ordered.select(
        "a",
        "b",
        "uir",
        pl.col("a_ge_b").alias("for"),
        pl.col("b_ge_a").alias("against"),
        pl.col("biased").alias("split"),
        pl.col("cases").alias("judges"),
    )
