"""Metrics of clusterings: partitions, and overlapping clusters wherever the literature defines it."""
