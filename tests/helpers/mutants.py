"""Functions changed in one place: another operator, number, comparison or argument, or a term left out."""

from __future__ import annotations

import ast
import inspect
import math
from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Function = Callable[..., Any]

OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult, ast.Sub),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
}
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
}
NAMES = {"tp": ("fp",), "fp": ("fn",), "fn": ("fp", "tn"), "tn": ("fn",), "cluster": ("one",), "one": ("cluster",)}
NAMES |= {"rank": ("hits",), "hits": ("rank",), "grade": ("rank",), "relevant": ("rank",), "precision": ("recall",)}
NAMES |= {"right": ("given",), "given": ("right",), "of_class": ("both",), "both": ("of_class",), "called": ("of_class",)}


def mutants(function: Function) -> dict[str, Function]:
    """By the lines that differ, every mutant that can be made by one change."""
    source = ast.parse(inspect.getsource(function))
    plain = ast.unparse(source).splitlines()
    actual = {}
    for number, node in enumerate(ast.walk(source)):
        for change in changes(node):
            mutant = deepcopy(source)
            change(list(ast.walk(mutant))[number])
            lines = ast.unparse(mutant).splitlines()
            parameters = "; ".join(line.strip() for line, before in zip(lines, plain, strict=True) if line != before)
            actual[parameters] = compiled(mutant, function)
    actual.pop("", None)
    return actual


def compiled(source: ast.Module, function: Function) -> Function:
    """The function of a changed source."""
    names: dict[str, Any] = {"log": math.log, "log2": math.log2}
    exec(compile(ast.fix_missing_locations(source), "mutant", "exec"), names)  # noqa: S102 - our own source
    actual: Function = names[function.__name__]
    return actual


def changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
    """What can be changed at a node."""
    if isinstance(node, ast.BinOp):
        yield from (setter("op", other()) for other in OPERATORS[type(node.op)])
        yield from (becomes(side) for side in ("left", "right") if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)))
    if isinstance(node, ast.Compare):
        yield from (setter("ops", [other()]) for other in COMPARISONS[type(node.ops[0])])
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield from (setter("value", node.value + step) for step in (1, -1))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (setter("id", other) for other in NAMES.get(node.id, ()))


def setter(name: str, value: Any) -> Callable[[Any], None]:
    """Give a node another part."""
    return lambda node: setattr(node, name, value)


def becomes(side: str) -> Callable[[Any], None]:
    """An operation becomes one of its sides, so that the other is left out."""

    def change(node: Any) -> None:
        node.op, neutral = ast.Add(), ast.Constant(0)
        setattr(node, "right" if side == "left" else "left", neutral)

    return change


class Guarded:
    """A mutant that is undefined where it crashes, and tells whether it ever did."""

    def __init__(self, function: Function, name: str) -> None:
        self.function, self.__name__, self.crashed = function, name, False
        self.__signature__ = inspect.signature(function)

    def __call__(self, *arguments: Any, **parameters: float) -> float | None:
        """Its value, if that is a finite number."""
        try:
            value = self.function(*arguments, **parameters)
        except ZeroDivisionError:
            return None
        except (ValueError, OverflowError, TypeError, NameError, IndexError):
            self.crashed = True
            return None
        if isinstance(value, complex) or math.isinf(value):
            self.crashed = True
            return None
        return float(value)
