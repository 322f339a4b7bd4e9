"""Datasets of scores: a folder with a Parquet file for each system, for scores that do not fit into one table."""
