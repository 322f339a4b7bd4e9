"""Problems with logged policies: probabilities, weights, and estimates that rest on too little."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, FILE, NUMBER, either, option
from plumbline.errors.registry import Message, diagnostic

CLIPPED = either('estimators="clipped"', "--estimator clipped")
"""The option that cuts large weights."""


@diagnostic("E580", "The log of a policy lacks a column")
def no_column(place: Place, meaning: str, columns: list[str]) -> Message:
    """A log says what was done (`action`), with what probability (`propensity`), and what came of it (`reward`).

    Lists also need `session` and `position`. `case` says in which situation, such as for which query. `target` is the
    probability with which the new policy would have done the same, if there is no table of the policy.
    """
    return Message(
        f"no column for the {meaning}; columns: {listing(columns, 8)}",
        place,
        f"name it: {option('log_columns', f'{meaning}={COLUMN}')}",
    )


@diagnostic("E581", "A value of the log is not a number")
def not_a_number(place: Place, meaning: str, text: str | None) -> Message:
    """Rewards, probabilities and positions are numbers of less than 1e100, and none is missing."""
    wrong = f"the {meaning} is missing" if text is None else f"{meaning} {text!r} is not a number"
    return Message(wrong, place, "write a number")


@diagnostic("E582", "A probability of the log is impossible")
def bad_propensity(place: Place, propensity: float) -> Message:
    """What was done had a chance to be done: a propensity is above 0 and at most 1."""
    wrong = "is too close to 0 to be divided by" if 0 < propensity < 1 else "is not above 0 and at most 1"
    return Message(
        f"propensity {propensity:g} {wrong}",
        place,
        "log the probability with which the action was taken, at the time when it was taken",
    )


@diagnostic("E583", "A probability of the new policy is impossible")
def bad_target(place: Place, target: float) -> Message:
    """A probability is between 0 and 1."""
    return Message(f"the new policy has the probability {target:g}", place, "write a probability between 0 and 1")


@diagnostic("E584", "The probabilities of a policy do not add up")
def not_one(path: str, where: str, total: float) -> Message:
    """The probabilities of all actions add up to 1, in every case and for every position that the table tells apart."""
    return Message(f"the probabilities{where} add up to {total:.6g}, not to 1", Place(path), "list every action once")


@diagnostic("E585", "The estimate rests on too little")
def too_small(effective: float, total: int, unit: str, least: float) -> Message:
    """Weights differ so much that a few observations make the whole estimate.

    The effective sample, (Σw)² / Σw², is the number of observations of equal weight that would do as well. A new policy that
    mostly does what the old one hardly ever did cannot be valued from this log. `--estimator clipped` cuts large weights,
    which makes the estimate more certain, and too low.
    """
    return Message(
        f"the estimate would rest on {effective:.3g} of {plural(total, unit)}, and {least:g} are needed",
        None,
        f"log more, try a policy that is nearer, {CLIPPED}, or {option('least', NUMBER)} at your own risk",
    )


@diagnostic("E586", "There is no policy to value")
def no_policy(columns: list[str]) -> Message:
    """The new policy is a table of probabilities, `uniform`, or a column `target` of the log."""
    return Message(
        f"nothing says what the new policy would do; columns of the log: {listing(columns, 8)}",
        None,
        f"give {option('policy', FILE)}, {option('policy', 'uniform')}, or a column target",
    )


@diagnostic("E587", "An estimate needs what is not there")
def needs(estimator: str, missing: str) -> Message:
    """`direct` and `dr` need predicted rewards of all actions, and a table of the policy; positions need their examination."""
    return Message(f"{estimator} needs {missing}", None, "give it, or leave the estimate out")


@diagnostic("E588", "A session lists the same position twice")
def position_twice(place: Place, position: int, session: str) -> Message:
    """A session is one list, which has one item at each position."""
    return Message(f"position {position} of session {session} is listed twice", place, "check the columns session and position")


@diagnostic("E589", "A policy does not name its columns")
def bad_policy(path: str, columns: list[str], wanted: list[str]) -> Message:
    """A table of a policy has `action` and `probability`, and perhaps `case` and `position`."""
    return Message(
        f"columns {listing(columns, 8)}, and {listing(wanted)} {'is' if len(wanted) == 1 else 'are'} missing",
        Place(path),
        "name the columns so",
    )


@diagnostic("E590", "A position has no examination")
def unexamined(position: int) -> Message:
    """A click is divided by the probability that its position is looked at, which must be known and above 0."""
    return Message(
        f"clicks on position {position}, which nobody looks at by the table of examination",
        None,
        "give every position of the log a probability above 0",
    )


@diagnostic("N580", "Weights do not have the mean 1")
def mean_weight(mean: float, expected: float) -> Message:
    """If propensities are right, the weights of actions average to the share of the new policy that the log supports.

    A mean far from it says that they are not the probabilities of the policy that made the log.
    """
    return Message(
        f"mean weight {mean:.3g} (should be {expected:.3g}): are these the logging policy's probabilities?",
        None,
        "check the propensities before believing the estimate",
    )


@diagnostic("N581", "The new policy does what was never tried")
def unsupported(share: float, actions: list[str], number: int) -> Message:
    """Nothing can be said about actions that the log does not have; weighted estimates count them as if they earned nothing.

    If they are more than 5 % of what the new policy does, there is no verdict.
    """
    return Message(
        f"{share:.1%} of what the new policy does was never tried: {plural(number, 'action')} such as {listing(actions)}",
        None,
        "estimates leave this part out, as if it earned nothing; snips assumes that it earns as much as the rest",
    )


@diagnostic("N582", "An estimate was refused")
def refused(estimator: str, effective: float, total: int, unit: str, least: float) -> Message:
    """Its weights make it rest on too few observations; see E585."""
    return Message(
        f"{estimator} was refused: it would rest on {effective:.3g} of {plural(total, unit)}, and {least:g} are needed"
    )


@diagnostic("N583", "Logged actions that the new policy does not know")
def unknown_actions(rows: int, total: int, actions: list[str], number: int) -> Message:
    """The table of the policy does not have them, so it never takes them."""
    about = plural(number, "action")
    return Message(f"{rows:,} of {plural(total, 'row')} about {about} that the policy lacks, weight 0: {listing(actions, 3)}")


@diagnostic("N584", "Predictions are missing")
def no_prediction(rows: int, total: int) -> Message:
    """The doubly robust estimate uses 0 where the model says nothing, which makes the estimate less certain, but not wrong."""
    return Message(f"{rows:,} of {plural(total, 'row')} without a predicted reward, counted as 0")
