"""A small made collection to try everything on."""
