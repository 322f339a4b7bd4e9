"""Whether a leaderboard survives another judge, and what few human cases tell beside many others."""
