"""Problems with reports that were asked for."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, Place, diagnostic, say


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
