"""Bytes and lines: compression, encodings, blocks, and files that are written completely or not at all."""
