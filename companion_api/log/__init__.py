"""The append-only log of a table: the truth from which everything else is folded."""
