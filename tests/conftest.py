"""Tests in folders find the helpers of this one; no test depends on how fast the machine is, or on chance.

`pytest --hypothesis-profile explore` draws new examples at every run.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("explore", deadline=None)
settings.register_profile("same everywhere", deadline=None, derandomize=True)
settings.load_profile("same everywhere")
