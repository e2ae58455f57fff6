"""Evidence of the picture about a still moment: changes since a reference frame, and the appearance of this set's
pieces."""
