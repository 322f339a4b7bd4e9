"""Tests in folders find the helpers of this one."""
