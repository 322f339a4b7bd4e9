"""A module for each click model or family, walked by the registry."""
