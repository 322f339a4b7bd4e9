"""Tests of the extraction metrics by hand: one file per family."""
