"""Tests of click models."""
