"""Recorded moments: what was seen of whole games, kept with the truth, and judged again in minutes without eyes."""
