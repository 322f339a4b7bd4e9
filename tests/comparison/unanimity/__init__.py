"""Tests of comparison/unanimity."""
