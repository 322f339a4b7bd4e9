"""Names that people type become measures: lookup, parameters, hints."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, usage
from plumbline.metrics.groups import GROUPS
from plumbline.metrics.measure import HALF, Combined, Measure, Single
from plumbline.metrics.registry import TASKS, Metric, Parameter, Task, all_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Defaults = Mapping[str, Mapping[str, Any]]

_NAME: Final = re.compile(r"(?P<name>[^(@]+)(?:\((?P<inside>.*)\))?(?:@(?P<at>.+))?$", re.DOTALL)

_SHORT: Final = 2
"""Letters of names that mean many things: p, r, mi."""
_MEANS_MORE: Final = frozenset({"err", "rel", "lam"})
"""Longer ones that do: an error rate, a relevance."""
_OPTION: Final = re.compile(r"\w+\s*=")


def measures(names: Iterable[str], defaults: Defaults | None = None, task: Task = "ranking") -> list[Measure]:
    """Read names; groups are expanded, and a measure asked for twice is taken once."""
    found: dict[Measure, None] = {}
    for name in names:
        for single in GROUPS[task].get(name.strip().lower(), (name,)):
            found.setdefault(parse(single, defaults, task))
    return list(found)


def task_of(names: Iterable[str]) -> Task:
    """The first task that has all these metrics; ranking where none has."""
    asked = list(names)
    for task in TASKS:
        if all(name.strip().lower() in GROUPS[task] or _is_known(name, task) for name in asked):
            return task
    return "ranking"


def _is_known(name: str, task: Task) -> bool:
    try:
        parse(name, None, task)
    except BadUsage as error:
        return error.diagnostics[0].code != usage.UNKNOWN_METRIC
    return True


def parse(text: str, defaults: Defaults | None = None, task: Task = "ranking") -> Measure:
    """Read one name, such as `nDCG(gain=exp)@10`, `F(P@10,R@10,alpha=0.3)` or `ndcg_cut_10`."""
    asked = text.strip()
    match = _NAME.match(asked)
    if match is None:
        raise BadUsage(usage.malformed_name(asked, "it does not look like Name(parameter=value)@cutoff"))
    if "@" in asked and (whole := _names(task).get(asked.lower())):
        return _single(*whole, [], None, asked, defaults or {})
    inside = _split(match["inside"] or "", asked)
    if match["name"].strip().lower() == "f":
        return _combined(asked, inside, match["at"], defaults, task)
    metric, presets = _look_up(match["name"].strip(), asked, task)
    return _single(metric, presets, inside, match["at"], asked, defaults or {})


def describe(text: str, task: Task = "ranking") -> Metric:
    """The metric behind a name, whose parameters need not be given."""
    asked = text.strip()
    match = _NAME.match(asked)
    if match and match["name"].strip().lower() == "f" and "F" in all_metrics("classification"):
        return all_metrics("classification")["F"]
    whole = asked.lower() in _names(task)
    return _look_up(match["name"].strip() if match and not whole else asked, asked, task)[0]


def is_spelled(text: str, task: Task) -> bool:
    """Whether a name is spelled as a metric's name or alias, or as another program spells it: `map`, but not `err` for ERR."""
    asked = text.strip()
    match = _NAME.match(asked)
    if match is None:
        return False
    name = asked if asked in _spelled(task) else match["name"].strip()
    if name == "F":
        return all(is_spelled(part, task) for part in _split(match["inside"] or "", asked) if not _OPTION.match(part))
    known = name in _spelled(task) or name in _elsewhere(task) or _is_clear(name, task)
    return known or any(re.fullmatch(pattern.pattern, name) for pattern, _, _ in _templates(task))


def _is_clear(name: str, task: Task) -> bool:
    """Whether it is a metric's name but for capitals, and hardly anything else: `NDCG`, but neither `err` nor `p`."""
    return name.lower() in _names(task) and len(name) > _SHORT and name.lower() not in _MEANS_MORE


def _split(inside: str, asked: str) -> list[str]:
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
        raise BadUsage(usage.malformed_name(asked, "the parentheses or quotation marks do not match"))
    return [piece.strip() for piece in pieces if piece.strip()]


def _combined(asked: str, inside: list[str], at: str | None, defaults: Defaults | None, task: Task) -> Measure:
    options = [piece for piece in inside if _OPTION.match(piece)]
    parts = [piece for piece in inside if piece not in options]
    if len(parts) != 2 or at is not None:  # noqa: PLR2004 - F has two parts
        raise BadUsage(usage.malformed_name(asked, "F takes two metrics, e.g. F(P@10,R@10,alpha=0.5)"))
    weights = dict(piece.split("=", 1) for piece in options if re.match(r"(alpha|beta)\s*=", piece))
    settings = [piece for piece in options if not re.match(r"(alpha|beta)\s*=", piece)]
    own = all_metrics(task).get("F")
    if own is not None and own.combines == tuple(_look_up(part, asked, task)[0].name for part in parts if "(" not in part):
        weighed = [f"alpha={_alpha(weights)!r}", *settings]
        return _single(own, {}, weighed, None, asked, defaults or {})
    first, second = (parse(part, defaults, task) for part in parts)
    if not isinstance(first, Single) or not isinstance(second, Single) or settings:
        raise BadUsage(usage.malformed_name(asked, "F combines two single metrics, with alpha or beta"))
    if own is not None and (first.metric.name, second.metric.name) == own.combines:
        return _lifted(own, first, second, _alpha(weights), asked)
    return Combined(first, second, _alpha(weights), asked)


def _lifted(own: Metric, first: Single, second: Single, alpha: float, asked: str) -> Single:
    """F of two averages over classes, under the name that tells it from the average of the F of each class."""
    shared = dict(first.arguments)
    if shared != dict(second.arguments):
        raise BadUsage(usage.malformed_name(asked, "both parts of this F need the same parameters"))
    told = {name: value for name, value in shared.items() if value is not None}
    return Single(own, tuple(_bound(own, {**told, "alpha": alpha, "of": "averages"})), asked)


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


def _look_up(name: str, asked: str, task: Task) -> tuple[Metric, dict[str, Any]]:
    known = _names(task)
    exact = _spelled(task).get(name) or known.get(name.lower())
    if exact is not None:
        return exact
    for pattern, metric, presets in _templates(task):
        if match := pattern.fullmatch(name):
            return metric, {**presets, **match.groupdict()}
    near = get_close_matches(name.lower(), list(known), n=4, cutoff=0.5)
    near.sort(key=lambda found: sorted(found) != sorted(name.lower()))
    rest = asked[len(name) :]
    fitting = [known[found][0] for found in near if not rest.startswith("@") or known[found][0].at]
    suggestions = dict.fromkeys(metric.name + rest for metric in fitting)
    homes = [other for other in TASKS if other != task and name.lower() in _names(other)]
    raise BadUsage(usage.unknown_metric(asked, list(suggestions)[:2], homes))


@cache
def _spelled(task: Task) -> dict[str, tuple[Metric, dict[str, Any]]]:
    """Names and aliases as they are spelled: trec_eval's `rbp` is not quite our `RBP`."""
    aliases = {
        alias: (metric, dict(presets))
        for metric in all_metrics(task).values()
        for alias, presets in metric.aliases.items()
        if "{" not in alias
    }
    return {**aliases, **{name: (metric, {}) for name, metric in all_metrics(task).items()}}


@cache
def _names(task: Task) -> dict[str, tuple[Metric, dict[str, Any]]]:
    """The same without regard to case; a metric's own name goes before an alias."""
    return {name.lower(): found for name, found in _spelled(task).items()}


@cache
def _elsewhere(task: Task) -> frozenset[str]:
    """What other programs call the metrics, without their parameters."""
    told = [names for metric in all_metrics(task).values() for names in metric.elsewhere.values()]
    plain = [name for names in told for name in re.sub(r"\(.*?\)", "", names).split(",")]
    return frozenset(name.partition("@")[0].strip() for name in plain)


@cache
def _templates(task: Task) -> list[tuple[re.Pattern[str], Metric, dict[str, Any]]]:
    """Aliases with a number in them, such as `ndcg_cut_{k}`."""
    return [
        (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9.]+)", alias), re.IGNORECASE), metric, dict(presets))
        for metric in all_metrics(task).values()
        for alias, presets in metric.aliases.items()
        if "{" in alias
    ]


def _single(
    metric: Metric, presets: dict[str, Any], inside: list[str], at: str | None, asked: str, defaults: Defaults
) -> Single:
    elsewhere = {**defaults.get("*", {}), **defaults.get(metric.name, {})}
    given = {**presets, **{name: value for name, value in elsewhere.items() if metric.parameter(name)}}
    for piece in inside:
        name, sign, value = piece.partition("=")
        if not sign:
            raise BadUsage(usage.malformed_name(asked, f"{piece!r} is not parameter=value"))
        if metric.parameter(name.strip()) is None:
            raise BadUsage(usage.unknown_parameter(metric.name, name.strip(), [known.name for known in metric.parameters]))
        given[name.strip()] = _unquoted(value.strip())
    if at is not None:
        if metric.at is None:
            raise BadUsage(usage.malformed_name(asked, f"{metric.name} takes no cutoff"))
        given[metric.at] = at.strip()
    return Single(metric, tuple(_bound(metric, given)), asked)


def _bound(metric: Metric, given: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    for parameter in metric.parameters:
        if parameter.name in given:
            yield parameter.name, _checked(metric, parameter, given[parameter.name])
        elif parameter.required:
            example = f"{metric.name}@10" if parameter.name == metric.at else f"{metric.name}({parameter.name}=...)"
            raise BadUsage(usage.missing_parameter(metric.name, parameter.name, example))
        else:
            yield parameter.name, parameter.default


def _checked(metric: Metric, parameter: Parameter, value: Any) -> Any:  # noqa: ANN401 - text or a number
    wrong = BadUsage(usage.bad_parameter(metric.name, parameter.name, str(value), parameter.words()))
    if parameter.choices:
        known = {choice.lower(): choice for choice in parameter.choices}
        if str(value).lower() not in known:
            raise wrong
        return known[str(value).lower()]
    if parameter.kind is str:
        return str(value)
    try:
        number = int(value) if parameter.kind is int else float(value)
    except (ValueError, OverflowError):
        raise wrong from None
    if parameter.rule and not parameter.rule.allows(number):
        raise wrong
    return number


def _unquoted(text: str) -> str:
    """The text between quotation marks, in which two of them stand for one."""
    inside = re.fullmatch(r'"(.*)"', text, re.DOTALL)
    return inside[1].replace('""', '"') if inside else text.strip("'\"")
