"""Logs of interleaved lists: which forms they have, and one checked table of all sessions and clicks."""
