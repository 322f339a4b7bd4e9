"""One file for each kind of section: what it says about a subject, and when it has nothing to say."""
