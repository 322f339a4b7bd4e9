"""Metrics of any organization of documents: priority levels and clusters."""
