"""Simulated tables: random games as pictures, staged incidents, readers and dice with errors."""
