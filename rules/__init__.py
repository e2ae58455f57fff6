"""Everything that is true about piecepack games. Needs nothing but Python."""
