"""From gold and systems to scores: the request, the call, the table of scores."""
