"""Tests of logged policies."""
