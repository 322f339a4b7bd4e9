"""Drawings of pages and of the library, made alike so that they can be compared."""

from __future__ import annotations

import json
from typing import Any

import pytest


def inlined(spec: dict[str, Any]) -> dict[str, Any]:
    """The drawing with its rows in place, and without what only the size of the page decides."""
    plain: dict[str, Any] = json.loads(json.dumps(spec))
    sets, shared = plain.pop("datasets"), plain.pop("data", None)
    for layer in plain["layer"]:
        layer["data"] = sets[layer.get("data", shared)["name"]]
    return {key: value for key, value in plain.items() if key not in {"$schema", "width", "height", "config"}}


def sorted_differences(spec: dict[str, Any]) -> dict[str, Any]:
    """The same of differences, whose cases may be in any order where they are equal."""
    plain = inlined(spec)
    for layer in plain["layer"]:
        layer["data"].sort(key=lambda row: row.get("case", ""))
    for bars in plain["layer"][:2]:
        bars["encoding"]["x"]["scale"]["domain"].sort()
    return plain


def near(actual: Any, expected: Any) -> bool:
    """Whether two structures are the same, but for the digits that the page leaves out."""
    if isinstance(expected, dict):
        assert actual.keys() == expected.keys()
        return all(near(actual[key], value) for key, value in expected.items())
    if isinstance(expected, list):
        assert len(actual) == len(expected)
        return all(map(near, actual, expected))
    assert actual == (pytest.approx(expected, abs=2e-6) if isinstance(expected, float) else expected)
    return True
