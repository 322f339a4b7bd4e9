"""What another policy would have earned, from a log of what was done and how probably."""
