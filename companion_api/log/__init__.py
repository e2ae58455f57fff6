"""The append-only log of a table, from which all state is folded."""
