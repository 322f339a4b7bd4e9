"""Tests of comparison/generalise."""
