"""Click models: what users looked at, what attracted and what satisfied them, fitted to a log of shown lists and clicks."""
