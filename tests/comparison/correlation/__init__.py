"""Tests of comparison/correlation."""
