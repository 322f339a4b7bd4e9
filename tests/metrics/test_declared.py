"""What the name of a metric means today: range, direction, defaults, other names. A change would change people's scores.

`python -m tests.metrics.test_declared` prints what `declared.json` should hold after a change that is meant.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import plumbline
from plumbline.metrics.groups import GROUPS
from plumbline.tasks import task_names

KEPT = Path(__file__).with_name("declared.json")


def declared() -> dict[str, Any]:
    """All metrics and groups of metrics, as plain data."""
    return {
        task: {
            "metrics": {
                name: {
                    "range": list(metric.range),
                    "better": metric.better,
                    "average": metric.average,
                    "at": metric.at,
                    "empty": metric.empty,
                    "parameters": {one.name: [one.default, one.allowed()] for one in metric.parameters},
                    "aliases": {alias: dict(given) for alias, given in metric.aliases.items()},
                    "properties": [
                        *(["linear"] if metric.linear is True else [metric.linear] if metric.linear else []),
                        *(
                            name
                            for name in ("text", "ordered", "single_label", "across_cases", "symmetric")
                            if getattr(metric, name)
                        ),
                    ],
                }
                for name, metric in sorted(plumbline.all_metrics(task).items())
                if metric.kernel.__module__.startswith("plumbline.")
            },
            "groups": {name: list(members) for name, members in GROUPS.get(task, {}).items()},
        }
        for task in task_names()
    }


def test_names_mean_what_they_meant() -> None:
    """New metrics and groups may come; those that are there stay as they are."""
    kept, now = json.loads(KEPT.read_text(encoding="utf-8")), json.loads(json.dumps(declared()))
    for task, kinds in kept.items():
        for kind, entries in kinds.items():
            for name, facts in entries.items():
                assert now[task][kind].get(name) == facts, (task, name)


def lines(value: Any, depth: int = 3) -> str:
    """JSON with a line for each metric and each group."""
    if not depth or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = ",\n".join(f"{json.dumps(name)}: {lines(one, depth - 1)}" for name, one in value.items())
    return f"{{\n{inner}\n}}"


if __name__ == "__main__":
    print(lines(declared()))  # noqa: T201 - a program
