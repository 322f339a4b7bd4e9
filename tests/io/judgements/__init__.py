"""Judgements of several assessors."""
