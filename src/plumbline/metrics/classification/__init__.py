"""Metrics of classifiers: many classes, one or several labels per item."""
