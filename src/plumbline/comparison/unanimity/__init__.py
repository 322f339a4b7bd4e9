"""The Unanimous Improvement Ratio, its parametric form and its interval."""
