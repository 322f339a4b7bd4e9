"""Tests of the ranking metrics by hand: one file per family."""
