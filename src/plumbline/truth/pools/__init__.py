"""Pools: what to judge, and how far a gold that was pooled can be trusted."""
