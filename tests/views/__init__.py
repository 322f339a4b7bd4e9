"""Tests of the tables that metrics read."""
