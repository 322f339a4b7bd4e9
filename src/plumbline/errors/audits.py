"""Problems with audits: what cannot be audited, and functions that cannot be called."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, diagnostic, listing, say


@diagnostic("E326", "There are no constraints for a task")
def no_constraints(task: str, known: list[str]) -> Diagnostic:
    """Constraints are known for rankings, filters, clusterings and organizations."""
    return say(f"no constraints are known for {task}", None, f"use --task {'|'.join(known)}")


@diagnostic("E327", "A constraint is not known")
def unknown_constraint(name: str, task: str, known: list[str]) -> Diagnostic:
    """Each task has its constraints; `plumbline audit --task TASK --list` tells what they demand."""
    return say(f"no constraint of {task} is called {name!r}", None, f"use {listing(known, 20)}")


@diagnostic("E328", "A metric cannot be audited")
def cannot_audit(metric: str, reason: str) -> Diagnostic:
    """Constraints say which of two outputs is better, so that a metric needs a direction.

    Outputs are lists, matrices, clusterings or levels: metrics that need scores or features of items have nothing to look at.
    """
    return say(f"{metric} cannot be audited: {reason}", None, "leave it out")


@diagnostic("E329", "A function cannot be loaded")
def cannot_load(name: str, reason: str, signature: str) -> Diagnostic:
    """A metric of one's own is given as `module:function`; the module is looked for in the current folder too.

    Which arguments it is called with depends on the task. Filtering: `f(tp, fp, fn, tn)`, four counts. Ranking:
    `f(grades, relevant)`, a list of 1 and 0 from the top, and how many relevant items there are in all. Clustering:
    `f(clusters, classes)`, lists of lists of items. Organization: `f(levels, gold)`, lists of levels, which are lists of
    clusters, which are lists of items. It returns a number; None, NaN and a division by zero mean that it is undefined.
    """
    return say(f"{name}: {reason}", None, f"give module:function, where the function is {signature}")


@diagnostic("E333", "The task of a function cannot be told")
def no_task(signatures: str) -> Diagnostic:
    """Without `--task` the parameters of a function tell which task it is for: their names, or that there are four of them."""
    return say("the task of the function cannot be told from its parameters", None, f"give --task; a function is {signatures}")


@diagnostic("E334", "There is no such function")
def no_function(names: list[str], known: list[str]) -> Diagnostic:
    """`--lower` names functions that are audited, as they are given; metrics know their own direction."""
    told = f"the functions are {listing(known, 8)}" if known else "there is no function among what is audited"
    return say(f"--lower {listing(names, 4)}: no function that is audited is called so", None, told)


@diagnostic("E168", "A function fails")
def fails(name: str, world: str, reason: str, signature: str) -> Diagnostic:
    """A function that is audited must take every small output that it is given.

    What it cannot score is undefined: then it returns None or NaN, or divides by zero.
    """
    return say(f"{name} fails on {world}: {reason}", None, f"it is called as {signature}; return None where there is no value")


@diagnostic("E169", "A function returns no number")
def no_number(name: str, world: str, found: str) -> Diagnostic:
    """The value of a metric is a finite number, or None or NaN where it is undefined."""
    return say(f"{name} returns {found} for {world}", None, "return a finite number, or None where there is no value")


@diagnostic("N244", "Metrics are left out of an audit")
def left_out(names: list[str]) -> Diagnostic:
    """Without names all metrics of a task are audited, except those that have no better direction or need more than labels."""
    return say(f"left out, because they have no direction or need scores or features: {listing(names, 20)}", None, None)
