"""All measures on all lists: each view made once, every metric one expression over it."""
