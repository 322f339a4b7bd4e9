"""Gold joined to every system, once: order, ties, duplicates, missing cases and items, labels.

Nothing is imported here: each task has its own files, and loads only those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plumbline.align.clustered import Clustered
    from plumbline.align.filtered import Filtered
    from plumbline.align.labelled import Labelled
    from plumbline.align.lists import Aligned
    from plumbline.align.organized import Organized

    Evaluated = Aligned | Filtered | Labelled | Clustered | Organized
    """An alignment of any task: task, gold, systems, tags, cases, missing, policy, notices."""
