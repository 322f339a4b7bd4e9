"""Tests of interleaving."""
