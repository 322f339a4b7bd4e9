"""The simulation of items as units, with fewer data sets: levels are kept, intervals cover, and clusters matter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binom

from tests.helpers.reproductions import readme, script

SETS = 60
RARE = 0.001
"""Results that are rarer than this by chance are a fault."""


@pytest.mark.slow
def test_levels_are_kept_and_intervals_cover() -> None:
    simulation = script("units_simulation")
    small = replace(simulation.WORLDS[0], metrics=("Accuracy", "F(P,R)"), items=60)
    for share in simulation.claims(small, SETS):
        assert binom.sf(round(share.share * SETS) - 1, SETS, simulation.LEVEL) > RARE, share
    for share in simulation.coverage(small, SETS):
        assert binom.cdf(round(share.share * SETS), SETS, 0.95) > RARE, share
        assert share.width > 0


@pytest.mark.slow
def test_items_of_clusters_are_not_independent() -> None:
    """Taken as items, differences of clusters are claimed far too often; taken as clusters, they are not."""
    simulation = script("units_simulation")
    world = replace(simulation.WORLDS[2], metrics=("Accuracy",), size=20, together=2.0)
    (wrong,) = simulation.claims(world, SETS, clustered=False)
    (right,) = simulation.claims(world, SETS, clustered=True)
    assert wrong.share > 0.15
    assert binom.sf(round(right.share * SETS) - 1, SETS, simulation.LEVEL) > RARE


def test_the_readme_shows_every_world() -> None:
    simulation = script("units_simulation")
    for world in simulation.WORLDS:
        for metric in world.metrics:
            assert f"| {world.name} | {metric} |" in readme()
