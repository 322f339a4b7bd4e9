"""The parameters that Reliability and Sensitivity have where relations are looked at one by one."""

from __future__ import annotations

from typing import Final, get_args

from plumbline.metrics.registry import Parameter
from plumbline.metrics.rules import AtLeast, Between
from plumbline.views.discount import DISCOUNTS
from plumbline.views.priority import Absent
from plumbline.views.relations import Collection, YesOrNo

WEIGHED: Final = (
    Parameter("collection", str, "unlimited", choices=get_args(Collection)),
    Parameter("n", int, 30, rule=AtLeast(1)),
    Parameter("w", float, 0.8, rule=Between(0, 1, open_ended=True)),
    Parameter("discount", str, "inverse_square", choices=DISCOUNTS),
    Parameter("weights", str, None),
    Parameter("tail_credit", str, "false", choices=get_args(YesOrNo)),
)
"""How relations weigh; each is a field of the view's `Setting`."""


def judged(absent: Absent) -> Parameter:
    """What a document is that the other side lacks."""
    return Parameter("absent", str, absent, choices=get_args(Absent))
