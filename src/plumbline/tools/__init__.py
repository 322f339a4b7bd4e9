"""Tools around scoring and comparing: check, convert, explain, sweep, choose, and where a score comes from."""
