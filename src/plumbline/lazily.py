"""polars, imported when a table is first made: that takes longer than scoring two small files, which needs no table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["pl"]

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
