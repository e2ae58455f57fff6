"""The hall under load and under attack, everything real and on this machine (`python -m tests.bench hall`)."""
