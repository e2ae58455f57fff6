"""Piecepack games: pieces, tables, rules, notation and referee. Needs nothing but Python."""
