"""What takes longer than scoring two small files, and is made when it is first used: polars, and patterns.

polars is imported when a table is first made, which small files need not; a pattern is compiled when it is first asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, Generic, cast

__all__ = ["pattern", "pl"]

if TYPE_CHECKING:
    import polars as pl
else:

    class _Polars:
        """Stands for the module; what was looked up is kept."""

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
            import polars as module  # noqa: PLC0415, ICN001 - this is the point

            value = getattr(module, name)
            setattr(self, name, value)
            return value

    pl = _Polars()


class _Pattern(Generic[AnyStr]):
    """Stands for a pattern; what was looked up is kept."""

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._given: tuple[AnyStr, int] = (text, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a pattern has
        value = getattr(re.compile(*self._given), name)
        setattr(self, name, value)
        return value


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but the pattern is compiled when it is first asked for something."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))
