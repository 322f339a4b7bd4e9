"""Tests of the classification metrics by hand: one file per family."""
