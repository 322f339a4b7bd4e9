"""Why a score is what it is, for one system and case: the terms, counts and probabilities behind it."""

from plumbline.why.explain import why
from plumbline.why.result import Why

__all__ = ["Why", "why"]
