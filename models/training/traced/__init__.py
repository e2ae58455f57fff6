"""Path-traced pictures of scenes of `models.render`: the same table, pieces, camera and truth in other light.

Needs the extra `traced` (Blender's Cycles as a Python package). A tool of training that the program never imports.
"""
