"""Tests of io/bytes."""
