"""Names are values: what is printed can be typed back, and a printed name carries every parameter that is not the default."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, usage
from plumbline.metrics.groups import GROUPS
from plumbline.metrics.registry import Metric, Parameter, all_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.metrics.registry import Average, Better

    Defaults = Mapping[str, Mapping[str, Any]]

_NAME: Final = re.compile(r"(?P<name>[^(@]+)(?:\((?P<inside>.*)\))?(?:@(?P<at>.+))?$", re.DOTALL)
_HALF: Final = 0.5


@dataclass(frozen=True)
class Single:
    """A metric with all its parameters bound."""

    metric: Metric
    arguments: tuple[tuple[str, Any], ...]
    asked: str = field(compare=False)

    @property
    def name(self) -> str:
        """The canonical name."""
        bound = dict(self.arguments)
        at = bound.pop(self.metric.at, None) if self.metric.at else None
        told = [
            f"{parameter.name}={_written(bound[parameter.name])}"
            for parameter in self.metric.parameters
            if parameter.name in bound and bound[parameter.name] != parameter.default
        ]
        inside = f"({','.join(told)})" if told else ""
        return f"{self.metric.name}{inside}" + ("" if at is None else f"@{_written(at)}")

    @property
    def parts(self) -> tuple[Single, ...]:
        """The single measures whose values are needed."""
        return (self,)

    @property
    def better(self) -> Better:
        """Which direction is better."""
        return self.metric.better

    @property
    def average(self) -> Average:
        """How values of cases become one."""
        return self.metric.average

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Combined:
    """F: the weighted harmonic mean of two measures, per case; alpha weighs the first."""

    first: Single
    second: Single
    alpha: float
    asked: str = field(compare=False)

    @property
    def name(self) -> str:
        """The canonical name."""
        weight = "" if self.alpha == _HALF else f",alpha={_written(self.alpha)}"
        return f"F({self.first.name},{self.second.name}{weight})"

    @property
    def parts(self) -> tuple[Single, ...]:
        """The single measures whose values are needed."""
        return (self.first, self.second)

    @property
    def better(self) -> Better:
        """Which direction is better."""
        return "higher"

    @property
    def average(self) -> Average:
        """How values of cases become one."""
        return "mean"

    def __str__(self) -> str:
        return self.name


Measure = Single | Combined


def measures(names: Iterable[str], defaults: Defaults | None = None) -> list[Measure]:
    """Read names; groups are expanded, and a measure asked for twice is taken once."""
    found: dict[Measure, None] = {}
    for name in names:
        for single in GROUPS.get(name.strip().lower(), (name,)):
            found.setdefault(parse(single, defaults))
    return list(found)


def parse(text: str, defaults: Defaults | None = None) -> Measure:
    """Read one name, such as `nDCG(gain=exp)@10`, `F(P@10,R@10,alpha=0.3)` or `ndcg_cut_10`."""
    asked = text.strip()
    match = _NAME.match(asked)
    if match is None:
        raise BadUsage(usage.malformed_name(asked, "it does not look like Name(parameter=value)@cutoff"))
    inside = _split(match["inside"] or "", asked)
    if match["name"].strip().lower() == "f":
        return _combined(asked, inside, match["at"], defaults)
    metric, presets = _look_up(match["name"].strip(), asked)
    return _single(metric, presets, inside, match["at"], asked, defaults or {})


def describe(text: str) -> Metric:
    """The metric behind a name, whose parameters need not be given."""
    match = _NAME.match(text.strip())
    return _look_up((match["name"] if match else text).strip(), text.strip())[0]


def _split(inside: str, asked: str) -> list[str]:
    """Split at commas that are not inside parentheses."""
    pieces, depth = [""], 0
    for character in inside:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    if depth != 0:
        raise BadUsage(usage.malformed_name(asked, "the parentheses do not match"))
    return [piece.strip() for piece in pieces if piece.strip()]


def _combined(asked: str, inside: list[str], at: str | None, defaults: Defaults | None) -> Combined:
    options = dict(piece.split("=", 1) for piece in inside if re.match(r"(alpha|beta)\s*=", piece))
    parts = [piece for piece in inside if not re.match(r"(alpha|beta)\s*=", piece)]
    if len(parts) != 2 or at is not None:  # noqa: PLR2004 - F has two parts
        raise BadUsage(usage.malformed_name(asked, "F takes two metrics, e.g. F(P@10,R@10,alpha=0.5)"))
    first, second = (parse(part, defaults) for part in parts)
    if not isinstance(first, Single) or not isinstance(second, Single):
        raise BadUsage(usage.malformed_name(asked, "F combines two single metrics"))
    return Combined(first, second, _alpha(options), asked)


def _alpha(options: dict[str, str]) -> float:
    if not options:
        return _HALF
    (name, text), *rest = options.items()
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    most = 1.0 if name.strip() == "alpha" else float("inf")
    if rest or not 0 <= value <= most:
        raise BadUsage(usage.bad_parameter("F", "alpha or beta", text, "one of: alpha between 0 and 1, beta from 0"))
    return value if name.strip() == "alpha" else 1 / (1 + value * value)


def _look_up(name: str, asked: str) -> tuple[Metric, dict[str, Any]]:
    exact = _spelled().get(name) or _names().get(name.lower())
    if exact is not None:
        return exact
    for pattern, metric, presets in _templates():
        if match := pattern.fullmatch(name):
            return metric, {**presets, **match.groupdict()}
    near = get_close_matches(name.lower(), list(_names()), n=4, cutoff=0.5)
    near.sort(key=lambda found: sorted(found) != sorted(name.lower()))
    rest = asked[len(name) :]
    fitting = [_names()[found][0] for found in near if not rest.startswith("@") or _names()[found][0].at]
    suggestions = dict.fromkeys(metric.name + rest for metric in fitting)
    raise BadUsage(usage.unknown_metric(asked, list(suggestions)[:2]))


@cache
def _spelled() -> dict[str, tuple[Metric, dict[str, Any]]]:
    """Names and aliases as they are spelled: trec_eval's `rbp` is not quite our `RBP`."""
    aliases = {
        alias: (metric, dict(presets))
        for metric in all_metrics().values()
        for alias, presets in metric.aliases.items()
        if "{" not in alias
    }
    return {**aliases, **{name: (metric, {}) for name, metric in all_metrics().items()}}


@cache
def _names() -> dict[str, tuple[Metric, dict[str, Any]]]:
    """The same without regard to case; a metric's own name goes before an alias."""
    return {name.lower(): found for name, found in _spelled().items()}


@cache
def _templates() -> list[tuple[re.Pattern[str], Metric, dict[str, Any]]]:
    """Aliases with a number in them, such as `ndcg_cut_{k}`."""
    return [
        (re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9.]+)", alias), re.IGNORECASE), metric, dict(presets))
        for metric in all_metrics().values()
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
        given[name.strip()] = value.strip().strip("'\"")
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
        if value not in parameter.choices:
            raise wrong
        return value
    try:
        number = parameter.kind(value)
    except (ValueError, OverflowError):
        raise wrong from None
    if isinstance(number, str) or (parameter.rule and not parameter.rule.allows(number)):
        raise wrong
    return number


def _written(value: object) -> str:
    text = str(value)
    return text.removesuffix(".0") if isinstance(value, float) else text
