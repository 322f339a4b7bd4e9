"""Gold and outputs are looked at again the way they were when their scores were made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from plumbline.errors import BadUsage, reports
from plumbline.evaluation.request import request
from plumbline.figures.options import EVALUATED, NUMBER, briefly
from plumbline.io.memory.clusters import cluster_systems
from plumbline.io.memory.organization_systems import organization_systems
from plumbline.io.memory.systems import label_systems, named_systems
from plumbline.io.read import read
from plumbline.option import recorded
from plumbline.options import EvaluateOptions

OF_SCORES: Final = frozenset({"watch", "names", "floor", "floor_rate", "zscores"})
"""Options of `evaluate` that gold and outputs do not need a second time."""
READING: Final = ("reader", "order", "tag", "max_bytes")
"""Options that tell how a file is read."""
DATA: Final[tuple[str, ...]] = ("features", "distances", "lengths")
"""Options that are data, as gold and systems are: they cannot be compared, and only metrics that read them allow them."""


def reused(
    made: Mapping[str, Any], task: str | None, options: Mapping[str, Any]
) -> tuple[str | None, dict[str, Any], dict[str, Any]]:
    """The task and the options by which scores were made, and the data beside them; what is asked for otherwise is refused.

    `options` are those that were told, `made` is how the scores were made, as far as it is known.
    """
    if "task" in made and task not in (None, made["task"]):
        raise BadUsage(reports.made_otherwise("task", briefly(task), briefly(made["task"])))
    data = {name: value for name, value in {**made.get("options", {}), **options}.items() if name in DATA}
    if "options" not in made:
        return made.get("task", task), {name: value for name, value in options.items() if name not in (*OF_SCORES, *DATA)}, data
    known = {name: _number(name, value) for name, value in made["options"].items()}
    known |= {"as_": made["as"]} if made.get("as") else {}
    kept = {name: value for name, value in known.items() if name not in (*OF_SCORES, *DATA)}
    for name, value in options.items():
        if name not in DATA and _differs(name, value, made["task"], known, kept):
            before = briefly(known[name]) if name in known else None
            raise BadUsage(reports.made_otherwise(name, briefly(value), before))
    return made["task"], kept, data


def called(made: Mapping[str, Any], systems: Any) -> Any:  # noqa: ANN401 - as evaluate
    """The systems by the names that they have in the scores, where these are run tags and not names of files."""
    own = made.get("options", {})
    if own.get("names") != "tag":
        return systems
    reading = request(None, task=made["task"], **{name: own[name] for name in READING if name in own}).reading
    found = {}
    for name, source in named_systems(systems).items():
        table = read(source, "output", reading, name)
        found[table.tag or name] = source if isinstance(source, (str, os.PathLike)) else table
    return found


def check_systems(made: Mapping[str, Any], gold: Any, systems: Any) -> None:  # noqa: ANN401 - as evaluate
    """Refuse systems that are not those of the scores; outputs that ignore the gold are made, and not given."""
    if "systems" not in made or isinstance(systems, Iterator):
        return
    scored = [name for name in made["systems"] if name not in made.get("floor", ())]
    given = _names(made["task"], gold, systems)
    if scored != ["system"] and set(given) != set(scored):
        raise BadUsage(reports.other_systems(given, scored))


def _names(task: str, gold: Any, systems: Any) -> list[str]:  # noqa: ANN401 - as evaluate
    """What the systems are called; nothing is read."""
    if task == "ranking":
        return list(named_systems(systems))
    if task == "organization":
        return list(systems if isinstance(systems, Mapping) else organization_systems(gold, systems))
    if task == "clustering":
        return list(systems if isinstance(systems, Mapping) else cluster_systems(gold, systems, None))
    return list(label_systems(gold, systems))


def _number(name: str, value: Any) -> Any:  # noqa: ANN401 - an option that was saved
    """An infinite number was saved as a word."""
    return float(value) if EVALUATED.get(name) is NUMBER else value


def _differs(name: str, value: Any, task: str, known: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:  # noqa: ANN401 - an option
    """Whether an option would have made other scores: by default it would not have to be told."""
    if name in OF_SCORES:
        return bool(recorded({name: value}, EvaluateOptions) != recorded({name: known.get(name)}, EvaluateOptions))
    return request(None, task=task, **{**kept, name: value}) != request(None, task=task, **kept)
