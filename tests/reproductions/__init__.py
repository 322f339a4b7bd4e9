"""Tests of reproductions."""
