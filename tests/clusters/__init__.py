"""Tests of engines that need a cluster: `make test-engines` runs them on clusters of this machine."""
