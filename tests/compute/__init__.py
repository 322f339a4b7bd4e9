"""Tests of compute."""
