"""Judgements of several assessors: which columns and files hold them, and one checked table of all."""
