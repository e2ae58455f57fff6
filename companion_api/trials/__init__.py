"""The referee on trial: random games and illegal acts shown to it, and how it judged them.

`synthetic` makes sightings without a camera, `legal` plays games before the referee, `vocabulary` and `staging` break
the rules, `illegal` asks what the referee said to that, `score` counts it all.
"""
