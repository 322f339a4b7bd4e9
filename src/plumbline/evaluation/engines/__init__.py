"""Evaluations in parts: one function that scores a part, one that puts parts together, and engines that run them."""
