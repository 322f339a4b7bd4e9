"""Gold joined to every system, once: order, ties, duplicates, missing cases, unjudged items."""

from plumbline.align.gold import Gold, prepare_gold
from plumbline.align.lists import Aligned, align
from plumbline.align.policy import Policy

__all__ = ["Aligned", "Gold", "Policy", "align", "prepare_gold"]
