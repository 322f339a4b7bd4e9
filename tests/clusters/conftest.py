"""Real clusters on this machine, each started once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

collect_ignore_glob = [] if os.environ.get("PLUMBLINE_CLUSTERS") else ["test_*"]
"""Clusters take a minute to start, so that they are asked for: `make test-engines`."""
ENGINES = ("spark", "ray", "dask")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session with two executors, each a process of its own."""
    pyspark = pytest.importorskip("pyspark")
    sql = pytest.importorskip("pyspark.sql")
    os.environ |= {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "POLARS_MAX_THREADS": "1",
    }
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("plumbline tests")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "6",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
        "spark.executorEnv.POLARS_MAX_THREADS": "1",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def dask() -> Iterator[Any]:
    """A client of two processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def ray() -> Iterator[Any]:
    """Two workers."""
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray spells it so; its workers give way to all others otherwise
    library = pytest.importorskip("ray")
    library.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=10**8)
    yield library
    library.shutdown()


@pytest.fixture(params=ENGINES)
def cluster(request: pytest.FixtureRequest) -> tuple[str, Any]:
    """Each engine, with what `evaluate` takes as its cluster."""
    running = request.getfixturevalue(request.param)
    return request.param, None if request.param == "ray" else running
