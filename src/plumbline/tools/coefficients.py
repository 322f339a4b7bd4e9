"""Descriptions of coefficients of agreement, from their declarations: for `plumbline metrics --agreement` and for the docs."""

from __future__ import annotations

import re

from plumbline.errors import BadUsage, usage
from plumbline.render.folding import paragraphs
from plumbline.render.formula import plain_formula
from plumbline.truth.agreement.registry import Coefficient, coefficients


def listing() -> str:
    """One line for each coefficient."""
    known = coefficients()
    width = max(map(len, known))
    return "\n".join(["agreement:", *(f"  {one.name:<{width}}  {one.summary}" for one in known.values())])


def facts(one: Coefficient) -> dict[str, str]:
    """Everything about a coefficient that is not its formula."""
    least, most = one.assessors
    count = f"{least} or more" if most is None else str(least) if most == least else f"{least} to {most}"
    return {
        "chance": one.chance,
        "levels": ", ".join(one.levels),
        "assessors": count,
        "range": f"{one.range[0]:g} to {one.range[1]:g}, higher is better",
        "undefined": f"where {one.undefined}",
        "paper": one.paper,
    }


def card(name: str) -> str:
    """A coefficient on one screen."""
    known = coefficients()
    if name not in known:
        raise BadUsage(usage.unknown_name("coefficient", name, list(known)))
    one = known[name]
    formula = paragraphs(re.sub(r"\$\$.*?\$\$", lambda match: plain_formula(match.group()), one.formula, flags=re.DOTALL))
    width = max(map(len, facts(one)))
    lines = [f"{one.name}  {one.title}", "", one.summary, "", formula, ""]
    return "\n".join([*lines, *(f"{key:<{width}}  {text}" for key, text in facts(one).items())])
