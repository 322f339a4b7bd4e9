"""Tests of folds."""
