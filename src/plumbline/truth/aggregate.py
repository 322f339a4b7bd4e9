"""aggregate(): one gold from many votes, and who is a free-loader."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.comparison.correlation.between import between
from plumbline.errors import BadUsage, crowds
from plumbline.errors import judgements as problems
from plumbline.errors.base import plural
from plumbline.io.judgements.judgements import Judgements
from plumbline.io.judgements.part import ASSESSOR, GOLD, SECONDS
from plumbline.io.judgements.read import JudgementOptions, read_judgements
from plumbline.options.judgements import AggregateOptions
from plumbline.options.option import checked, documented
from plumbline.render.grid import number
from plumbline.schema import CASE, ITEM, LABEL
from plumbline.truth.agreement.ratings import ratings_of
from plumbline.truth.agreement.reading import reading, scale_bounds
from plumbline.truth.crowd.assessors import FLAGS, REVERSED, Voters, assessor_table
from plumbline.truth.crowd.labels import chosen_labels, gold_table, tied_items
from plumbline.truth.crowd.methods import Settings, methods
from plumbline.truth.crowd.result import AggregatedGold
from plumbline.truth.crowd.votes import Votes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.agreement.ratings import Ratings

FEW: Final = 5
"""How many assessors a sentence names."""


@documented(AggregateOptions)
def aggregate(
    judgements: Any,
    systems: Any = None,
    metrics: Sequence[str] | str | None = None,
    **options: Unpack[AggregateOptions],
) -> AggregatedGold:
    """Make one gold of the judgements of many assessors.

    Args:
        judgements: Judgements, as `agree` takes them.
        systems: Outputs to evaluate with and without the assessors that `without` names.
        metrics: The metrics of the systems.
        **options: See `plumbline.options.judgements.AggregateOptions`.

    Returns:
        A label for each item with its probability, a table of the assessors, and what changes without some of them.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option does not fit.

    Example:
        >>> import plumbline
        >>> votes = {"ann": [2, 0, 1], "ben": [2, 0, 0], "cy": [1, 0, 0]}
        >>> result = plumbline.aggregate(votes, method="mean")
        >>> [round(grade, 2) for grade in result.gold["grade"]]
        [1.67, 0.0, 0.33]
    """
    given = checked(options, AggregateOptions, "aggregate")
    if systems is not None and not given.get("without"):
        raise BadUsage(problems.goes_with("systems", "without"))
    table = judgements if isinstance(judgements, Judgements) else read_judgements(judgements, reading(given))
    result = _aggregated(table, given)
    if not given.get("without"):
        return result
    return _without(table, result, given, systems, metrics)


def _aggregated(table: Judgements, given: Mapping[str, Any]) -> AggregatedGold:
    method = methods()[given.get("method", "majority")]
    ratings = ratings_of(table, scale_bounds(given.get("scale")))
    numbers = table.are_numbers
    if (method.needs_numbers or given.get("as_") == "expected") and not numbers:
        raise BadUsage(
            problems.needs_grades(
                f"the method {method.name}" if method.needs_numbers else "an expected grade", list(ratings.categories)
            )
        )
    gold = _known(table, ratings, given)
    if method.needs_gold and not (gold >= 0).any():
        raise BadUsage(crowds.needs_gold(method.name))
    votes = Votes.of(ratings, gold)
    plain = Votes.of(ratings)
    seed = given.get("seed", 0)
    settings = Settings(ratings.values, given.get("smooth", 0.01), given.get("rounds", 1000), seed)
    fit = method.fit(votes, settings)
    posterior = votes.with_known(fit.posterior)
    fit = replace(fit, posterior=posterior)
    ties = given.get("ties", "undecided")
    chosen = chosen_labels(votes, posterior, ties, seed)
    frame = gold_table(ratings, votes, fit, chosen, numbers=numbers)
    seconds = _seconds(table)
    voters = Voters(ratings.assessors, ratings.values, numbers, gold, seconds, given.get("fast"), seed)
    assessors = assessor_table(plain, posterior, voters)
    notices = [*table.notices]
    tied = int(tied_items(posterior).sum())
    if tied and ties == "undecided" and fit.grades is None:
        notices.append(crowds.tied_votes(tied, ratings.units))
    if not fit.settled:
        notices.append(crowds.not_converged(method.title, fit.rounds))
    notices += _about(assessors, plain, gold, ratings)
    counts = [plural(len(ratings.assessors), "assessor"), plural(ratings.units, "item"), plural(len(ratings.unit), "judgement")]
    caption = f"{', '.join(counts)}; {method.title}"
    facts = {"method": method.name, "rounds": fit.rounds, "log_likelihood": fit.log_likelihood, "ties": ties, "tied": tied}
    return AggregatedGold(
        tuple(_sentences(frame, assessors, method.title, tied)),
        frame,
        assessors,
        made={**facts, "labels": list(ratings.categories), "caption": caption},
        notices=tuple(notices),
    )


def _seconds(table: Judgements) -> NDArray[np.float64] | None:
    """The seconds of each vote, in the order of ratings."""
    if SECONDS not in table.frame.columns:
        return None
    unit = table.frame.select(pl.struct(CASE, ITEM).rank("dense")).to_series().to_numpy()
    order = np.argsort(unit, kind="stable")
    return table.frame[SECONDS].cast(pl.Float64).fill_null(np.nan).to_numpy()[order]


def _known(table: Judgements, ratings: Ratings, given: Mapping[str, Any]) -> NDArray[np.int64]:
    """The label of each item that the gold or the column `gold` knows; -1 for all others."""
    known = np.full(ratings.units, -1)
    place = {
        (ratings.cases[case], item): unit
        for unit, (case, item) in enumerate(zip(ratings.case.tolist(), ratings.items, strict=True))
    }
    code = {label: number for number, label in enumerate(ratings.categories)}
    rows: list[tuple[str, str, str]] = []
    if GOLD in table.frame.columns:
        rows += (
            table.frame.select(CASE, ITEM, GOLD)
            .drop_nulls()
            .filter(pl.col(GOLD).str.strip_chars() != "")
            .unique(maintain_order=True)
            .rows()
        )
    if given.get("gold") is not None:
        read = read_judgements(given["gold"], JudgementOptions(max_bytes=given.get("max_bytes"), levels=reading(given).levels))
        frame = (
            read.frame if read.has_cases == table.has_cases else read.frame.with_columns(pl.lit(ratings.cases[0]).alias(CASE))
        )
        rows += frame.select(CASE, ITEM, LABEL).rows()
    unknown = [f"{case}/{item}" if table.has_cases else item for case, item, _ in rows if (case, item) not in place]
    if unknown:
        raise BadUsage(crowds.gold_unjudged(unknown))
    for case, item, label in rows:
        text = label if label in code else f"{float(label):g}" if _is_number(label) else label
        if text in code:
            known[place[case, item]] = code[text]
    return known


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _about(assessors: pl.DataFrame, votes: Votes, gold: NDArray[np.int64], ratings: Ratings) -> list[Diagnostic]:
    """Reversed assessors, and gold items that the votes contradict."""
    notices = [
        crowds.reversed_assessor(row["assessor"], number(row["agreement"], 2), row["compared"])
        for row in assessors.filter(pl.col("flags").str.contains(REVERSED)).iter_rows(named=True)
    ]
    sure = (gold >= 0) & ~tied_items(votes.shares)
    against = np.flatnonzero(sure & (votes.shares.argmax(axis=1) != gold))
    if len(against):
        notices.append(crowds.gold_contradicted(len(against), int((gold >= 0).sum()), ratings.items[int(against[0])]))
    return notices


def _sentences(frame: pl.DataFrame, assessors: pl.DataFrame, title: str, tied: int) -> list[str]:
    labelled = len(frame) - frame[LABEL].null_count()
    sure = number(frame.select(pl.col("posterior").mean()).item(), 2)
    have = "has" if labelled == 1 else "have"
    lines = [f"{labelled:,} of {plural(len(frame), 'item')} {have} a label by {title}; its mean probability is {sure}."]
    if tied and labelled < len(frame):
        lines.append(f"{plural(tied, 'item')} tied and undecided.")
    for flag in FLAGS:
        names = assessors.filter(pl.col("flags").str.contains(flag, literal=True))["assessor"].to_list()
        if names:
            more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
            lines.append(f"{flag.capitalize()}: {', '.join(names[:FEW])}{more}.")
    return lines


def _without(table: Judgements, full: AggregatedGold, given: Mapping[str, Any], systems: Any, metrics: Any) -> AggregatedGold:
    """The result without some assessors, and what is different."""
    named = given["without"]
    left_out = _left_out([named] if isinstance(named, str) else list(named), full.assessors)
    kept = [name for name in table.assessors if name not in left_out]
    if not kept:
        raise BadUsage(problems.one_assessor([]))
    again = _aggregated(replace(table, frame=table.frame.filter(pl.col(ASSESSOR).is_in(kept))), given)
    both = full.gold.select(CASE, ITEM, pl.col(LABEL).alias("before")).join(
        again.gold.select(CASE, ITEM, pl.col(LABEL).alias("after")), on=[CASE, ITEM], how="left", maintain_order="left"
    )
    changes = both.filter(pl.col("before").ne_missing(pl.col("after")))
    gone = full.gold.join(again.gold, on=[CASE, ITEM], how="anti")
    whom = f"{plural(len(left_out), 'assessor')} ({', '.join(left_out[:FEW])}{', ...' if len(left_out) > FEW else ''})"
    changed = f"{len(changes):,} of {plural(len(both), 'item')} get another label or none; {len(gone):,} have no vote left"
    lines = [f"Without {whom}, {changed}." if left_out else "No assessor has such a flag: nothing changes."]
    leaderboard = pl.DataFrame()
    if systems is not None:
        leaderboard, sentence = _systems(full, again, systems, metrics, expected=given.get("as_") == "expected")
        lines.append(sentence)
    made = {**again.made, "without": left_out}
    return replace(again, summary=(*again.summary, *lines), changes=changes, leaderboard=leaderboard, made=made)


def _left_out(named: list[str], assessors: pl.DataFrame) -> list[str]:
    """The assessors of these names or with these flags."""
    names = assessors["assessor"].to_list()
    left_out: list[str] = []
    for one in named:
        flagged = (
            assessors.filter(pl.col("flags").str.contains(one, literal=True))["assessor"].to_list() if one in FLAGS else []
        )
        if one not in names and one not in FLAGS:
            raise BadUsage(problems.unknown_assessor(one, [*names[:FEW], *FLAGS]))
        left_out += [one] if one in names else flagged
    return list(dict.fromkeys(left_out))


def _systems(
    before: AggregatedGold,
    after: AggregatedGold,
    systems: Any,
    metrics: Any,
    *,
    expected: bool,
) -> tuple[pl.DataFrame, str]:
    """Systems with both golds."""
    from plumbline.evaluation.evaluate import evaluate  # noqa: PLC0415 - only with systems

    scores = [evaluate(one.to_gold(expected=expected), systems, metrics or "nDCG@10").mean for one in (before, after)]
    joined = (
        scores[0]
        .select("metric", "system", pl.col("value").alias("before"))
        .join(
            scores[1].select("metric", "system", pl.col("value").alias("after")), on=["metric", "system"], maintain_order="left"
        )
    )
    ranked = joined.with_columns(
        pl.col(name).rank("min", descending=True).over("metric").cast(pl.Int64).alias(f"rank_{name}")
        for name in ("before", "after")
    )
    taus = [
        between(dict(rows.select("system", "before").rows()), dict(rows.select("system", "after").rows())).tau_b
        for _, rows in ranked.group_by("metric", maintain_order=True)
    ]
    moved = int((ranked["rank_before"] != ranked["rank_after"]).sum())
    known = [tau for tau in taus if not np.isnan(tau)]
    tau = f" (tau {number(min(known), 2)})" if known else ""
    return ranked, f"{moved:,} of {plural(len(ranked), 'place')} in the leaderboard change{tau}."
