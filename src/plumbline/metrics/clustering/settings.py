"""Declarations that clustering metrics share."""

from __future__ import annotations

from typing import Any, Final

from plumbline.metrics.registry import NEVER

OVERLAPS: Final[dict[str, Any]] = {"task": "clustering", "needs": "clusters", "undefined": NEVER}
"""A metric of any clustering."""
PARTITIONS: Final[dict[str, Any]] = {**OVERLAPS, "single_label": True}
"""A metric that has a meaning only where no item is in two clusters or classes."""
