"""What is measured of each unit: a column, a ratio of two columns, or a quantile of one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from plumbline.comparison.margins import Margin
from plumbline.errors import BadUsage
from plumbline.errors import experiments as problems

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUANTILE: Final = re.compile(r"(?:quantile\((?P<column>.+),\s*(?P<share>0?\.\d+)\)|(?P<word>median|p\d\d)\((?P<inner>.+)\))")
_MARGIN: Final = re.compile(r"(?:(?P<metric>.+)=)?\s*(?P<amount>[^=]+)")


@dataclass(frozen=True)
class Quantity:
    """A column, or the sum of one column over the sum of another."""

    numerator: str
    denominator: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is made of."""
        return (self.numerator,) if self.denominator is None else (self.numerator, self.denominator)

    def __str__(self) -> str:
        return self.numerator if self.denominator is None else f"{self.numerator} / {self.denominator}"


@dataclass(frozen=True)
class Metric:
    """One metric of an experiment."""

    name: str
    of: Quantity
    quantile: float | None = None
    before: Quantity | None = None
    """The same from before the start, by which the effect is adjusted."""
    lower: bool = False
    """Whether it is better when lower."""
    margin: Margin | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it needs, each once."""
        return tuple(dict.fromkeys((*self.of.columns, *(self.before.columns if self.before else ()))))


def parsed_metric(text: str, columns: Sequence[str]) -> Metric:
    """Read `orders`, `ctr = clicks / views`, `median(seconds)` or `quantile(seconds, 0.9)`.

    Raises:
        BadUsage: It is none of these, or a column is not there.
    """
    plain = text.strip()
    if plain in columns:
        return Metric(plain, Quantity(plain))
    name, sign, formula = (part.strip() for part in plain.partition("="))
    name, formula = (name, formula) if sign else (plain, plain)
    quantile = _QUANTILE.fullmatch(formula)
    if quantile:
        column = (quantile["column"] or quantile["inner"]).strip()
        word = quantile["word"]
        share = float(quantile["share"]) if word is None else 0.5 if word == "median" else int(word[1:]) / 100
        if column not in columns or not 0 < share < 1:
            raise BadUsage(problems.unknown_column(column if 0 < share < 1 else formula, list(columns)))
        return Metric(name, Quantity(column), share)
    return Metric(name, _quantity(formula, columns))


def _quantity(formula: str, columns: Sequence[str]) -> Quantity:
    if formula in columns:
        return Quantity(formula)
    for slash in re.finditer("/", formula):
        sides = formula[: slash.start()].strip(), formula[slash.end() :].strip()
        if all(side in columns for side in sides):
            return Quantity(*sides)
    strangers = [side.strip() for side in formula.split("/") if side.strip() not in columns]
    raise BadUsage(problems.unknown_column(strangers[0] if strangers else formula, list(columns)))


def with_covariates(metrics: Sequence[Metric], given: Sequence[str], columns: Sequence[str]) -> list[Metric]:
    """The metrics with what predicts them: `METRIC=COLUMN`, or a column whose name begins with that of the metric."""
    adjusted = {metric.name: metric for metric in metrics}
    for text in given:
        name, sign, formula = (part.strip() for part in text.partition("="))
        quantity = _quantity(formula if sign and name in adjusted else text.strip(), columns)
        chosen = name if sign and name in adjusted else _predicted(quantity, metrics)
        metric = adjusted[chosen]
        if metric.quantile is not None:
            raise BadUsage(problems.quantile_has_no(metric.name, "covariate"))
        if metric.of.denominator is not None and quantity.denominator is None:
            raise BadUsage(problems.covariate_of_ratio(metric.name, str(quantity)))
        adjusted[chosen] = replace(metric, before=quantity)
    return list(adjusted.values())


def _predicted(quantity: Quantity, metrics: Sequence[Metric]) -> str:
    """The metric that a covariate belongs to: the only one, or the one whose column its name begins with."""
    if len(metrics) == 1:
        return metrics[0].name
    alike = [
        metric.name
        for metric in metrics
        if (metric.of.denominator is None) == (quantity.denominator is None)
        and metric.quantile is None
        and all(mine.startswith(its) for mine, its in zip(quantity.columns, metric.of.columns, strict=True))
    ]
    if len(alike) != 1:
        raise BadUsage(problems.whose_covariate(str(quantity), [metric.name for metric in metrics]))
    return alike[0]


def with_margins(metrics: Sequence[Metric], given: Sequence[str]) -> list[Metric]:
    """The metrics with the smallest change that matters: for all of them, or `METRIC=MARGIN` for one."""
    margins: dict[str | None, Margin] = {}
    names = [metric.name for metric in metrics]
    for text in given:
        match = _MARGIN.fullmatch(text.strip())
        name = match["metric"].strip() if match and match["metric"] else None
        if name is not None and name not in names:
            raise BadUsage(problems.unknown_metric(name, names))
        margins[name] = Margin.parse(match["amount"] if match else text)
    everywhere = margins.get(None)
    return [replace(metric, margin=margins.get(metric.name, everywhere)) for metric in metrics]


def with_directions(metrics: Sequence[Metric], lower: Sequence[str]) -> list[Metric]:
    """The metrics that are better when lower are marked."""
    names = [metric.name for metric in metrics]
    unknown = next((name for name in lower if name not in names), None)
    if unknown is not None:
        raise BadUsage(problems.unknown_metric(unknown, names))
    return [replace(metric, lower=metric.name in lower) for metric in metrics]
