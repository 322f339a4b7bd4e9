"""Tests of items as units."""
