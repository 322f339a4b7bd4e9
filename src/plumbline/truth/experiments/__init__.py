"""Experiments with real users: A/B tests, from the assignment of units to a verdict."""
