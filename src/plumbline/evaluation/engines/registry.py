"""The engines that there are, each declared once, and which of them an evaluation needs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, engines
from plumbline.io.paths import files_of, is_table, names_files, split_name
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.evaluation.request import Request
    from plumbline.scores import Scores

ENGINES: Final = {
    "local": "plumbline.evaluation.engines.local:run_locally",
    "spark": "plumbline.evaluation.engines.spark:run_on_spark",
    "ray": "plumbline.evaluation.engines.ray_tasks:run_on_ray",
    "dask": "plumbline.evaluation.engines.dask_tasks:run_on_dask",
}
"""Where each engine is; a cluster's library is imported when it is used."""
_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE: Final = pattern(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", re.IGNORECASE)
LEAST_MEMORY: Final = 2**28
"""Python and its libraries take about half of this before anything is read."""


def engine_names() -> tuple[str, ...]:
    """The names of all engines."""
    return tuple(ENGINES)


def run(name: str, evaluation: Evaluation, memory: int, cluster: Any) -> Scores:
    """The scores of an evaluation by an engine."""
    module, _, function = ENGINES[name].partition(":")
    scores: Scores = getattr(import_module(module), function)(evaluation, memory, cluster)
    return scores


def bytes_of(size: str | float | None) -> int:
    """A size such as 4GB in bytes; the memory of the machine if none is given.

    Raises:
        BadUsage: If it is no size, or less than the program itself needs.
    """
    if size is None:
        return machine_memory()
    match = _SIZE.fullmatch(str(size))
    if match is None:
        raise BadUsage(engines.bad_size(str(size)))
    amount = int(float(match[1]) * _UNITS[(match[2] or "").lower()])
    if amount < LEAST_MEMORY:
        raise BadUsage(engines.little_memory(amount, LEAST_MEMORY))
    return amount


def machine_memory() -> int:
    """The memory of the machine in bytes; 8 GiB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**33


def chosen_engine(evaluation: Evaluation, engine: str | None, memory: int) -> str | None:
    """The engine that was asked for; else that of frames on a cluster, or the local one if the files outgrow the memory."""
    if engine not in {None, "local"}:
        _home(evaluation.systems, engine)
    if engine is not None or evaluation.request.task.parts is None:
        return engine
    if _needs_every_item(evaluation.request):
        return None
    if not _needs_all_rows(evaluation) and (home := _home(evaluation.systems)) is not None:
        return home
    if evaluation.request.task.parts == "documents" and not all(map(_is_spans, _files(evaluation.systems))):
        return None
    return "local" if files_outgrow(evaluation.systems, memory) else None


def metrics_of_items(request: Request) -> list[str]:
    """The requested metrics that look at each item of a clustering."""
    if request.task.name != "clustering":
        return []
    from plumbline.align.clustering import FUZZY  # noqa: PLC0415 - clusterings only

    parts = [part for measure in request.measures for part in measure.parts]
    return [part.name for part in parts if part.metric.needs == FUZZY or part.metric.internal]


def _needs_every_item(request: Request) -> bool:
    """Whether items cannot be counted together: then nobody is given an engine who did not ask for one."""
    return bool(metrics_of_items(request)) or (request.task.name == "clustering" and bool(request.options.get("floor")))


def _needs_all_rows(evaluation: Evaluation) -> bool:
    """Whether an option looks at all rows together: a frame on a cluster is then collected, as nobody asked for an engine."""
    request = evaluation.request
    return evaluation.folded is not None or request.options.get("tag") is not None or request.reading.order == "file"


def _home(systems: Any, engine: str | None = None) -> str | None:
    """The engine of a frame that lives on a cluster; nothing is imported to find out that there is none."""
    if not any(name in sys.modules for name in ("pyspark", "ray", "dask")):
        return None
    from plumbline.evaluation.engines.frames import home_of_all  # noqa: PLC0415 - where a cluster's library is in use

    return home_of_all(systems, engine)


def files_outgrow(systems: Any, memory: int) -> bool:
    """Whether the files of the systems are larger than half of the memory."""
    return sum(map(_file_size, _files(systems))) > memory // 2


def _files(source: Any) -> list[Path]:
    """The files of systems; none of what is in memory."""
    if isinstance(source, (str, os.PathLike)):
        try:
            return files_of(split_name(os.fspath(source))[1]) or []
        except BadUsage:  # an empty folder, say; whoever reads it says so, if it is no label
            return []
    if isinstance(source, Mapping):
        first = next(iter(source.values()), None)
        return _files(list(source.values())) if isinstance(first, (str, os.PathLike)) and names_files(first) else []
    return [path for one in source for path in _files(one)] if isinstance(source, (list, tuple)) else []


def _is_spans(path: Path) -> bool:
    """Whether a file has rows of spans for sure, and no texts that have to be compared with those of the gold."""
    return is_table(path) and path.suffix not in {".jsonl", ".ndjson"}


def _file_size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
