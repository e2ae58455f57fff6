"""Draws believable pictures of a piecepack on a table, with exact truth. See README.md in this folder.

The simulated camera is in models.render.simulated; it is not imported here because it knows vision's Frame.
"""

from models.render.camera import PinholeCamera, Viewpoint
from models.render.layout_scene import layout_scene, render_layout
from models.render.random_scene import TEST_SCENES, random_scene
from models.render.renderer import Rendered, render
from models.render.scene import Body, Film, Illumination, Lamp, Scene, Table
from models.render.scene_file import SceneError, render_scene_file, scene_from_json
from models.render.styles import NAMES as STYLES

__all__ = [
    "STYLES",
    "TEST_SCENES",
    "Body",
    "Film",
    "Illumination",
    "Lamp",
    "PinholeCamera",
    "Rendered",
    "Scene",
    "SceneError",
    "Table",
    "Viewpoint",
    "layout_scene",
    "random_scene",
    "render",
    "render_layout",
    "render_scene_file",
    "scene_from_json",
]
