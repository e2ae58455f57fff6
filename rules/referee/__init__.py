"""The referee: compares a table with the game's layout and tells what was done."""
