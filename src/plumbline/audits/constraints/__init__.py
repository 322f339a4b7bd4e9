"""Constraints that a metric should keep: each is a table of worlds, from small to large."""
