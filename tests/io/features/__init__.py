"""Tests of io/features."""
