"""A served table that plays by itself while everything goes wrong, and what must hold all the same."""
