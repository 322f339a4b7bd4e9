"""What is known about the items themselves: features, distances, lengths."""
