"""Camera, table reader and referee together: at a served table, in `companion watch`, and for a dispute."""
