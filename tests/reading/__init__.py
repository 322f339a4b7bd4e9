"""Readers, alignment and what is made of scores."""
