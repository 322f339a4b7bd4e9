"""A module or package for each format, which declares its readers and writers; heavy code is imported when a file needs it."""
