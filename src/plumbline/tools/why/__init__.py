"""Why a score is what it is, for one system and case: the terms, counts and probabilities behind it."""

from plumbline.tools.why.result import Why
from plumbline.tools.why.why import why

__all__ = ["Why", "why"]
