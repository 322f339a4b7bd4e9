"""Methods of interleaving, each declared once in a module of `methods/`, which is walked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final, get_args

from plumbline.declarations import import_all
from plumbline.options.interleaving import Method as MethodName
from plumbline.truth.interleaving.exact import ExactMethod

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

    from plumbline.truth.interleaving.drawing import Drawn
    from plumbline.truth.interleaving.exact import Chances, ExactMargin
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.scoring import Margins, Sessions

    PairMargins = Callable[[int, int], Margins]

PACKAGE: Final = "plumbline.truth.interleaving.methods"


@dataclass(frozen=True, eq=False)
class Method:
    """A method of interleaving, as it is declared; its name also stands in the type of the option `method`."""

    name: str
    title: str
    draw: Callable[[Rankings, int, Generator, float], Drawn]
    """Lists of a length for all cases at once; the last argument is the softness."""
    lists: Callable[..., Chances]
    """Every list of two small rankings with its probability, as fractions; `softness` is passed if the method is soft."""
    margin: ExactMargin
    """How far clicks on such a list put the first ranking ahead; `softness` as above."""
    score: Callable[[Sessions, float], PairMargins] | None = None
    """What clicks say about two systems, of all sessions at once; None if a click counts for the team of its item."""
    by_credit: bool = False
    """Whether it is fair for the sum of credits, and not for who has more of it."""
    pairs_only: bool = False
    """Whether it takes two rankings and no more."""
    is_soft: bool = False
    """Whether it depends on the softness."""
    weighs_clicks: bool = False
    """Whether clicks may count by their weights."""
    needs_all_items: bool = True
    """Whether scoring needs the items that were not clicked."""
    longest: int | None = None
    """The longest list that it can make."""


_DECLARED: dict[str, Method] = {}


def declare(method: Method) -> None:
    """Add a method; no two have the same name."""
    if method.name in _DECLARED:
        message = f"the method of interleaving {method.name} is declared twice"
        raise ValueError(message)
    _DECLARED[method.name] = method


@cache
def interleaving_methods() -> dict[str, Method]:
    """Every method by its name, in the order of the option."""
    import_all(PACKAGE)
    order = get_args(MethodName)
    return dict(sorted(_DECLARED.items(), key=lambda one: order.index(one[0])))


def names_where(condition: Callable[[Method], bool]) -> tuple[str, ...]:
    """The names of the methods of which something is true."""
    return tuple(name for name, method in interleaving_methods().items() if condition(method))


def title_of(name: str) -> str:
    """What sentences call a method."""
    return interleaving_methods()[name].title


def exact_methods(softness: int = 3) -> dict[str, ExactMethod]:
    """Every method by its name, as audits of small worlds take it."""
    return {
        name: ExactMethod(
            name,
            partial(one.lists, softness=softness) if one.is_soft else one.lists,
            partial(one.margin, softness=softness) if one.is_soft else one.margin,
            one.by_credit,
        )
        for name, one in interleaving_methods().items()
    }
