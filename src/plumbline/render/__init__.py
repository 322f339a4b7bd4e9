"""Results as text: one module for each output format, and one dispatch."""
