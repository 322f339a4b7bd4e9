"""Studies of metrics on scores."""
