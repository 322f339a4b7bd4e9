"""Tests of the organization metrics by hand: one file per family."""
