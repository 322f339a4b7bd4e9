"""Gold joined to every system, once: order, ties, duplicates, missing cases and items, labels."""

from plumbline.align.clustered import Clustered, align_clusters
from plumbline.align.filtered import Filtered, align_filters
from plumbline.align.gold import Gold, prepare_gold
from plumbline.align.items import prepare_items
from plumbline.align.labelled import Labelled, align_labels
from plumbline.align.lengths import Lengths
from plumbline.align.lists import Aligned, align
from plumbline.align.memberships import prepare_classes
from plumbline.align.organized import Organized, align_organizations, prepare_organization
from plumbline.align.placed import place_items
from plumbline.align.policy import Policy
from plumbline.align.positives import Positives

Evaluated = Aligned | Filtered | Labelled | Clustered | Organized
"""An alignment of any task: gold, systems, tags, cases, missing, policy, notices."""

__all__ = [
    "Aligned",
    "Clustered",
    "Evaluated",
    "Filtered",
    "Gold",
    "Labelled",
    "Lengths",
    "Organized",
    "Policy",
    "Positives",
    "align",
    "align_clusters",
    "align_filters",
    "align_labels",
    "align_organizations",
    "place_items",
    "prepare_classes",
    "prepare_gold",
    "prepare_items",
    "prepare_organization",
]
