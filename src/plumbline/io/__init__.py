"""Readers and writers: from files, frames and dicts to one kind of table."""
