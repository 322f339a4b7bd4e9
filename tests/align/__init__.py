"""Tests of align."""
