"""simulate_clicks(): a log of users who click by a known model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, clicks
from plumbline.errors.base import plural
from plumbline.io.table import ReadOptions
from plumbline.options.clicks import SimulateClicksOptions
from plumbline.options.option import checked, documented
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Sentences
from plumbline.render.result import Result, described
from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.clicks import chosen_models
from plumbline.truth.clicks.estimates import PARAMETERS
from plumbline.truth.clicks.log import CLICKED, POSITION, SESSION, Pages
from plumbline.truth.clicks.simulating import assumed, draw
from plumbline.truth.pools.lists import DOC, RUN, read_judgements, read_lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block
    from plumbline.truth.clicks.registry import ClickModel, Parameters
    from plumbline.truth.pools.lists import PooledLists

USUAL = "sdbn"


@dataclass(frozen=True, repr=False, eq=False)
class SimulatedClicks(Result):
    """A log of clicks with the parameters that it was drawn from.

    Example:
        >>> import plumbline
        >>> lists = {"mine": {"q": {"a": 2.0, "b": 1.0}}}
        >>> drawn = plumbline.simulate_clicks({"q": {"a": 1, "b": 0}}, lists, sessions=3, seed=1)
        >>> drawn.log.columns
        ['session', 'case', 'item', 'position', 'clicked', 'system']
    """

    heading: ClassVar[str] = "Simulated clicks"
    summary: tuple[str, ...]
    """What was drawn, in sentences."""
    log: pl.DataFrame
    """`session, case, item, position, clicked, system`: a row for each result that was shown."""
    parameters: pl.DataFrame
    """`model, parameter, case, item, rank, last_click, value`: the truth."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How clicks were drawn."""
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """The log."""
        return self.log

    def to_blocks(self, *, table: str | None = None) -> Sequence[Block]:
        """A sentence, and the first rows.

        Args:
            table: "parameters" for the truth instead of the log.

        Returns:
            The sentence and the table.
        """
        frame = self.parameters if table == "parameters" else self.log.head(_SHOWN)
        return [Sentences(self.summary), frame_grid(frame, table or "the first rows of the log")]

    def to_rows(self, *, table: str | None = None) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            table: "parameters" for the truth instead of the log.

        Returns:
            The table.
        """
        return self.parameters if table == "parameters" else self.log

    def to_dict(self, *, table: str | None = None) -> dict[str, Any]:  # noqa: ARG002 - both are always there
        """Everything, as dicts, lists, texts and numbers.

        Args:
            table: Changes nothing, since both tables are always there.

        Returns:
            The sentence, both tables and the notices.
        """
        tables = {"log": self.log.to_dicts(), "parameters": self.parameters.to_dicts()}
        return {"summary": list(self.summary), **tables, "made": dict(self.made), "notices": described(self.notices)}


_SHOWN = 10


@documented(SimulateClicksOptions)
def simulate_clicks(
    gold: Any,
    systems: Any,
    **options: Unpack[SimulateClicksOptions],
) -> SimulatedClicks:
    """Draw a log of clicks on the lists of systems from a click model with known parameters.

    Every session sees the list of one system for one case, both drawn at random. Items attract and satisfy with probabilities
    from .05, for grade 0 and for items that are not judged, to .95 for the highest grade of the gold.

    Args:
        gold: Grades by case and item, as `evaluate` takes them.
        systems: The lists that users see, as `evaluate` takes outputs.
        **options: See `plumbline.options.clicks.SimulateClicksOptions`.

    Returns:
        The log, and the parameters that it was drawn from.

    Raises:
        BadData: If a file cannot be read.
        BadUsage: If an option or a model is unknown.

    Example:
        >>> import plumbline
        >>> lists = {"mine": {"q": {"a": 2.0, "b": 1.0}}}
        >>> drawn = plumbline.simulate_clicks({"q": {"a": 1, "b": 0}}, lists, sessions=1000, seed=1)
        >>> drawn.log["clicked"].sum() < 1200
        True
    """
    given = checked(options, SimulateClicksOptions, "simulate_clicks")
    models = chosen_models(given.get("model") or USUAL)
    if len(models) != 1:
        raise BadUsage(clicks.one_model("a simulated log", [model.name for model in models]))
    model, seed, size = models[0], given.get("seed", 0), given.get("sessions", 1000)
    lists = read_lists(systems, ReadOptions(role="output"), given.get("depth", 10))
    judged = read_judgements(gold, ReadOptions(role="gold"))
    grades = np.nan_to_num(lists.grades(judged.frame))
    pages, run, case = _pages(lists)
    truth = assumed(model, grades, float(grades.max(initial=0.0)), pages.depth)
    generator = np.random.default_rng(seed)
    page = generator.integers(0, len(pages.pair), size=size)
    seen = Pages(pages.pair[page], pages.pairs)
    clicked = draw(model, truth, seen, generator)
    session, rank = np.nonzero(seen.shown)
    log = pl.DataFrame(
        {
            SESSION: pl.Series(session + 1).cast(pl.String),
            CASE: pl.Series(lists.cases, dtype=pl.String).gather(case[page[session]]),
            ITEM: lists.docs[ITEM].gather(seen.pair[session, rank]),
            POSITION: rank + 1,
            CLICKED: clicked[session, rank].astype(np.int64),
            "system": pl.Series(lists.systems, dtype=pl.String).gather(run[page[session]]),
        }
    )
    words = f"{plural(size, 'session')} on {plural(len(pages.pair), 'list')} by the {model.title}, seed {seed}."
    made = {"model": model.name, "sessions": size, "seed": seed}
    return SimulatedClicks((words,), log, _truth(model, truth, lists), made, (*judged.notices, *lists.notices))


def _pages(lists: PooledLists) -> tuple[Pages, Any, Any]:
    """A page for each list that is not empty, with its system and its case."""
    doc, run, rank = (lists.rows[name].to_numpy() for name in (DOC, RUN, "rank"))
    number = run * len(lists.cases) + lists.case[doc]
    kept = np.unique(number)
    pair = np.full((len(kept), int(rank.max())), -1, dtype=np.int64)
    pair[np.searchsorted(kept, number), rank - 1] = doc
    return Pages(pair, len(lists.docs)), kept // len(lists.cases), kept % len(lists.cases)


def _truth(model: ClickModel, truth: Parameters, lists: PooledLists) -> pl.DataFrame:
    """A row for each parameter."""
    cases = pl.Series(lists.cases, dtype=pl.String).gather(lists.docs[CASE])
    kept = [name for name in PARAMETERS if name not in {"low", "high", "count"}]
    parts = []
    for one in model.parameters:
        flat = truth[one.name].ravel()
        index = np.arange(len(flat))
        frame = pl.DataFrame({"value": flat})
        if one.by == "item":
            frame = frame.with_columns(cases.alias(CASE), lists.docs[ITEM])
        elif one.by == "rank":
            frame = frame.with_columns(pl.Series("rank", index + 1))
        elif one.by == "rank and last click":
            wide = truth[one.name].shape[1]
            frame = frame.with_columns(pl.Series("rank", index // wide + 1), pl.Series("last_click", index % wide))
            frame = frame.filter(pl.col("last_click") < pl.col("rank"))
        frame = frame.with_columns(pl.lit(model.name).alias("model"), pl.lit(one.name).alias("parameter"))
        missing = [pl.lit(None, dtype=PARAMETERS[name]).alias(name) for name in kept if name not in frame.columns]
        parts.append(frame.with_columns(missing).select(pl.col(name).cast(PARAMETERS[name]) for name in kept))
    return pl.concat(parts)
