"""Camera, eyes and referee together: at a table that is served, in `companion watch`, and once more for a dispute."""
