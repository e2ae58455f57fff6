"""The hall: many tables, one wall, one umpire. A table never waits for it; the table server runs without this room."""
