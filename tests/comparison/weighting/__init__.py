"""Tests of comparison/weighting."""
