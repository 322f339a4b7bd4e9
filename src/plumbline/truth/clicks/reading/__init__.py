"""From files and frames to shown places with their clicks."""
