"""Subjects to draw, and what stands in a drawing."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl

import plumbline
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject, subject_of
from plumbline.tools.learning import LearningCurves
from plumbline.truth.agreement.result import AssessorAgreement
from plumbline.truth.clicks.result import ClickModels
from plumbline.truth.experiments.result import Experiment
from plumbline.truth.interleaving.result import Preferences
from plumbline.truth.policies.result import PolicyValue
from plumbline.truth.pools.result import Replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from plumbline import Result

CASES = [f"q{number:02}" for number in range(12)]


def table(systems: Sequence[str], metrics: Sequence[str] = ("P", "R"), seed: int = 1) -> pl.DataFrame:
    """Scores between 0 and 1 of systems that differ, on cases that are easier or harder."""
    random = Random(seed)  # noqa: S311 - made data, not secrets
    hard = {case: random.uniform(0, 0.3) for case in CASES}
    rows = []
    for system in systems:
        skill = {metric: random.uniform(0.3, 0.9) for metric in metrics}
        rows += [
            (system, case, metric, min(max(skill[metric] - hard[case] + random.uniform(-0.1, 0.1), 0.01), 0.99))
            for case in CASES
            for metric in metrics
        ]
    return pl.DataFrame(rows, schema=["system", "case", "metric", "value"], orient="row")


def named(count: int) -> list[str]:
    """Names of systems."""
    return [f"system{number:02}" for number in range(count)]


@cache
def scored(count: int) -> Subject:
    """A table of scores by two metrics."""
    return subject_of(table(named(count)))


def outputs(task: str, names: Sequence[str], **options: Any) -> Subject:
    """A gold and systems that get better from one to the next, with their scores."""
    gold, systems = _MAKERS[task](names)
    return subject_of(gold=gold, systems=systems, task=task, **options)


@cache
def evaluated(task: str, count: int) -> Subject:
    """The same with plain names."""
    return outputs(task, named(count))


def _rankings(names: Sequence[str]) -> tuple[Any, Any]:
    random = Random(2)  # noqa: S311 - as above
    gold = {case: {f"d{item}": int(item < 4) for item in range(12)} for case in CASES[:2]}
    return gold, {
        name: {case: {item: random.random() + 0.5 * grade for item, grade in each.items()} for case, each in gold.items()}
        for name in names
    }


def _labels(names: Sequence[str], classes: Sequence[str]) -> tuple[Any, Any]:
    random = Random(3)  # noqa: S311 - as above
    gold = {case: {f"d{item}": classes[item % len(classes)] for item in range(12)} for case in CASES[:2]}
    return gold, {
        name: {
            case: {item: label if random.random() < 0.7 else random.choice(classes) for item, label in each.items()}
            for case, each in gold.items()
        }
        for name in names
    }


def _filters(names: Sequence[str]) -> tuple[Any, Any]:
    gold, systems = _labels(names, ("1", "0", "0"))
    full = {case: {item: int(label) for item, label in each.items()} for case, each in gold.items()}
    return full, {
        name: {case: {item: int(label) for item, label in each.items()} for case, each in given.items()}
        for name, given in systems.items()
    }


_MAKERS: dict[str, Any] = {
    "ranking": _rankings,
    "filtering": _filters,
    "classification": lambda names: _labels(names, ("cat", "dog", "owl")),
    "clustering": lambda names: _labels(names, ("a", "b", "c")),
}


def _agreement(names: Sequence[str]) -> Result:
    """Three assessors, and systems that they rank."""
    gold, systems = _rankings(names)
    random = Random(5)  # noqa: S311 - as above
    judges = {
        judge: {
            case: {item: grade if random.random() < 0.8 else 1 - grade for item, grade in each.items()}
            for case, each in gold.items()
        }
        for judge in ("anna", "ben", "cy")
    }
    return plumbline.agree(judges, systems, ["AP"], interval="none")


def _replay(names: Sequence[str]) -> Result:
    gold, systems = _rankings(names)
    return plumbline.pool(systems, simulate=gold)


def _experiment(names: Sequence[str]) -> Result:
    """An arm for each name, and a control; two metrics, segments and days."""
    random = Random(6)  # noqa: S311 - as above
    arms = ["control", *(name for name in dict.fromkeys(names) if name != "control")]
    rows = [(arm, day, seed) for arm in arms for day in range(4) for seed in range(60)]
    units = {
        "variant": [arm for arm, _, _ in rows],
        "day": [day for _, day, _ in rows],
        "land": ["north" if seed % 2 else "south" for _, _, seed in rows],
        "orders": [random.randrange(4) for _ in rows],
        "seconds": [random.expovariate(0.1) for _ in rows],
    }
    return plumbline.experiment(units, ["orders", "seconds"], by="land", peek=True, when="day", control="control")


def _learning(names: Sequence[str]) -> Result:
    """Learners that the same labels help more and more."""
    rows = [(name, n, 0.9 - (at + 1) / 10 * n**-0.5) for at, name in enumerate(names) for n in (50, 100, 200, 400)]
    return plumbline.learning(pl.DataFrame(rows, schema=["system", "size", "Accuracy"], orient="row"))


def _preferences(names: Sequence[str]) -> Result:
    """Clicks on items of teams with these names."""
    random = Random(7)  # noqa: S311 - as above
    teams = [*dict.fromkeys(names), "another team"]
    rows = [random.choice(teams) for _ in range(60)]
    log = {"session": [number // 2 for number in range(60)], "event": ["click"] * 60, "team": [*teams, *rows[len(teams) :]]}
    return plumbline.analyse_interleaving(pl.DataFrame(log), resamples=50)


def _policy(_: Sequence[str]) -> Result:
    """Three actions at random."""
    random = Random(8)  # noqa: S311 - as above
    log = {"action": [random.choice("abc") for _ in range(90)], "reward": [random.randrange(2) for _ in range(90)]}
    return plumbline.policy_value(pl.DataFrame(log | {"propensity": [1 / 3] * 90}), policy="uniform", resamples=50)


def _clicks(names: Sequence[str]) -> Result:
    """Click models of sessions that saw the lists of systems."""
    gold, systems = _rankings(names)
    return plumbline.clicks(plumbline.simulate_clicks(gold, systems, sessions=400).log, model=["ctr", "cascade", "pbm", "sdbn"])


_RESULTS: dict[type | None, Callable[[Sequence[str]], Result]] = {
    AssessorAgreement: _agreement,
    Experiment: _experiment,
    PolicyValue: _policy,
    Preferences: _preferences,
    Replay: _replay,
    LearningCurves: _learning,
    ClickModels: _clicks,
}


def draws_results_alone(kind: str) -> bool:
    """Whether it is drawn of a result that is no table of scores."""
    return FIGURES[kind].of in _RESULTS


@cache
def result_for(kind: str, names: tuple[str, ...]) -> Subject:
    """A result that this kind can be drawn of, about systems of these names."""
    return Subject(result=_RESULTS[FIGURES[kind].of](names))


def subject_for(kind: str, count: int) -> Subject:
    """Something that this kind can be drawn of by its declaration, with so many systems."""
    figure = FIGURES[kind]
    if draws_results_alone(kind):
        return result_for(kind, tuple(named(count)))
    task = next(iter(figure.tasks), "ranking")
    if "scores" in figure.views:
        return filters_with_scores(tuple(named(count)))
    if figure.example_metrics:
        return _evaluated_by(task, count, figure.example_metrics)
    return evaluated(task, count) if figure.tasks else scored(count)


@cache
def _evaluated_by(task: str, count: int, metrics: tuple[str, ...]) -> Subject:
    return outputs(task, named(count), metrics=list(metrics))


@cache
def filters_with_scores(names: tuple[str, ...]) -> Subject:
    """Filters that give probabilities, of which later ones are better."""
    random = Random(4)  # noqa: S311 - as above
    gold = {case: {f"d{item}": int(item % 3 == 0) for item in range(30)} for case in CASES[:2]}
    systems = {
        name: {
            case: {item: min(max(random.gauss(0.4 + 0.3 * grade, 0.2), 0.01), 0.99) for item, grade in each.items()}
            for case, each in gold.items()
        }
        for name in names
    }
    return subject_of(gold=gold, systems=systems, task="filtering", metrics=["AUC"], threshold=0.5)


def spec(kind: str, subject: Subject, **options: Any) -> dict[str, Any]:
    """The Vega-Lite specification of a figure."""
    made: dict[str, Any] = FIGURES[kind].draw(subject, **options).to_dict()
    return made


def data(drawn: dict[str, Any], *fields: str) -> list[dict[str, Any]]:
    """The rows of all data of a chart that have these fields."""
    return [row for rows in drawn.get("datasets", {}).values() for row in rows if set(fields) <= set(row)]


def texts(part: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a specification with the names that lead to it."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from texts(inner, (*at, name))
    elif isinstance(part, (list, tuple)):
        for inner in part:
            yield from texts(inner, at)
    elif isinstance(part, str):
        yield at, part
