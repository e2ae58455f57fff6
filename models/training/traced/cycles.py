"""Path tracing by Blender, which no other module imports.

`bpy` has no types, so its objects are `Any` here and nowhere else."""

import contextlib
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.render.materials import Grey, Picture
from models.render.raster import Floats
from models.training.traced.shot import MIN_TRANSPARENT, DiskLamp, Material, Pinhole, Soup, TracedShot

SENSOR = 36.0
MASK_POSITION = 0.5
"""Position of a lamp's mask, as a share of the way from the lamp to the table."""


@dataclass(frozen=True, slots=True)
class RenderEffort:
    """Quality of a picture: rays a pixel, bounces of light, processor threads, denoising."""

    samples: int = 6
    bounces: int = 3
    threads: int = 1
    denoised: bool = True


def blender() -> Any:
    """The package `bpy`. Made for an older NumPy, its sound module fails with a warning; pictures need none."""
    with silenced(1), silenced(2):
        return importlib.import_module("bpy")


@contextlib.contextmanager
def silenced(stream: int) -> Iterator[None]:
    """Discard what the package's own libraries write to an output stream: a line for every step of a picture."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept, null = os.dup(stream), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream)
        yield
    finally:
        os.dup2(kept, stream)
        os.close(kept)
        os.close(null)


def trace(shot: TracedShot, effort: RenderEffort) -> Floats:
    """The light of a shot, linear BGR."""
    bpy = blender()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _set_up(bpy, effort)
    images = {name: _image(bpy, name, _rgb(sheet), "sRGB") for name, sheet in shot.sheets.items()}
    slopes = {name: _image(bpy, f"{name} slopes", _rgb(sheet)) for name, sheet in shot.slopes.items()}
    materials = [_material(bpy, matter, images, slopes) for matter in shot.materials]
    for soup in shot.soups:
        _add_soup(bpy, soup, materials)
    for disk in shot.lamps:
        _add_lamp(bpy, disk)
    _add_environment(bpy, shot.environment)
    _add_camera(bpy, shot.camera)
    return _rendered(bpy, shot.camera)


def _set_up(bpy: Any, effort: RenderEffort) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", effort.threads
    scene.render.film_transparent = False
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = effort.samples
    # few rays and few lamps: choosing costs a quarter more
    cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = effort.bounces, effort.bounces - 1, 2
    cycles.transmission_bounces, cycles.transparent_max_bounces = 2, 12
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 4.0, 0.0
    cycles.blur_glossy, cycles.filter_width = 0.5, 1.1
    cycles.use_denoising = effort.denoised
    if effort.denoised:
        cycles.denoiser, cycles.denoising_quality = "OPENIMAGEDENOISE", "BALANCED"
        cycles.denoising_prefilter = "FAST"


def _rgb(sheet: Picture) -> NDArray[np.float32]:
    return np.asarray(sheet[:, :, ::-1] / np.float32(255), np.float32)


def _image(bpy: Any, name: str, rgb: NDArray[np.float32], space: str = "Non-Color", is_light: bool = False) -> Any:
    """An image of rows from top to bottom; one of light is not limited to 1."""
    height, width = rgb.shape[:2]
    image = bpy.data.images.new(name, width, height, alpha=False, float_buffer=is_light)
    image.colorspace_settings.name = space
    rows = np.ones((height, width, 4), np.float32)
    rows[:, :, :3] = rgb[::-1]
    image.pixels.foreach_set(rows.ravel())
    image.pack()
    return image


def _material(bpy: Any, matter: Material, images: dict[str, Any], slopes: dict[str, Any]) -> Any:
    material = bpy.data.materials.new(matter.sheet)
    material.use_nodes = True
    tree = material.node_tree
    shader = tree.nodes["Principled BSDF"]
    for name, value in {
        "Roughness": matter.roughness,
        "Specular IOR Level": matter.shine,
        "Coat Weight": matter.coat,
        "Coat Roughness": matter.coat_roughness,
        "Metallic": matter.metal,
    }.items():
        shader.inputs[name].default_value = value
    colour = _texture(tree, images[matter.sheet], matter.mirrored).outputs["Color"]
    tree.links.new(colour, shader.inputs["Base Color"])
    if matter.slopes:
        bent = tree.nodes.new("ShaderNodeNormalMap")
        tree.links.new(_texture(tree, slopes[matter.slopes], False).outputs["Color"], bent.inputs["Color"])
        tree.links.new(bent.outputs["Normal"], shader.inputs["Normal"])
    if matter.clear > MIN_TRANSPARENT:
        _add_transmission(tree, shader, colour, matter.clear)
    return material


def _texture(tree: Any, image: Any, mirrored: bool) -> Any:
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    node.extension = "MIRROR" if mirrored else "EXTEND"
    return node


def _add_transmission(tree: Any, shader: Any, colour: Any, share: float) -> None:
    """Thin coloured plastic: a share of the light is transmitted straight, tinted a little at every wall."""
    transmitted, tint = tree.nodes.new("ShaderNodeBsdfTransparent"), tree.nodes.new("ShaderNodeMixRGB")
    tint.inputs["Fac"].default_value = 0.5
    tint.inputs["Color1"].default_value = (1.0, 1.0, 1.0, 1.0)
    mix = tree.nodes.new("ShaderNodeMixShader")
    mix.inputs["Fac"].default_value = share
    tree.links.new(colour, tint.inputs["Color2"])
    tree.links.new(tint.outputs["Color"], transmitted.inputs["Color"])
    tree.links.new(shader.outputs["BSDF"], mix.inputs[1])
    tree.links.new(transmitted.outputs["BSDF"], mix.inputs[2])
    tree.links.new(mix.outputs["Shader"], tree.nodes["Material Output"].inputs["Surface"])


def _add_soup(bpy: Any, soup: Soup, materials: list[Any]) -> None:
    count = len(soup.points)
    made = bpy.data.meshes.new("soup")
    made.vertices.add(3 * count)
    made.loops.add(3 * count)
    made.polygons.add(count)
    made.vertices.foreach_set("co", np.ascontiguousarray(soup.points, np.float32).ravel())
    made.loops.foreach_set("vertex_index", np.arange(3 * count, dtype=np.int32))
    made.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    made.polygons.foreach_set("material_index", soup.material.astype(np.int32))
    places = made.uv_layers.new(name="places")
    places.uv.foreach_set("vector", np.ascontiguousarray(soup.uv, np.float32).ravel())
    for matter in materials:
        made.materials.append(matter)
    made.update()
    made.normals_split_custom_set(np.asarray(soup.normals, np.float32).reshape(-1, 3))
    bpy.context.collection.objects.link(bpy.data.objects.new("soup", made))


def _add_lamp(bpy: Any, disk: DiskLamp) -> None:
    lamp = bpy.data.lights.new("bulb", "AREA")
    lamp.shape, lamp.size = "DISK", disk.diameter
    lamp.energy, lamp.color = disk.watts, disk.colour
    thing = _aimed_object(bpy, lamp, disk.place, np.zeros(3))
    thing.visible_camera = False
    if disk.mask is not None:
        _add_mask(bpy, disk, disk.mask)


def _aimed_object(bpy: Any, data: Any, place: Floats, aim: Floats) -> Any:
    """An object whose -z axis points at `aim`."""
    back = (place - aim) / np.linalg.norm(place - aim)
    helper = np.array([0.0, 1, 0]) if abs(back[1]) < 0.9 else np.array([1.0, 0, 0])
    right = np.cross(helper, back)
    right /= np.linalg.norm(right)
    return _object(bpy, data, np.stack([right, np.cross(back, right), back], 1), place)


def _object(bpy: Any, data: Any, axes: Floats, place: Floats) -> Any:
    """An object whose axes are the columns of `axes`."""
    thing = bpy.data.objects.new(data.name, data)
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = axes, place
    thing.matrix_world = whole.T.tolist()  # Blender takes columns
    bpy.context.collection.objects.link(thing)
    return thing


def _add_mask(bpy: Any, disk: DiskLamp, mask: Grey) -> None:
    """A patterned sheet between lamp and table, visible to shadow rays only."""
    made = bpy.data.meshes.new("mask")
    half, picture = 60.0 * MASK_POSITION, disk.reach * MASK_POSITION
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    made.from_pydata(corners.tolist(), [], [[0, 1, 2, 3]])
    places = made.uv_layers.new(name="places")
    places.uv.foreach_set("vector", (corners[:, :2] / picture + 0.5).astype(np.float32).ravel())
    material = bpy.data.materials.new("mask")
    material.use_nodes = True
    tree = material.node_tree
    transmitted = tree.nodes.new("ShaderNodeBsdfTransparent")
    image = _image(bpy, "mask", np.repeat(np.asarray(mask, np.float32)[:, :, None], 3, 2), is_light=True)
    tree.links.new(_texture(tree, image, False).outputs["Color"], transmitted.inputs["Color"])
    tree.links.new(transmitted.outputs["BSDF"], tree.nodes["Material Output"].inputs["Surface"])
    made.materials.append(material)
    thing = _aimed_object(bpy, made, np.asarray(disk.place) * (1 - MASK_POSITION), np.zeros(3))
    thing.visible_camera = thing.visible_diffuse = thing.visible_glossy = thing.visible_transmission = False


def _add_environment(bpy: Any, panorama: NDArray[np.float32]) -> None:
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    bpy.context.scene.world = world
    tree = world.node_tree
    picture = tree.nodes.new("ShaderNodeTexEnvironment")
    picture.image = _image(bpy, "room", panorama, is_light=True)
    tree.links.new(picture.outputs["Color"], tree.nodes["Background"].inputs["Color"])
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128


def _add_camera(bpy: Any, pinhole: Pinhole) -> None:
    camera = bpy.data.cameras.new("eye")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", SENSOR
    camera.lens = SENSOR * pinhole.focal / pinhole.width
    camera.shift_x = (pinhole.width / 2 - pinhole.centre[0]) / pinhole.width
    camera.shift_y = (pinhole.centre[1] - pinhole.height / 2) / pinhole.width
    camera.clip_start, camera.clip_end = 0.3, 1000.0
    if pinhole.aperture:
        camera.dof.use_dof, camera.dof.focus_distance = True, pinhole.focused
        camera.dof.aperture_fstop = camera.lens * 1e-3 / pinhole.aperture
    right, down, ahead = pinhole.axes
    scene = bpy.context.scene
    scene.camera = _object(bpy, camera, np.stack([right, -down, -ahead], 1), pinhole.place)
    scene.render.resolution_x, scene.render.resolution_y = pinhole.width, pinhole.height
    scene.render.resolution_percentage = 100
    scene.render.pixel_aspect_x = scene.render.pixel_aspect_y = 1.0


def _rendered(bpy: Any, pinhole: Pinhole) -> Floats:
    """The rendered picture, by way of a file: without a window it cannot be read otherwise."""
    scene = bpy.context.scene
    with tempfile.TemporaryDirectory() as folder:
        target = str(Path(folder) / "light.exr")
        settings = scene.render.image_settings
        settings.file_format, settings.color_depth, settings.exr_codec = "OPEN_EXR", "32", "NONE"
        scene.render.filepath = target
        with silenced(1):
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(target)
        rows = np.empty(pinhole.width * pinhole.height * 4, np.float32)
        image.pixels.foreach_get(rows)
    light = rows.reshape(pinhole.height, pinhole.width, 4)[::-1, :, 2::-1]
    return np.ascontiguousarray(np.where(np.isfinite(light), light, 0))
