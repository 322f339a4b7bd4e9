"""Tests of the metrics, laid out as the source is."""
