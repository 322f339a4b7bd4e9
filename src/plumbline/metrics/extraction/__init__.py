"""Metrics of extractors: spans of documents, each with a type."""
