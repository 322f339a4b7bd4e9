"""Tests of comparison/significance."""
