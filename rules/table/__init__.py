"""The expected table (Layout) and the observed one (ObservedTable)."""

from rules.table.layout import Layout, Place, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

__all__ = ["Layout", "ObservedTable", "Place", "Placed", "Sighting", "Zone"]
