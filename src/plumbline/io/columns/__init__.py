"""From a frame with any usual column names to a `Table`."""
