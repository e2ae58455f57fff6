"""The table as the rules believe it (Layout) and as the camera saw it (ObservedTable)."""

from rules.table.layout import Layout, Place, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

__all__ = ["Layout", "ObservedTable", "Place", "Placed", "Sighting", "Zone"]
