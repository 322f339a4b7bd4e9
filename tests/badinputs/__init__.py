"""Tests of badinputs."""
