"""Spans of documents: tags of tokens become spans, and spans become tables."""
