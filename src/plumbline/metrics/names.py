"""Names that people type become measures: lookup, parameters, hints."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.lazily import pattern
from plumbline.metrics.foreign_names import COMPOSED, translation
from plumbline.metrics.groups import GROUPS
from plumbline.metrics.measure import HALF, Combined, Measure, Single
from plumbline.metrics.registry import all_metrics
from plumbline.metrics.vocabulary import UnknownMetricError, Vocabulary, look_up, vocabulary, vocabulary_for
from plumbline.tasks import task_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from plumbline.metrics.registry import Metric, Parameter

    Defaults = Mapping[str, Mapping[str, Any]]
    Frozen = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
    """Defaults that can be a key."""

_NAME: Final = pattern(r"(?P<name>[^(@]+)(?:\((?P<inside>.*)\))?(?:@(?P<at>.+))?$", re.DOTALL)
_F: Final = "f"
_PARTS_OF_F: Final = 2

_SHORT: Final = 2
"""Letters of names that mean many things: p, r, mi."""
_MEANS_MORE: Final = frozenset({"err", "rel", "lam"})
"""Longer ones that do: an error rate, a relevance."""
_SURE: Final = 0.75
"""How similar a name has to be to that of another task to be the better hint."""
_LIKELY: Final = 0.5
"""The same for names of the task itself."""
_GLUED_CUTOFF: Final = pattern(r"(?P<name>[a-z_]*[a-z])_?(?P<k>[1-9]\d*)", re.IGNORECASE)
_OPTION: Final = pattern(r"\w+\s*=")
_WEIGHT: Final = pattern(r"(alpha|beta)\s*=")


def listed(metrics: Iterable[str] | str | None) -> list[str]:
    """The names of metrics that were given, one or several.

    Args:
        metrics: A name, names, or nothing.

    Returns:
        The names.

    Raises:
        BadUsage: If something else was given.
    """
    if metrics is None or isinstance(metrics, str):
        return [] if metrics is None else [metrics]
    names = list(metrics) if isinstance(metrics, Iterable) else [metrics]
    for name in names:
        if not isinstance(name, str):
            raise BadUsage(usage.no_name_of_a_metric(type(name).__name__))
    return names


def measures(names: Iterable[str], defaults: Defaults | None = None, task: str = "ranking") -> list[Measure]:
    """The measures of these names; groups are expanded, and a measure that is named twice is taken once."""
    groups = GROUPS.get(task, {})
    every = [single for name in one_by_one(names) for single in groups.get(name.strip().lower(), (name,))]
    known = vocabulary_for(every, task)
    return list(dict.fromkeys(_read(single, defaults, task, known) for single in every))


def one_by_one(names: Iterable[str]) -> list[str]:
    """The names, of which one may hold several between commas: `AP,nDCG@10`."""
    return [single for name in names for single in (_split(name, name) if "," in name else [name])]


def task_of(names: Iterable[str]) -> str:
    """The first task that has all these metrics; ranking if one of them is of no task, which a reader of names finds out."""
    wanted = one_by_one(names)
    if (task := next(tasks_of(wanted), None)) is not None:
        return task
    homes = {name: list(tasks_of([name])) for name in wanted}
    if not all(homes.values()):
        return "ranking"
    most = max(task_names(), key=lambda task: sum(task in tasks for tasks in homes.values()))
    others = {name: " or ".join(tasks) for name, tasks in homes.items() if most not in tasks}
    raise BadUsage(usage.metrics_apart(most, list(others), list(others.values())))


def tasks_of(names: Iterable[str]) -> Iterator[str]:
    """The tasks that have all these metrics, whatever else may be wrong with their names."""
    wanted = one_by_one(names)
    for task in task_names():
        groups = GROUPS.get(task, {})
        others = [name for name in wanted if name.strip().lower() not in groups]
        known = vocabulary_for(others, task)
        if all(_is_known(name, task, known) for name in others):
            yield task


def _is_known(name: str, task: str, known: Vocabulary | None = None) -> bool:
    """Whether a task has the metrics in a name, whatever else may be wrong with it."""
    try:
        _parse(name.strip(), (), task, known or vocabulary(task))
    except UnknownMetricError:
        return False
    except BadUsage:
        return True
    return True


def parse(text: str, defaults: Defaults | None = None, task: str = "ranking") -> Measure:
    """Read the name of a measure.

    Args:
        text: A name such as `nDCG(gain=exp)@10`, `F(P@10,R@10,alpha=0.3)` or `ndcg_cut_10`.
        defaults: Parameters by the name of a metric, or by `*` for all that have them; the name may say otherwise.
        task: The task whose metrics are meant.

    Returns:
        The measure: a metric with all its parameters, or the F of two measures. Its `name` is printed in one way,
        whatever was typed, and can be typed back.

    Raises:
        BadUsage: If there is no such metric or parameter, or a value is not allowed.

    Example:
        >>> import plumbline
        >>> plumbline.parse("ndcg_cut_10").name
        'nDCG@10'
        >>> plumbline.parse("F(P@10, R@10, beta=1)").name
        'F(P@10,R@10)'
        >>> dict(plumbline.parse("P(rel=2)@5").arguments)
        {'k': 5, 'rel': 2.0}
    """
    return _read(text, defaults, task, vocabulary_for([text], task))


def _read(text: str, defaults: Defaults | None, task: str, names: Vocabulary) -> Measure:
    """The measure of a name; one that is unknown is answered with the nearest."""
    frozen = tuple((name, tuple(values.items())) for name, values in (defaults or {}).items())
    (text,) = listed([text])
    try:
        return _parse(text.strip(), frozen, task, names)
    except UnknownMetricError as error:
        _refuse(error)


def _refuse(unknown: UnknownMetricError) -> NoReturn:
    """Name the nearest metrics and the tasks that have one of this name."""
    others = [task for task in task_names() if task != unknown.task]
    homes = [task for task in others if _is_known(unknown.typed, task)]
    if homes:
        raise BadUsage(usage.unknown_metric(unknown.typed, [], homes)) from None
    if not _hints(unknown, unknown.task, _SURE):
        for task in others:
            if near := _hints(unknown, task, _SURE):
                raise BadUsage(usage.unknown_metric(unknown.typed, near[:1], [task])) from None
    raise BadUsage(usage.unknown_metric(unknown.typed, _hints(unknown, unknown.task, _LIKELY)[:2])) from None


def _hints(unknown: UnknownMetricError, task: str, cutoff: float) -> list[str]:
    """The names of a task that are at least as similar as this to an unknown one, the most similar first."""
    glued = _GLUED_CUTOFF.fullmatch(unknown.typed)
    if glued and _is_known(f"{glued['name']}@{glued['k']}", task):
        return [parse(f"{glued['name']}@{glued['k']}", task=task).name]
    known, name = vocabulary(task), unknown.name.lower()
    names = {other: metric for other, (metric, _) in known.lowered.items()}
    names = {**{other.lower(): metric for other, metric in known.elsewhere.items()}, **names}
    composed = [other for other in COMPOSED if other not in names and _is_known(other, task)]
    near = nearest(name, [*names, *composed], n=4, cutoff=cutoff)
    near.sort(key=lambda close: sorted(close) != sorted(name))
    rest = unknown.typed[len(name) :]
    fitting = [close for close in near if not rest.startswith("@") or (close in names and names[close].at)]
    return list(dict.fromkeys((names[close].name if close in names else close) + rest for close in fitting))


@lru_cache(maxsize=1024)
def _parse(typed: str, frozen: Frozen, task: str, names: Vocabulary) -> Measure:
    """Read one name; a request, its tables and its report ask for the same few names many times."""
    try:
        return _parsed(typed, frozen, task, names)
    except UnknownMetricError:
        translated = translation(typed, task)
        if translated is not None:
            with suppress(UnknownMetricError):
                return _parsed(translated, frozen, task, names)
        raise


def _parsed(typed: str, frozen: Frozen, task: str, names: Vocabulary) -> Measure:
    defaults = {name: dict(values) for name, values in frozen}
    match = _NAME.match(typed)
    if match is None:
        raise BadUsage(usage.malformed_name(typed, "it does not look like Name(parameter=value)@cutoff"))
    if "@" in typed and (alias := names.lowered.get(typed.lower())):
        return _single(*alias, [], None, typed, defaults)
    inside = _split(match["inside"] or "", typed)
    if match["name"].strip().lower() == _F:
        return _combined(typed, inside, match["at"], frozen, task)
    metric, presets = look_up(match["name"].strip(), typed, task, names)
    return _single(metric, presets, inside, match["at"], typed, defaults)


def describe(text: str, task: str = "ranking") -> Metric:
    """The metric behind a name, whose parameters need not be given."""
    typed = translation(text.strip(), task) or text.strip()
    match = _NAME.match(typed)
    if match and match["name"].strip().lower() == _F:
        declared = next((known["F"] for known in map(all_metrics, [task, *task_names()]) if "F" in known), None)
        if declared is not None:
            return declared
    alias = typed.lower() in vocabulary(task).lowered
    try:
        return look_up(match["name"].strip() if match and not alias else typed, typed, task)[0]
    except UnknownMetricError as error:
        _refuse(error)


def is_spelled(text: str, task: str) -> bool:
    """Whether a name is spelled as a metric's name or alias, or as another program spells it: `map`, but not `err` for ERR."""
    typed, names = text.strip(), vocabulary(task)
    match = _NAME.match(typed)
    if match is None:
        return False
    name = typed if typed in names.spelled else match["name"].strip()
    if name == "F":
        return all(is_spelled(part, task) for part in _split(match["inside"] or "", typed) if not _OPTION.match(part))
    translated = translation(typed, task)
    if translated is not None and is_spelled(translated, task):
        return True
    known = name in names.spelled or name in names.spelled_elsewhere or _is_clear(name, task)
    return known or any(re.fullmatch(pattern.pattern, name) for pattern, _, _ in names.templates)


def _is_clear(name: str, task: str) -> bool:
    """Whether it is a metric's name but for capitals, and hardly anything else: `NDCG`, but neither `err` nor `p`."""
    return name.lower() in vocabulary(task).lowered and len(name) > _SHORT and name.lower() not in _MEANS_MORE


def _split(inside: str, typed: str) -> list[str]:
    """Split at commas that are not inside parentheses or quotation marks."""
    pieces, depth, quoted = [""], 0, False
    for character in inside:
        quoted ^= character == '"'
        depth += 0 if quoted else (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0 and not quoted:
            pieces.append("")
        else:
            pieces[-1] += character
    if depth != 0 or quoted:
        raise BadUsage(usage.malformed_name(typed, "the parentheses or quotation marks do not match"))
    return [piece.strip() for piece in pieces if piece.strip()]


def _combined(typed: str, inside: list[str], at: str | None, frozen: Frozen, task: str) -> Measure:
    """F of two metrics, or a metric of the task that is such an F class by class."""
    options = [piece for piece in inside if _OPTION.match(piece)]
    parts = [piece for piece in inside if piece not in options]
    if len(parts) != _PARTS_OF_F or at is not None:
        raise BadUsage(usage.malformed_name(typed, "F takes two metrics, e.g. F(P@10,R@10,alpha=0.5)"))
    alpha = _alpha(dict(piece.split("=", 1) for piece in options if _WEIGHT.match(piece)))
    settings = [piece for piece in options if not _WEIGHT.match(piece)]
    declared = all_metrics(task).get("F")
    if declared is not None and declared.combines == _bare_names(parts, typed, task):
        defaults = {name: dict(values) for name, values in frozen}
        return _single(declared, {}, [f"alpha={alpha!r}", *settings], None, typed, defaults)
    first, second = (_parse(part, frozen, task, vocabulary(task)) for part in parts)
    texts = [part.name for part in (*first.parts, *second.parts) if part.metric.text]
    if texts:
        raise BadUsage(usage.not_a_number(texts))
    if settings:
        first, second = (_with_settings(part, settings, typed) for part in (first, second))
    plain = [part for part in (first, second) if isinstance(part, Single)]
    if declared is not None and tuple(part.metric.name for part in plain) == declared.combines:
        return _of_averages(declared, plain[0], plain[1], alpha, typed)
    return Combined(first, second, alpha, typed)


def _with_settings(part: Measure, settings: list[str], typed: str) -> Single:
    """A part of F with parameters that were given to both: F(P,R,smooth=laplace)."""
    if not isinstance(part, Single):
        raise BadUsage(usage.malformed_name(typed, "parameters go to the metrics of an F, not to an F inside it"))
    given = {name: value for name, value in part.arguments if value is not None}
    for name, _, value in (piece.partition("=") for piece in settings):
        if part.metric.parameter(name.strip()) is None:
            known = [known.name for known in part.metric.parameters]
            raise BadUsage(usage.unknown_parameter(part.metric.name, name.strip(), known))
        given[name.strip()] = _unquoted(value.strip())
    return Single(part.metric, tuple(_bound(part.metric, given)), typed)


def _bare_names(parts: list[str], typed: str, task: str) -> tuple[str, ...]:
    """The metrics of the parts that are given without parameters."""
    return tuple(look_up(part, typed, task)[0].name for part in parts if "(" not in part)


def _of_averages(declared: Metric, first: Single, second: Single, alpha: float, typed: str) -> Single:
    """F of two averages over classes, under the name that tells it from the average of the F of each class."""
    shared = dict(first.arguments)
    if shared != dict(second.arguments):
        raise BadUsage(usage.malformed_name(typed, "both parts of this F need the same parameters"))
    given = {name: value for name, value in shared.items() if value is not None}
    return Single(declared, tuple(_bound(declared, {**given, "alpha": alpha, "of": "averages"})), typed)


def _alpha(options: dict[str, str]) -> float:
    if not options:
        return HALF
    (name, text), *rest = options.items()
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    most = 1.0 if name.strip() == "alpha" else float("inf")
    if rest or not 0 <= value <= most:
        raise BadUsage(usage.bad_parameter("F", "alpha or beta", text, "one of: alpha between 0 and 1, beta from 0"))
    return value if name.strip() == "alpha" else 1 / (1 + value * value)


def _single(
    metric: Metric, presets: dict[str, Any], inside: list[str], at: str | None, typed: str, defaults: Defaults
) -> Single:
    """A metric with its parameters: those of the alias, then the defaults of the request, then those in the name."""
    of_request = {**defaults.get("*", {}), **defaults.get(metric.name, {})}
    given = {**presets, **{name: value for name, value in of_request.items() if metric.parameter(name)}}
    for piece in inside:
        name, sign, value = piece.partition("=")
        if not sign:
            raise BadUsage(usage.malformed_name(typed, f"{piece!r} is not parameter=value"))
        if metric.parameter(name.strip()) is None:
            raise BadUsage(usage.unknown_parameter(metric.name, name.strip(), [known.name for known in metric.parameters]))
        given[name.strip()] = _unquoted(value.strip())
    if at is not None:
        if metric.at is None:
            raise BadUsage(usage.malformed_name(typed, f"{metric.name} takes no cutoff"))
        given[metric.at] = at.strip()
    return Single(metric, tuple(_bound(metric, given)), typed)


def _bound(metric: Metric, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for parameter in metric.parameters:
        if parameter.name in given:
            yield parameter.name, _checked(metric, parameter, given[parameter.name])
        elif parameter.required:
            example = f"{metric.name}@10" if parameter.name == metric.at else f"{metric.name}({parameter.name}=...)"
            raise BadUsage(usage.missing_parameter(metric.name, parameter.name, example))
        else:
            yield parameter.name, parameter.default


def _checked(metric: Metric, parameter: Parameter, value: str | float) -> str | float:
    """The value as its type demands, if its rule allows it."""
    checked = _converted(parameter, value)
    if checked is None:
        raise BadUsage(usage.bad_parameter(metric.name, parameter.name, str(value), parameter.allowed()))
    return checked


def _converted(parameter: Parameter, value: str | float) -> str | float | None:
    """The value as its type demands; none if it is not allowed."""
    if parameter.choices:
        return {choice.lower(): choice for choice in parameter.choices}.get(str(value).lower())
    if parameter.kind is str:
        return str(value)
    try:
        number = int(value) if parameter.kind is int else float(value)
    except (ValueError, OverflowError):
        return None
    return None if parameter.rule and not parameter.rule.allows(number) else number


def _unquoted(text: str) -> str:
    """The text between quotation marks, in which two of them stand for one."""
    inside = re.fullmatch(r'"(.*)"', text, re.DOTALL)
    return inside[1].replace('""', '"') if inside else text.strip("'\"")
