"""Simulated tables: random games as pictures, what goes wrong at them on request, eyes and dice that err."""
