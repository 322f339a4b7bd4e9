"""Problems with reports that were asked for."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, Place, diagnostic, listing, say


@diagnostic("E345", "The plan of a report cannot be read")
def bad_plan(path: str, reason: str) -> Diagnostic:
    """A plan is a TOML file with a table `[[part]]` for each part of the report.

    A part has a `gold` and `systems`, or `scores`; `title`, `task`, `metrics` and a table `compare` with the options of
    `plumbline compare` may follow, and any option of `plumbline evaluate`. Names of files start from the folder of the plan.
    """
    return say(f"the plan cannot be read: {reason}", Place(path), "plumbline demo writes a plan to look at: dossier.toml")


@diagnostic("E346", "A part of a plan is not understood")
def bad_part(path: str, number: int, reason: str, advice: str) -> Diagnostic:
    """Every part is about a `gold` and `systems`, or about `scores`. A key that means nothing is an error, not a wish."""
    return say(f"part {number}: {reason}", Place(path), advice)


@diagnostic("E347", "An option of a report or a figure is not understood")
def bad_option(reason: str, advice: str) -> Diagnostic:
    """Options are those of the report or the figure, those of `evaluate`, and in `comparing` those of `compare`.

    A name that means nothing is refused, so that nobody trusts a setting that was never made.
    """
    return say(reason, None, advice)


@diagnostic("E348", "The scores were made otherwise")
def made_otherwise(option: str, found: str, made: str | None) -> Diagnostic:
    """Scores know by which options they were made, and gold and systems are looked at again by the same.

    Other options would draw figures that contradict the scores beside them.
    """
    before = f"without {option}" if made is None else f"with {option} = {made}"
    return say(
        f"the scores were made {before}, and {option} = {found} is asked for",
        None,
        f"leave out {option}; or evaluate again with it",
    )


@diagnostic("E174", "The systems are not those of the scores")
def other_systems(given: list[str], scored: list[str]) -> Diagnostic:
    """Figures of outputs stand beside the scores, so that both have to be of the same systems, under the same names."""
    return say(
        f"the scores are of {listing(scored, 8)}, and the systems given are {listing(given, 8)}",
        None,
        "give the systems that were evaluated, all of them, as {name: system} if they are called otherwise; or evaluate again",
    )


@diagnostic("E175", "The scores are not those of the outputs")
def other_values(metric: str, system: str, case: str, values: tuple[str, str], count: int) -> Diagnostic:
    """A report evaluates the gold and the systems once more and compares every value with the scores that it is about.

    Another gold, other outputs under the same names, or files that were changed since would contradict the scores beside them.
    """
    more = f", and {count - 1:,} more values differ" if count > 1 else ""
    return say(
        f"{metric} of {system} in case {case} is {values[0]} in the scores and {values[1]} by the gold and systems given{more}",
        None,
        "give the gold and the systems that were evaluated; or evaluate again",
    )


@diagnostic("E349", "An option would have no effect")
def without_effect(option: str, reason: str, advice: str) -> Diagnostic:
    """An option that would change nothing is refused, so that nobody trusts it."""
    return say(f"{option} has no effect: {reason}", None, advice)


@diagnostic("N265", "Outputs could be read only once")
def read_once() -> Diagnostic:
    """Standard input, pipes and open files are read once, for the scores.

    Curves, confusion matrices and losses of a report look at the outputs again. With files they appear.
    """
    return say(
        "the gold or a system came through a pipe or an open file, which is read once: figures of outputs are left out",
        None,
        "name files instead",
    )
