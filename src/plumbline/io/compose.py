"""The old place of `plumbline.Composed`, which will be removed in the next version."""

import warnings

from plumbline.io.memory.compose import Composed

__all__ = ["Composed"]

warnings.warn("plumbline.io.compose.Composed is now plumbline.Composed", DeprecationWarning, stacklevel=2)
