"""Significance tests, corrections for many pairs, and effect sizes."""
