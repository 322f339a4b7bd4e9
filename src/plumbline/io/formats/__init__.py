"""One reader, and where there is one its writer, for each file format."""
