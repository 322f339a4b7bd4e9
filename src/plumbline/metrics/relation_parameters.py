"""The parameters of Reliability and Sensitivity, which rankings, filters, clusterings and organizations share."""

from __future__ import annotations

from typing import Any, Final, get_args

from plumbline.metrics.registry import Parameter
from plumbline.metrics.rules import Between, Count
from plumbline.views.discount import DISCOUNTS, ByPosition
from plumbline.views.relations import Collection, Over, OverAny, YesOrNo
from plumbline.views.weighing import Absent

SMALLEST_SHARE: Final = 1e-6
"""Below it the weights of single positions are lost in rounding."""
PAPER: Final[dict[str, Any]] = {"range": (0, 1), "paper": "amigo2013"}
"""The declaration that all of them share."""


def relation_parameters(
    over: OverAny,
    *,
    kinds: tuple[str, ...] = get_args(Over),
    collection: Collection = "unlimited",
    discounts: tuple[str, ...] = DISCOUNTS,
) -> tuple[Parameter, ...]:
    """Which relations are looked at and how they weigh; all but the first are fields of the view's `Setting`."""
    return (
        Parameter("over", str, over, choices=kinds),
        Parameter("collection", str, collection, choices=get_args(Collection)),
        Parameter("n", int, 30, rule=Count()),
        Parameter("w", float, 0.8, rule=Between(SMALLEST_SHARE, 1, open_ended=True)),
        Parameter("discount", str, "inverse_square", choices=discounts, inputs={"time": "lengths"}),
        Parameter("weights", str, None, samples=("3:0:0.5",)),
        Parameter("tail_credit", str, "true", choices=get_args(YesOrNo)),
    )


def closed_form_parameters(over: Over) -> tuple[Parameter, ...]:
    """The same where there is a closed form: collections are finite by default, and items have no length."""
    return relation_parameters(over, collection="finite", discounts=get_args(ByPosition))


ABSENT: Final = Parameter("absent", str, "unknown", choices=get_args(Absent))
"""What a document counts as that the other side lacks."""
