"""What an option is: one record that signatures, checks, the command line, plans and the docs are made from.

An option is declared as a field of a TypedDict in `plumbline.options`:

    depth: Annotated[int | None, Option(help="Look only at the first items of each list.", tasks=("ranking",))]

The field gives the name and the type, which type checkers and editors see through `**options: Unpack[...]`; the record
gives everything else.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from math import isfinite, isnan
from numbers import Integral, Real
from reprlib import Repr
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.errors.urls import without_secrets
from plumbline.records import dataclass
from plumbline.tasks import task_named, task_names

F = TypeVar("F", bound=Callable[..., Any])

Label = str | int
Labels = str | int | Iterable[str | int]
Names = str | Sequence[str]
Columns = str | Mapping[str, str]
Amount = str | float
Group = Literal["input", "labels", "policies", "metrics", "statistics", "output"]

_BRIEF: Final = Repr()
_BRIEF.maxstring = _BRIEF.maxother = 80
_LARGEST: Final = 2**63
MOST: Final = 1_000_000
"""How often anything may be drawn: p-values and limits of intervals are then exact to three digits, and memory suffices."""
_LARGEST_FLOAT: Final = 10**308


@dataclass(frozen=True)
class Option:
    """One option of a public function and of the commands that offer it.

    Attributes:
        help: One sentence for `--help`, `help()` and the docs.
        default: The value that is used unless another one is given.
        tasks: The tasks in which it changes something; none means all of them.
        group: Under which heading it is listed.
        leading: Whether help lists it before all groups, among the options that matter most.
        flag: How it is spelled on the command line, if not `--name`; a second word after a slash switches it off.
        metavar: What stands for its value on the command line.
        amounts_to: What leaving it out amounts to, unless a convention such as `as_="trec_eval"` says otherwise.
        shown_default: The default in words, where neither of these says it.
        within: The smallest and the largest value of a number; None leaves that side open.
        choices: Where the allowed words are listed if not in the type, as "module:function".
        renamed_from: Older names, which are accepted for one version.
        on_command_line: Whether commands offer it.
        is_data: Whether it holds data, or names a file of them.
        recorded: Whether scores remember it.
    """

    help: str
    default: Any = None
    tasks: tuple[str, ...] = ()
    group: Group = "policies"
    leading: bool = False
    flag: str = ""
    metavar: str | None = None
    amounts_to: Any = None
    shown_default: str = ""
    within: tuple[float | None, float | None] = (None, None)
    choices: str | tuple[str, ...] = ()
    renamed_from: tuple[str, ...] = ()
    on_command_line: bool = True
    is_data: bool = False
    recorded: bool = True
    name: str = ""
    type: Any = None

    @property
    def spelling(self) -> str:
        """The flag on the command line."""
        return self.flag or f"--{self.name.strip('_').replace('_', '-')}"

    @property
    def annotation(self) -> Any:  # noqa: ANN401 - a type
        """The type for signatures: None is among the values if it is the default."""
        return self.type if self.default is not None or self.type is Any else Union[self.type, None]  # noqa: UP007 - known at run time

    @property
    def allowed(self) -> tuple[str, ...]:
        """The words that it takes, if it takes only some."""
        if get_origin(self.type) is Literal:
            return tuple(map(str, get_args(self.type)))
        if isinstance(self.choices, str):
            module, _, function = self.choices.partition(":")
            return tuple(getattr(import_module(module), function)())
        return self.choices

    @property
    def expects(self) -> str:
        """What it takes, in words."""
        if self.allowed:
            return "|".join(self.allowed)
        if self.type in (int, float):
            kind = "a whole number" if self.type is int else "a number"
            return f"{kind} {_between(*self.within)}".rstrip()
        return next((description for kind, description, _ in _KINDS if kind == self.type), "a file or data")

    def accepts(self, value: Any) -> bool:  # noqa: ANN401 - whatever was given
        """Whether a value has the right type and lies within the bounds."""
        if self.allowed:
            return value in self.allowed
        if self.type in (int, float):
            return _is_number(value, integer=self.type is int) and _is_within(value, *self.within)
        return next((fits(value) for kind, _, fits in _KINDS if kind == self.type), not isinstance(value, (bool, Real)))

    def is_default(self, value: Any) -> bool:  # noqa: ANN401 - an option of any type
        """Whether a value says no more than leaving the option out."""
        empty = isinstance(value, (list, tuple)) and not value
        return value is None or empty or (type(value) is type(self.default) and bool(value == self.default))

    def is_idle(self, value: Any, task: str, also: Iterable[str] = ()) -> bool:  # noqa: ANN401 - an option of any type
        """Whether a value says something, and would change nothing for a task; `also` are further options that it takes."""
        amounts_to = type(value) is type(self.amounts_to) and bool(value == self.amounts_to)
        return not (self.is_default(value) or amounts_to or self.matters_in(task, also))

    def matters_in(self, task: str, also: Iterable[str] = ()) -> bool:
        """Whether it can change something for a task; `also` are further options that the task takes."""
        return not self.tasks or task in self.tasks or self.name in also


def _between(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"from {least:,} to {most:,}"
    return f"of at least {least:,}" if least is not None else "" if most is None else f"of at most {most:,}"


def _is_number(value: Any, *, integer: bool) -> bool:  # noqa: ANN401 - whatever was given
    if isinstance(value, bool) or not isinstance(value, Integral if integer else Real):
        return False
    if isinstance(value, Integral):
        return abs(int(value)) < (_LARGEST if integer else _LARGEST_FLOAT)
    return not isnan(value)


def _is_within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _is_text(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    return isinstance(value, str) and bool(value)


def _is_text_by_text(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    return isinstance(value, Mapping) and all(map(_is_text, (*value, *value.values())))


def _is_label(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    return _is_text(value) or isinstance(value, Integral) or type(value).__name__ == "bool_"


def _are(value: Any, fits: Callable[[Any], bool]) -> bool:  # noqa: ANN401 - whatever was given
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)) and all(map(fits, value))


_KINDS: Final[tuple[tuple[Any, str, Callable[[Any], bool]], ...]] = (
    (bool, "True or False", lambda value: isinstance(value, bool) or type(value).__name__ == "bool_"),
    (str, "a word", _is_text),
    (Label, "a label", _is_label),
    (Labels, "a label or a list of labels", lambda value: _is_label(value) or _are(value, _is_label)),
    (Names, "a name or a list of names", lambda value: _is_text(value) or _are(value, _is_text)),
    (
        Columns,
        'columns by their meaning, such as {"case": "user_id"}',
        lambda value: _is_text(value) or _is_text_by_text(value),
    ),
    (Amount, "a number or a percentage", lambda value: _is_text(value) or _is_number(value, integer=False)),
    (Callable[..., Any], "a function", callable),
)
"""Types of options beside numbers and words from a list: the type, what it takes in words, and the check."""


@cache
def declared(group: type) -> dict[str, Option]:
    """The options that a TypedDict declares, by name.

    Args:
        group: One of the TypedDicts of `plumbline.options`.

    Returns:
        A record for each field, with its name and its type filled in.
    """
    return {name: _record(name, hint) for name, hint in get_type_hints(group, include_extras=True).items()}


def _record(name: str, hint: Any) -> Option:  # noqa: ANN401 - a type hint
    kind, *metadata = get_args(hint)
    record: Option = metadata[0]
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
        kind = Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007 - the parts are known at run time
    return replace(record, name=name, type=kind)


def matters(name: str, group: type, task: str) -> bool:
    """Whether an option can change something for a task; scores may have been saved with one that is not registered here."""
    also = task_named(task).options if task in task_names() else ()
    return declared(group)[name].matters_in(task, also)


def checked(options: Mapping[str, Any], group: type, function: str) -> dict[str, Any]:
    """The options that were given, with today's names; unknown names and wrong values are refused.

    Args:
        options: Names and values; None and an empty list say nothing.
        group: The TypedDict that declares what there is.
        function: The function that was called, for messages.

    Returns:
        Names and values without those that say nothing.

    Raises:
        BadUsage: If a name is unknown, or a value does not fit.
    """
    known = declared(group)
    renamed = {old: record.name for record in known.values() for old in record.renamed_from}
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known and name in renamed and renamed[name] not in options:
            message = f"{function}({name}=...) is now {function}({renamed[name]}=...)"
            warnings.warn(f"{message}; the old name will be removed in the next version", DeprecationWarning, stacklevel=3)
            name = renamed[name]  # noqa: PLW2901 - the same option
        if name not in known:
            words = [*_LEADING.get(function, ()), *known]
            raise BadUsage(usage.bad_keyword(function, f"there is no option {name!r}", suggestion(name, words)))
        problem = problem_of(name, value, known)
        if problem is not None:
            raise BadUsage(usage.bad_keyword(function, *problem))
        if value is not None and not (isinstance(value, (list, tuple)) and not value):
            given[name] = value
    return given


def problem_of(name: str, value: Any, known: Mapping[str, Option]) -> tuple[str, str] | None:  # noqa: ANN401 - whatever was given
    """What is wrong with an option, and what to write instead; None if nothing is."""
    if name not in known:
        return f"there is no option {name!r}", suggestion(name, list(known))
    record = known[name]
    if value is None or (isinstance(value, (list, tuple)) and not value) or record.accepts(value):
        return None
    if record.allowed and isinstance(value, str):
        return f"{name} = {briefly(value)} is not known", suggestion(value, record.allowed)
    is_too_large = isinstance(value, Integral) and abs(int(value)) >= _LARGEST and record.within[1] is None
    return f"{name} = {briefly(value)} does not fit", f"give {record.expects}{', closer to 0' if is_too_large else ''}"


def suggestion(name: Any, known: Sequence[str]) -> str:  # noqa: ANN401 - whatever was given
    """The names that may have been meant; all of them if none is close."""
    near = nearest(str(name), known, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"choose from {', '.join(known)}"


def briefly(value: Any) -> str:  # noqa: ANN401 - whatever was given
    """A value for a sentence; paths as text."""
    return repr(os.fspath(value)) if isinstance(value, os.PathLike) else _BRIEF.repr(value)


def recorded(options: Mapping[str, Any], group: type) -> dict[str, Any]:
    """The options that scores remember: those that differ from their defaults, as plain words and numbers.

    Data in memory cannot be remembered; names of files can.
    """
    known = declared(group)
    kept = {name: value for name, value in options.items() if known[name].recorded and not known[name].is_default(value)}
    plain = {name: plain_value(value) for name, value in kept.items() if not known[name].is_data}
    paths = {name: without_secrets(os.fspath(value)) for name, value in kept.items() if known[name].is_data and _is_path(value)}
    return {name: value for name, value in {**plain, **paths}.items() if value is not None}


def _is_path(value: Any) -> bool:  # noqa: ANN401 - data, or a path
    return isinstance(value, (str, os.PathLike))


def plain_value(value: Any) -> Any:  # noqa: ANN401 - an option of any type
    """The value as text, a number, a truth value or a list of texts, as JSON and TOML have them; None for anything else."""
    if isinstance(value, Mapping):
        value = ",".join(f"{name}={text}" for name, text in value.items())
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value) if isfinite(value) else str(value)  # JSON has no infinity
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return [str(word) for word in value] if isinstance(value, Iterable) else None


_LEADING: Final[dict[str, tuple[str, ...]]] = {}
"""The parameters of each function beside its options."""


def documented(group: type) -> Callable[[F], F]:
    """Let `help()` and `inspect.signature` show every option of a function that takes `**options: Unpack[group]`."""

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        known = declared(group)
        named = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        taken = {parameter.name for parameter in named}
        _LEADING[function.__name__] = tuple(name for name in signature.parameters if name in taken)
        further = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=record.default, annotation=record.annotation)
            for name, record in known.items()
            if name not in taken
        ]
        function.__signature__ = signature.replace(parameters=[*named, *further])  # type: ignore[attr-defined]  # what inspect looks for
        lines = "\n".join(f"    {name}: {known[name].help}" for name in known if name not in taken)
        head, mark, rest = inspect.cleandoc(function.__doc__ or "").partition("    **options: ")
        if mark:
            function.__doc__ = head + lines + "\n" + rest.partition("\n")[2]
        return function

    return decorate
