"""Tests of io/scores."""
