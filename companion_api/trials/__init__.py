"""Comparison of tables, for simulated ones and for checkers outside this repository that judge the referee."""
