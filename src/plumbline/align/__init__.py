"""Gold joined to every system, once: order, ties, duplicates, missing cases and items, labels.

Nothing is imported here: each task has its own files, and loads only those.
"""
