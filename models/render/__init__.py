"""Draws believable pictures of a piecepack on a table, with exact truth. See README.md in this folder.

The simulated camera is in models.render.simulated; it is not imported here because it knows vision's Frame.
"""

from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from models.render.random_scene import TEST_SCENES, random_scene
from models.render.renderer import Rendered, render
from models.render.scene import Body, Illumination, Scene
from models.render.scene_file import SceneError, render_scene_file
from models.render.styles import NAMES as STYLES

__all__ = [
    "STYLES",
    "TEST_SCENES",
    "Body",
    "Illumination",
    "Rendered",
    "Scene",
    "SceneError",
    "Viewpoint",
    "random_scene",
    "render",
    "render_layout",
    "render_scene_file",
]
