"""Tests of what is said about metrics."""
