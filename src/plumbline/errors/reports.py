"""Problems with reports and plans."""

from __future__ import annotations

from plumbline.errors.base import Place, listing
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E345", "The plan of a report cannot be read")
def bad_plan(path: str, reason: str) -> Message:
    """A plan is a TOML file with a table `[[part]]` for each part of the report.

    A part has a `gold` and `systems`, or `scores`; `title`, `task`, `metrics` and a table `compare` with the options of
    `plumbline compare` may follow, and any option of `plumbline evaluate`. Names of files start from the folder of the plan.
    """
    return Message(f"the plan cannot be read: {reason}", Place(path), "plumbline demo writes a plan to look at: dossier.toml")


@diagnostic("E346", "A part of a plan is not understood")
def bad_part(path: str, number: int, reason: str, advice: str) -> Message:
    """Every part is about a `gold` and `systems`, or about `scores`. A key that means nothing is an error."""
    return Message(f"part {number}: {reason}", Place(path), advice)


@diagnostic("E348", "The scores were made with other options")
def made_otherwise(option: str, value: str, made: str | None) -> Message:
    """Scores know the options they were made with, and the report uses the same for the gold and the systems.

    Other options would give figures that contradict the scores beside them.
    """
    before = f"without {option}" if made is None else f"with {option} = {made}"
    return Message(
        f"the scores were made {before}, but {option} = {value} was requested",
        None,
        f"leave out {option}; or evaluate again with it",
    )


@diagnostic("E174", "The systems differ from those of the scores")
def other_systems(given: list[str], scored: list[str]) -> Message:
    """Figures of outputs stand beside the scores, so both must be about the same systems, under the same names."""
    return Message(
        f"the scores are of {listing(scored, 8)}, and the systems given are {listing(given, 8)}",
        None,
        "give the systems that were evaluated, all of them, as {name: system} if they have other names; or evaluate again",
    )


@diagnostic("E175", "The scores differ from those of the outputs")
def other_values(metric: str, system: str, case: str, values: tuple[str, str], count: int) -> Message:
    """A report evaluates the gold and the systems once more and compares every value with the scores that it is about.

    Another gold, other outputs under the same names, or files that were changed since would contradict the scores beside them.
    """
    more = f", and {count - 1:,} more values differ" if count > 1 else ""
    return Message(
        f"{metric} of {system} in case {case} is {values[0]} in the scores and {values[1]} by the gold and systems given{more}",
        None,
        "give the gold and the systems that were evaluated; or evaluate again",
    )


@diagnostic("E349", "An option would have no effect")
def without_effect(option: str, reason: str, advice: str) -> Message:
    """An option that would change nothing is refused, so that nobody relies on it."""
    return Message(f"{option} has no effect: {reason}", None, advice)


@diagnostic("N265", "Outputs can be read only once")
def read_once() -> Message:
    """Standard input, pipes and open files are read once, for the scores.

    Curves, confusion matrices and losses of a report need the outputs again. They appear if files are given.
    """
    return Message(
        "the gold or a system came through a pipe or an open file, which is read once: figures of outputs are left out",
        None,
        "name files instead",
    )
