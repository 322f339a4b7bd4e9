"""Where gold comes from."""
