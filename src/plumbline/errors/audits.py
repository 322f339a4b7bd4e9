"""Problems with audits: what cannot be audited, and functions that cannot be called."""

from __future__ import annotations

from plumbline.errors.base import listing
from plumbline.errors.faces import option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E326", "There are no constraints for a task")
def no_constraints(task: str, known: list[str]) -> Message:
    """Constraints are known for the tasks of plumbline, and for functions that combine two scores."""
    return Message(f"no constraints are known for {task}", None, f"use {option('task', *known)}")


@diagnostic("E327", "A constraint is not known")
def unknown_constraint(name: str, task: str, known: list[str]) -> Message:
    """Each task has its constraints; `plumbline audit --task TASK --list` shows what they demand."""
    return Message(f"no constraint of {task} is called {name!r}", None, f"use {listing(known, 20)}")


@diagnostic("E328", "A metric cannot be audited")
def cannot_audit(metric: str, reason: str) -> Message:
    """Constraints say which of two outputs is better, so a metric needs a direction.

    Outputs are lists, matrices, clusterings or levels: metrics that need scores or features of items have nothing to look at.
    """
    return Message(f"{metric} cannot be audited: {reason}", None, "leave it out")


@diagnostic("E329", "A function cannot be loaded")
def cannot_load(name: str, reason: str, signature: str) -> Message:
    """A metric of your own is given as `module:function`; the module is looked for in the current folder too.

    Which arguments it is called with depends on the task. Filtering: `f(tp, fp, fn, tn)`, four counts. Ranking:
    `f(grades, relevant)`, a list of 1 and 0 from the top, and how many relevant items there are in all. Classification:
    `f(gold, answers)`, the label of each item, or the labels. Clustering:
    `f(clusters, classes)`, lists of lists of items. Organization: `f(levels, gold)`, lists of levels, which are lists of
    clusters, which are lists of items. It returns a number; None, NaN and a division by zero mean that it is undefined.
    """
    return Message(f"{name}: {reason}", None, f"give module:function, where the function is {signature}")


@diagnostic("E333", "The task of a function is unclear")
def no_task(signatures: str) -> Message:
    """Without `--task` the task follows from the parameters of the function: from their names, or from their number."""
    return Message(
        "the parameters of the function do not show its task", None, f"give {option('task')}; a function is {signatures}"
    )


@diagnostic("E334", "There is no such function")
def no_function(names: list[str], known: list[str]) -> Message:
    """`--lower` names audited functions, as they were given; metrics know their own direction."""
    advice = f"the functions are {listing(known, 8)}" if known else "only functions need it: metrics know their own direction"
    return Message(f"{option('lower', *names[:4], between=', ')}: no audited function has this name", None, advice)


@diagnostic("E168", "A function fails")
def fails(name: str, world: str, reason: str, signature: str) -> Message:
    """An audited function must accept every small output that it is given.

    Where it has no score, it returns None or NaN, or divides by zero.
    """
    return Message(
        f"{name} fails on {world}: {reason}", None, f"it is called as {signature}; return None where there is no value"
    )


@diagnostic("E169", "A function returns no number")
def no_number(name: str, world: str, value: str) -> Message:
    """The value of a metric is a finite number, or None or NaN where it is undefined."""
    return Message(f"{name} returns {value} for {world}", None, "return a finite number, or None where there is no value")


@diagnostic("N244", "Metrics are left out of an audit")
def left_out(names: list[str]) -> Message:
    """Without names all metrics of a task are audited, except those that have no better direction or need more than labels."""
    return Message(f"left out, because they have no direction or need scores or features: {listing(names, 20)}", None, None)


@diagnostic("E335", "A combining function is not known")
def unknown_combination(name: str, known: list[str]) -> Message:
    """`--task combining` audits functions of two scores.

    F, the arithmetic and the geometric mean take alpha, the weight of the first score, as in `F(alpha=0.2)`.
    """
    return Message(f"no combining function is called {name!r}", None, f"use {listing(known, 8)}, or module:function")
