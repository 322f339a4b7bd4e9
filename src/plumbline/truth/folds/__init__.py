"""Folds: which items a learner is tested on and which it may see, and whether anything leaks."""
