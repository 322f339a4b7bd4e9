"""Metrics of filters: one class of interest."""
