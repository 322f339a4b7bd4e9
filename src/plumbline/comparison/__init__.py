"""Comparing systems: unanimity, weightings, significance, and a leaderboard that admits ties."""
