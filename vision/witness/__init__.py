"""What a picture itself says of a still moment: what changed since a believed one, and how this set's pieces look."""
