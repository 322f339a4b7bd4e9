"""Methods of interleaving, a module for each: how lists are drawn, and what clicks on them say."""
