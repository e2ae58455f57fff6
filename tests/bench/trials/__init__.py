"""The referee on trial: random games and illegal acts shown to it, and how it judged them.

`legal` plays games before the referee, `quick` two turns in one reach, `vocabulary` breaks the rules in a game's own
words, `illegal` asks what the referee said to that, `score` counts it all; `stills` are tables for pictures.
"""
