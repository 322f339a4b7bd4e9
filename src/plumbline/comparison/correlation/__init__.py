"""How much rankings agree."""
