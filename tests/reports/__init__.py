"""Reports: what the page says, and what a browser makes of it."""
