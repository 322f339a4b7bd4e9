"""Filtering: the family of metrics depends on the score that an output without information should get (amigo2019)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage
from plumbline.tools.choose.advice import Pick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers, Returns, Weights


CLASS_ORIENTED: Final = Pick(
    "class-oriented",
    ("F(P{0},R{0})", "P{0}", "R{0}"),
    "Losing an item of the class hurts more than reading one too many. So only that class is looked at: how much of what was "
    "accepted belongs to it, and how much of it was accepted.",
    "They score higher the more they accept. Accepting everything is the best of them and the baseline to beat; discarding "
    "everything gets 0.",
    ("amigo2019", "vanrijsbergen1979"),
)
INFORMATIVENESS: Final = Pick(
    "informativeness-based",
    ("MAAc{0}", "Kappa{0}", "Lam{0}"),
    "An output that ignores its input is useless, however much it accepts. So these metrics reward only what a system knows "
    "beyond guessing.",
    "They all get the same score, from accepting everything to discarding everything: MAAc 0.5, Kappa 0, Lam 0.5.",
    ("amigo2019",),
    ("For Lam lower is better.",),
)
UTILITY: Final = Pick(
    "utility-based",
    (),
    "Every decision has its price, so gains and costs are added up.",
    "",
    ("amigo2019",),
)
EVERY_FAMILY: Final = Pick(
    "one of each family, with Reliability and Sensitivity as the strict criterion",
    ("F(Rel{0},Sens{0})", "F(P{0},R{0})", "MAAc{0}", "Accuracy{0}"),
    "As long as nobody has said how the output is used, look at one metric of each family. F(Rel,Sens) is high only where "
    "the others are high too, so it decides in case of doubt.",
    "The families disagree: F(P,R) prefers those that accept more, MAAc gives each of them 0.5, Accuracy prefers the larger "
    "class. F(Rel,Sens) gives 0 to accepting or discarding everything, and at most 0.25 to any other guess.",
    ("amigo2019", "amigo2013"),
)

ORDER: Final = Pick(
    "ranking (Ferri), ordering (Caruana)",
    ("AUC", "AP", "EER"),
    "Where scores only say which item comes first, no threshold should count, and no scale. AUC looks at the whole order, AP "
    "at its top, EER at the place where both kinds of errors are equally frequent.",
    "The same score for all items gets AUC 0.5 and the share of the class as AP.",
    ("ferri2009", "caruana2006"),
    ("For EER lower is better.",),
    "none",
)
PROBABILITIES: Final = Pick(
    "probabilistic (Ferri), probability (Caruana)",
    ("LogLoss", "BrierScore"),
    "A probability is right if it comes true as often as it says. LogLoss punishes certain errors without a limit, BrierScore "
    "up to 1.",
    "Giving every item the share of the class is the best of them and the baseline to beat.",
    ("ferri2009", "caruana2006"),
    ("Lower is better.", "Scores must lie between 0 and 1."),
    "none",
)

_ZERO_F: Final = "F(P,R) is 0 for every output that accepts nothing of the class, however much else it accepts."
_ZERO_SMOOTHED_F: Final = (
    "Discarding everything still gets 0: on tiny inputs that can be less than an output with one more error gets."
)
_PERFECT_LAM: Final = "Lam calls an output perfect as soon as one of its two error rates is 0: believe it only if MAAc agrees."
_NO_SMOOTHING: Final = (
    "Sums of gains and costs estimate no rate, so they need no smoothing on unbalanced input; with it, correcting an error "
    "could lower the score."
)


_OF_SCORES: Final[Mapping[Returns, Pick]] = {"order": ORDER, "probabilities": PROBABILITIES}
"""Metrics that need scores; all others need decisions."""


def pick(answers: Answers) -> Pick:
    """The family for the answers, smoothed where the input is unbalanced."""
    if answers.returns in _OF_SCORES:
        return _OF_SCORES[answers.returns]
    noninformative, unbalanced, weights = answers.noninformative, answers.unbalanced, answers.weights
    if noninformative == "cost":
        return _utility(weights, (_NO_SMOOTHING,) if unbalanced else ())
    if noninformative == "equal":
        return _smoothed(INFORMATIVENESS, unbalanced=unbalanced, plain=(_PERFECT_LAM,))
    if noninformative == "all-better":
        return _smoothed(CLASS_ORIENTED, unbalanced=unbalanced, plain=(_ZERO_F,), smooth=(_ZERO_SMOOTHED_F,))
    return _smoothed(EVERY_FAMILY, unbalanced=unbalanced)


def _smoothed(family: Pick, *, unbalanced: bool | None, plain: tuple[str, ...] = (), smooth: tuple[str, ...] = ()) -> Pick:
    """The family with its smoothing in every name, and the notes that go with it."""
    smoothing = "(smooth=noninformative)" if unbalanced else ""
    return replace(
        family,
        metrics=tuple(name.format(smoothing) for name in family.metrics),
        smoothing="noninformative" if unbalanced else "none",
        notes=family.notes + (smooth if unbalanced else plain),
    )


def _utility(weights: Weights | None, notes: tuple[str, ...]) -> Pick:
    """Utility and weighted accuracy put the outputs of a case in the same order: the weight is (tp + fn) / (tn + fp)."""
    if weights is None:
        return replace(
            UTILITY,
            metrics=("Accuracy", "Utility(tp=2,tn=0,fp=1,fn=0)"),
            noninformative="It depends on the weights and on the share of the class. Accuracy prefers the larger class.",
            notes=("These are default weights: set your own with tp, tn, fp and fn.", *notes),
            smoothing="none",
        )
    positive, negative = _differences(weights)
    tp, tn, fp, fn = map(_written, weights)
    share = negative / (positive + negative)
    return replace(
        UTILITY,
        metrics=(f"Utility(tp={tp},tn={tn},fp={fp},fn={fn})", f"WAcc(lam={_written(positive / negative)})"),
        reason=f"{UTILITY.reason} WAcc puts the outputs of a case in the same order, on a scale from 0 to 1 for every case.",
        noninformative=f"With these weights accepting everything beats discarding everything where more than {share:.3g} of "
        "the input belongs to the class, and loses where less does.",
        notes=notes,
        smoothing="none",
    )


def _differences(weights: Weights) -> tuple[float, float]:
    """How much more a right decision is worth than a wrong one, for items of the class and for all others."""
    tp, tn, fp, fn = weights
    for name, other, difference in (("tp", "fn", tp + fn), ("tn", "fp", tn + fp)):
        if not 0 < difference < float("inf"):
            rule = "above 0; otherwise nothing depends on those decisions"
            raise BadUsage(usage.bad_parameter("Utility", f"{name} + {other}", _written(difference), rule))
    return tp + fn, tn + fp


def _written(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
