"""Ranking metrics."""
