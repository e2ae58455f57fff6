"""Export and import of games: pictures, films, score sheets, records."""
