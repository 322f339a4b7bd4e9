"""Where one score comes from: the terms, counts and probabilities behind it."""

from plumbline.tools.why.result import Why
from plumbline.tools.why.why import why

__all__ = ["Why", "why"]
