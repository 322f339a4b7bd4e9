"""Evaluation of the metrics themselves."""
