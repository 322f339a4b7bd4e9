"""Rankings interleaved into one list, and what clicks on it say about which one users prefer."""
