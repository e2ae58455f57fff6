"""Games leave the table: pictures, films, score sheets, records, and come back."""
