"""Whether two tables show the same: for simulated tables, and for whoever tries the referee from outside."""
