"""Which system is better for which weighting of the metrics."""
