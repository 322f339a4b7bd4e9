"""Tests of the clustering metrics by hand: one file per family."""
