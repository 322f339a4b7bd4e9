"""The names of click models for option lists, without importing the models."""

from __future__ import annotations

from typing import Final

ALL: Final = "all"
NAMES: Final = ("ctr", "rank-ctr", "item-ctr", "cascade", "dcm", "sdbn", "pbm", "ubm", "ccm", "dbn")
"""In the order in which tables name them."""
