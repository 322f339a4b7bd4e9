"""Bytes and lines: compression, encodings, blocks, and files that appear whole."""
