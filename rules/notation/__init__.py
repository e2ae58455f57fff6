"""Floor 4a: games as text and as records. The doors: reader (PPN in), writer (PPN out), record, replay."""
