"""Whether two tables show the same: for simulated tables, and for tools that judge the referee from outside."""
