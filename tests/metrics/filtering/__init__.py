"""Tests of the filtering metrics by hand: one file per family."""
