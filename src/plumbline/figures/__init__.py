"""Pictures of scores, comparisons and losses, as Vega-Lite charts."""
