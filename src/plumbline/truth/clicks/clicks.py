"""clicks(): which click model predicts a log, and what it says about items and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.errors import clicks as problems
from plumbline.errors.base import plural
from plumbline.options.clicks import ALL, MODELS, ClicksOptions
from plumbline.options.option import checked, documented
from plumbline.truth.clicks.comparing import compared, scores_by_case
from plumbline.truth.clicks.estimates import GOLD, gold_table, parameter_table, position_table
from plumbline.truth.clicks.identifying import links_of
from plumbline.truth.clicks.reading.read import read_log
from plumbline.truth.clicks.registry import Settings, click_models
from plumbline.truth.clicks.result import ClickModels
from plumbline.truth.clicks.scoring import predictions
from plumbline.truth.clicks.splitting import split_log
from plumbline.truth.clicks.systems import by_systems
from plumbline.truth.clicks.uncertainty import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.errors import Diagnostic
    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import ClickModel, Fit
    from plumbline.truth.clicks.scoring import Predictions
    from plumbline.truth.clicks.splitting import Parts
    from plumbline.truth.clicks.uncertainty import Errors

BASE: Final = "ctr"
"""The model that gains are measured from."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model with its predictions of held-out sessions, and with its fit to all."""

    model: ClickModel
    tested: Fit
    """The fit to the sessions that were not held out."""
    held_out: Predictions
    new_cases: Predictions | None
    fit: Fit
    """The fit to all sessions."""
    errors: Errors


@documented(ClicksOptions)
def clicks(
    log: Any,
    systems: Any = None,
    **options: Unpack[ClicksOptions],
) -> ClickModels:
    """Fit click models to a log, compare them on held-out sessions, and estimate the relevance of items from clicks.

    Args:
        log: A row for each result that was shown, with the columns `session, case, item, position, clicked` and perhaps `when`:
            a path or a data frame. Queries and events of UBI 1.3, and lines `case TAB item,item : click,click;`, are read too.
        systems: Rankings to score by the metrics that follow from the models, as `evaluate` takes them.
        **options: See `plumbline.options.clicks.ClicksOptions`.

    Returns:
        The models with their scores. Scores are of held-out sessions; estimates are from all sessions of the log.

    Raises:
        BadData: If a file cannot be read, or a page shows an item twice.
        BadUsage: If an option or a model is unknown, or nothing is left to fit.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"d": 0, "e": 1, "f": 0}}
        >>> up = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"e": 3.0, "d": 2.0, "f": 1.0}}
        >>> down = {"q1": {"c": 3.0, "b": 2.0, "a": 1.0}, "q2": {"f": 3.0, "d": 2.0, "e": 1.0}}
        >>> drawn = plumbline.simulate_clicks(gold, {"up": up, "down": down}, model="pbm", sessions=2000, seed=1)
        >>> models = plumbline.clicks(drawn.log, model=["ctr", "pbm"])
        >>> models.scores.sort("log_likelihood")["model"].to_list()
        ['ctr', 'pbm']
    """
    given = checked(options, ClicksOptions, "clicks")
    chosen = chosen_models(given.get("model"))
    settings = Settings(
        prior=given.get("prior", 1.0),
        rounds=given.get("rounds", 1000),
        no_click=given.get("no_click", "examined"),
        gamma=given.get("gamma"),
        fit=given.get("fit", "counted"),
    )
    _refuse_idle(settings, chosen)
    reading = {name: given[name] for name in ("columns", "positions_from", "max_bytes") if name in given}
    test = given.get("test")
    parts = split_log(
        read_log(log, **reading),
        None if test is None else read_log(test, **reading),
        split=given.get("split", "time"),
        share=given.get("hold_out", 0.25),
        seed=given.get("seed", 0),
    )
    fitted = [_fitted(model, parts, settings) for model in chosen]
    cases = scores_by_case([(one.model.name, one.held_out) for one in fitted])
    words, notices = compared(cases, given.get("seed", 0), len(np.unique(parts.all_sessions.case)))
    z = NormalDist().inv_cdf(0.5 + given.get("confidence", 0.95) / 2)
    tables = _tables(fitted, parts.all_sessions, z)
    if given.get("cautious"):
        tables["gold"] = tables["gold"].with_columns(pl.col("low").alias("grade"))
    scored, about_systems = by_systems(systems, [(one.model, one.fit) for one in fitted], parts.all_sessions, tables["gold"])
    caption = f"{plural(parts.held_out.size, 'session')} tested: {parts.way}"
    return ClickModels(
        (_about(parts), *words),
        _scores(fitted),
        _ranks(fitted),
        cases,
        **tables,
        systems=scored,
        made={"caption": caption, "held_out": parts.way, **_made(given, settings)},
        notices=(*parts.notices, *_notices(fitted, parts), *notices, *about_systems),
    )


def chosen_models(names: Any) -> list[ClickModel]:
    """The models that were asked for, each once; all if none was."""
    listed = [names] if isinstance(names, str) else list(names or [ALL])
    known = click_models()
    wrong = next((name for name in listed if name != ALL and name not in known), None)
    if wrong is not None:
        raise BadUsage(usage.bad_option("model", wrong, [ALL, *MODELS]))
    return list(known.values()) if ALL in listed else [known[name] for name in dict.fromkeys(listed)]


def _refuse_idle(settings: Settings, chosen: list[ClickModel]) -> None:
    """Refuse options of fits that none of the models would heed."""
    typed = {"fit": settings.fit == "exact", "no_click": settings.no_click == "skip", "gamma": settings.gamma is not None}
    models = [one.name for one in chosen]
    for name in (name for name, is_typed in typed.items() if is_typed):
        having = [one.name for one in click_models().values() if name in one.options]
        if not set(models) & set(having):
            raise BadUsage(problems.idle_option(name, str(getattr(settings, name)), models, having))
    if typed["fit"] and typed["no_click"]:
        raise BadUsage(problems.nothing_skipped())


def _made(given: dict[str, Any], settings: Settings) -> dict[str, Any]:
    return {"prior": settings.prior, "fit": settings.fit, "seed": given.get("seed", 0), "cautious": bool(given.get("cautious"))}


def _fitted(model: ClickModel, parts: Parts, settings: Settings) -> Fitted:
    tested = model.fit(parts.fitted, settings, None)
    fit = tested if parts.all_sessions.size == parts.fitted.size else model.fit(parts.all_sessions, settings, tested)
    fixed = () if settings.gamma is None or model.name != "dbn" else ("persistence",)
    return Fitted(
        model,
        tested,
        predictions(model, tested.parameters, parts.held_out),
        None if parts.of_new_cases is None else predictions(model, tested.parameters, parts.of_new_cases),
        fit,
        errors_of(model, fit, parts.all_sessions, settings.prior, fixed),
    )


def _about(parts: Parts) -> str:
    """What the log is like."""
    links = links_of(parts.all_sessions)
    cases = plural(len(np.unique(parts.all_sessions.case)), "case")
    moving = f"{links.moving:,} of {links.items:,} items were shown at two ranks or more"
    return f"{plural(parts.fitted.size, 'session')} fitted, {parts.held_out.size:,} tested, {cases}; {moving}."


def _scores(fitted: list[Fitted]) -> pl.DataFrame:
    """A row for each model."""
    rows = []
    base = next((one.held_out.perplexity() for one in fitted if one.model.name == BASE), None)
    for one in fitted:
        perplexity = one.held_out.perplexity()
        gain = None if base is None or one.model.name == BASE or base <= 1 else (base - perplexity) / (base - 1)
        rows.append(
            {
                "model": one.model.name,
                "log_likelihood": one.held_out.log_likelihood(),
                "perplexity": perplexity,
                "conditional_perplexity": one.held_out.perplexity(given_above=True),
                "gain": gain,
                "sessions": one.held_out.sessions,
                "impossible": one.held_out.impossible_sessions,
                "new_sessions": 0 if one.new_cases is None else one.new_cases.sessions,
                "log_likelihood_of_new_cases": None if one.new_cases is None else one.new_cases.log_likelihood(),
                "parameters": sum(int((count > 0).sum()) for count in one.fit.counts.values()),
                "rounds": one.tested.rounds,
                "settled": one.tested.settled,
            }
        )
    return pl.DataFrame(rows, schema_overrides={"gain": pl.Float64, "log_likelihood_of_new_cases": pl.Float64})


def _ranks(fitted: list[Fitted]) -> pl.DataFrame:
    parts = []
    for one in fitted:
        plain, conditional = one.held_out.by_rank(), one.held_out.by_rank(given_above=True)
        parts.append(
            pl.DataFrame(
                {
                    "model": [one.model.name] * len(plain),
                    "rank": np.arange(1, len(plain) + 1),
                    "perplexity": pl.Series(plain, nan_to_null=True),
                    "conditional_perplexity": pl.Series(conditional, nan_to_null=True),
                }
            )
        )
    return pl.concat(parts)


def _tables(fitted: list[Fitted], log: ClickLog, z: float) -> dict[str, pl.DataFrame]:
    with_items = [one for one in fitted if one.model.relevance]
    golds = [gold_table(one.model, one.fit, one.errors, log, z) for one in with_items]
    return {
        "gold": pl.concat(golds) if golds else pl.DataFrame(schema=GOLD),
        "positions": pl.concat([position_table(one.model, one.fit, one.errors, log, z) for one in fitted]),
        "parameters": pl.concat([parameter_table(one.model, one.fit, one.errors, log, z) for one in fitted]),
    }


def _impossible(one: Fitted, parts: Parts) -> Iterator[Diagnostic]:
    """Sessions that a model cannot explain even if it is fitted to them, or else held-out ones."""
    tested = predictions(one.model, one.fit.parameters, parts.all_sessions)
    if tested.impossible_sessions and one.model.name == "cascade":
        yield problems.impossible("the cascade model", tested.impossible_sessions, tested.sessions, "have two clicks or more")
    elif one.held_out.impossible_sessions:
        reason = "are held out and show what has probability 0"
        yield problems.impossible(one.model.name, one.held_out.impossible_sessions, one.held_out.sessions, reason)


def _notices(fitted: list[Fitted], parts: Parts) -> Iterator[Diagnostic]:
    """What models cannot explain, tell apart, or settle."""
    for one in fitted:
        yield from _impossible(one, parts)
        if one.held_out.unknown_sessions:
            yield problems.unknown_items(one.held_out.unknown_items, one.held_out.unknown_sessions)
        if not one.fit.settled:
            yield problems.not_settled(one.model.name, one.fit.rounds)
    scaled = [one.model.name for one in fitted if one.model.one_scale]
    groups = links_of(parts.all_sessions).groups if scaled else 1
    if groups > 1:
        yield problems.not_identified(scaled, groups)
