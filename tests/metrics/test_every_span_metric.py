"""What holds for every metric of spans, under every setting."""

from __future__ import annotations

import random
from itertools import chain, product
from typing import Any

import pytest

import plumbline
from plumbline.metrics.registry import Metric, all_metrics
from tests.helpers.extraction_oracles import Spans, World, drawn_world

METRICS = all_metrics("extraction")
SEEDS = range(6)


def names_of(metric: Metric) -> list[str]:
    """The metric with every way of matching and averaging."""
    ways = ["strict", "boundary", "type", "partial", "overlap", *(["positions"] if metric.needs == "spans" else [])]
    inside = "P,R," if metric.combines else ""
    averages = ("micro", "macro", "weighted")
    return [f"{metric.name}({inside}match={way},average={average})" for way, average in product(ways, averages)]


def values(gold: Any, output: Any, names: list[str], **options: Any) -> list[list[float | None]]:
    """A list for each case, in the order of the gold."""
    result = plumbline.evaluate(gold, {"one": output}, names, task="extraction", **options).per_case
    rows: dict[str, list[float | None]] = {}
    for case, value in result.select("case", "value").iter_rows():
        rows.setdefault(case, []).append(value)
    return [rows[case] for case in gold] if not options.get("pooled") else list(rows.values())


every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


@every_metric
@pytest.mark.parametrize("seed", SEEDS)
def test_values_stay_in_the_range(metric: Metric, seed: int) -> None:
    low, high = metric.range
    for value in chain.from_iterable(values(*drawn_world(seed), names_of(metric))):
        assert value is None or ((low is None or value >= low) and (high is None or value <= high + 1e-12))


@every_metric
@pytest.mark.parametrize("seed", SEEDS)
def test_the_gold_itself_is_the_best_output(metric: Metric, seed: int) -> None:
    gold, output = drawn_world(seed)
    best = metric.range[1] if metric.better == "higher" else metric.range[0]
    names = names_of(metric)
    for ideal, other in zip(values(gold, gold, names), values(gold, output, names), strict=True):
        for one, two in zip(ideal, other, strict=True):
            if metric.better == "neither" or one is None:
                continue
            assert best is None or one == pytest.approx(best)
            assert two is None or (two <= one + 1e-12 if metric.better == "higher" else two >= one - 1e-12)


@every_metric
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_spans_and_documents_does_not_matter(metric: Metric, seed: int) -> None:
    gold, output = drawn_world(seed)
    draw = random.Random(seed)  # noqa: S311 - no secret

    def shuffled(world: World) -> World:
        names = draw.sample(list(world), len(world))
        return {name: draw.sample(world[name], len(world[name])) for name in names}

    names = names_of(metric)
    turned = shuffled(gold)
    plain = dict(zip(gold, values(gold, output, names), strict=True))
    again = dict(zip(turned, values(turned, shuffled(output), names), strict=True))
    for case, one in plain.items():
        assert again[case] == [None if value is None else pytest.approx(value) for value in one]


@every_metric
@pytest.mark.parametrize("seed", SEEDS)
def test_a_document_scores_the_same_alone_and_where_it_lies_elsewhere(metric: Metric, seed: int) -> None:
    gold, output = drawn_world(seed)
    names = names_of(metric)

    def moved(spans: Spans) -> Spans:
        return [(start + 1000, end + 1000, f"{kind}s") for start, end, kind in spans]

    for case, together in zip(gold, values(gold, output, names), strict=True):
        (alone,) = values({case: moved(gold[case])}, {case: moved(output[case])}, names)
        assert alone == [None if value is None else pytest.approx(value) for value in together]


@every_metric
def test_a_name_reads_back(metric: Metric) -> None:
    for name in names_of(metric):
        measure = plumbline.parse(name, task="extraction")
        assert plumbline.parse(measure.name, task="extraction") == measure
