"""audit_interleaving(): whom a method of interleaving prefers on small rankings, with exact fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Unpack

from plumbline.errors import BadUsage, interleaving
from plumbline.options.interleaving import AuditInterleavingOptions
from plumbline.options.option import checked, documented
from plumbline.truth.interleaving.audited import InterleavingAudit, InterleavingVerdict
from plumbline.truth.interleaving.demands import DEMANDS, inconsiderate, preference
from plumbline.truth.interleaving.exact import ExactMethod
from plumbline.truth.interleaving.methods.team_draft import team_margin
from plumbline.truth.interleaving.registry import exact_methods

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.truth.interleaving.demands import Demand, World
    from plumbline.truth.interleaving.exact import Chances, Ranking

MOST_TOSSES: Final = 20
ITEMS: Final = 4


@documented(AuditInterleavingOptions)
def audit_interleaving(
    methods: Any = None,
    **options: Unpack[AuditInterleavingOptions],
) -> InterleavingAudit:
    """Try methods of interleaving on all rankings of a few items: whom do clicks prefer?

    Args:
        methods: Names such as `team-draft`, functions, or names of functions such as `module:function`; all methods if there
            are none. A function is called as `f(first, second, toss)`, where `toss()` is a fair coin; it returns the items of
            the list and, for each, 0 or 1: the ranking that a click counts for.
        **options: See `plumbline.options.interleaving.AuditInterleavingOptions`.

    Returns:
        A verdict for each method and demand, with the smallest counterexample.

    Raises:
        BadUsage: If a method is unknown, or returns no list.

    Example:
        >>> import plumbline
        >>> result = plumbline.audit_interleaving("team-draft", items=3)
        >>> print(result.verdict("team-draft", "better wins").counterexample)
          first   1 2 3
          second  3 1 2
          clicks  the relevant: 2
          first is preferred in 1/2 of the sessions; demanded: more than 1/2
    """
    given = checked(options, AuditInterleavingOptions, "audit_interleaving")
    known = exact_methods(given.get("softness", 3))
    asked = [methods] if isinstance(methods, str) or callable(methods) else list(methods or known)
    chosen = [_method(one, known) for one in asked]
    most = given.get("items", ITEMS)
    verdicts = [_judged(method, demand, most) for method in chosen for demand in DEMANDS]
    return InterleavingAudit(tuple(verdicts), tuple(one.name for one in chosen), most)


def _method(given: Any, known: dict[str, ExactMethod]) -> ExactMethod:
    if callable(given):
        return _of_function(getattr(given, "__name__", repr(given)), given)
    if given in known:
        return known[given]
    if ":" not in str(given):
        raise BadUsage(interleaving.bad_method(str(given), f"not one of {', '.join(known)}"))
    module, _, name = str(given).partition(":")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadUsage(interleaving.bad_method(str(given), str(error))) from None
    return _of_function(str(given), function)


def _of_function(name: str, function: Callable[..., Any]) -> ExactMethod:
    """A method that tosses coins, with every outcome of its coins."""

    def lists(rankings: Sequence[Ranking], length: int) -> Chances:
        chance_of: dict[Any, Fraction] = defaultdict(Fraction)
        scripts: list[tuple[bool, ...]] = [()]
        while scripts:
            script = scripts.pop()
            tossed: list[bool] = []

            def toss(script: tuple[bool, ...] = script, tossed: list[bool] = tossed) -> bool:
                tossed.append(len(tossed) < len(script) and script[len(tossed)])
                if len(tossed) > MOST_TOSSES:
                    raise BadUsage(interleaving.bad_method(name, f"more than {MOST_TOSSES} tosses of the coin"))
                return tossed[-1]

            items, teams = _called(name, function, rankings, toss)
            chance_of[items[:length], teams[:length]] += Fraction(1, 2 ** len(tossed))
            scripts += [(*tossed[:place], True) for place in range(len(script), len(tossed))]
        return dict(chance_of)

    return ExactMethod(name, lists, team_margin)


def _called(
    name: str, function: Callable[..., Any], rankings: Sequence[Ranking], toss: Callable[[], bool]
) -> tuple[Ranking, tuple[int, ...]]:
    try:
        items, teams = function(list(rankings[0]), list(rankings[1]), toss)
        listed, of = tuple(items), tuple(int(team) for team in teams)
    except BadUsage:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a function of one's own raises
        raise BadUsage(interleaving.bad_method(name, f"{type(error).__name__}: {error}")) from None
    if len(listed) != len(of) or not set(of) <= {0, 1} or len(set(listed)) < len(listed) or not set(listed) <= {*rankings[0]}:
        reason = f"it made {list(listed)} with teams {list(of)} of {list(rankings[0])} and {list(rankings[1])}"
        raise BadUsage(interleaving.bad_method(name, reason))
    return listed, of


def _judged(method: ExactMethod, demand: Demand, most: int) -> InterleavingVerdict:
    """All worlds from small to large; the first that breaks the demand is the counterexample."""

    @cache
    def chances(first: Ranking, second: Ranking, length: int) -> Chances:
        return method.lists((first, second), length)

    worlds, broken, example, share = 0, 0, None, None
    for size in range(2, most + 1):
        for world in sorted(demand.worlds(size), key=lambda one: -one.length):
            chance_of = chances(world.first, world.second, world.length)
            worlds += 1
            shown = _broken(method, demand, world, chance_of)
            if shown is None:
                continue
            broken += 1
            if example is None:
                example, share = _drawn(world, demand, shown), shown if isinstance(shown, Fraction) else None
    return InterleavingVerdict(method.name, demand.name, worlds, broken, example or "", str(share) if share is not None else "")


def _broken(method: ExactMethod, demand: Demand, world: World, chances: Chances) -> Fraction | Ranking | None:
    """The preference or the list that breaks the demand."""
    if demand.keeps is None:
        return inconsiderate(world, chances)
    share = preference(method, world, chances)
    return None if demand.keeps(share) else share


def _drawn(world: World, demand: Demand, shown: Fraction | Ranking) -> str:
    lines = [f"  first   {_text(world.first)}", f"  second  {_text(world.second)}"]
    lines += [f"  shown   the first {world.length} of the list"] if world.length < len(world.first) else []
    if isinstance(shown, Fraction):
        lines += [
            f"  clicks  {world.in_words}",
            f"  first is preferred in {shown} of the sessions; demanded: {demand.wanted}",
        ]
    else:
        lines.append(f"  list    {_text(shown)}")
    return "\n".join(lines)


def _text(items: Ranking) -> str:
    return " ".join(map(str, items))
