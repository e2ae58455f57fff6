"""Lays a game over what the camera saw, finds out what was done, and rules."""
