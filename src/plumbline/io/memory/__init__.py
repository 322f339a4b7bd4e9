"""Gold and outputs that are Python objects: dicts, frames, arrays."""
