"""The commands of `python -m tests.bench`, one file each."""
