"""Games as text and as records: `reader` (PPN in), `writer` (PPN out), `record`, `replay`."""
