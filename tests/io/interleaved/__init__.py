"""Tests of logs of interleaved lists."""
