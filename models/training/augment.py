"""Image augmentation: cameras, lamps and print that the renderer does not draw."""

import cv2
import numpy as np
from numpy.random import Generator

from vision.detect.shape import Floats
from vision.frame import Picture


def change_light(image: Picture, rng: Generator, strength: float = 1.0) -> Picture:
    """Exposure, white balance, contrast and gamma of another camera."""
    gains = np.exp(rng.normal(0, 0.12 * strength, 3) + rng.normal(0, 0.15 * strength))
    gamma = float(np.exp(rng.normal(0, 0.18 * strength)))
    lift = rng.normal(0, 8 * strength)
    levels = np.arange(256)[:, None] / 255.0
    table = np.clip(255 * levels**gamma * gains + lift, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table[None]), dtype=np.uint8)


def change_colour(image: Picture, rng: Generator) -> Picture:
    """Another saturation; seldom no colour at all."""
    draw = rng.random()
    if draw < 0.06:
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    saturation = float(np.exp(rng.normal(0, 0.3)))
    mix = saturation * np.eye(3) + (1 - saturation) * np.tile(np.array([0.114, 0.587, 0.299]), (3, 1))
    return np.asarray(cv2.transform(image, mix), dtype=np.uint8)


def one_ink(image: Picture, rng: Generator) -> Picture:
    """One ink on one ground: brightness between two colours."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None] / 255.0
    ink, ground = rng.uniform(0, 0.35) * rng.uniform(0.5, 1, 3), rng.uniform(0.65, 1.0) * rng.uniform(0.8, 1, 3)
    return np.asarray(255 * np.clip(ink + (ground - ink) * grey, 0, 1), dtype=np.uint8)


def rotate_hue(image: Picture, degrees: float) -> Picture:
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(degrees / 2)) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), dtype=np.uint8)


def add_sensor_noise(image: Picture, rng: Generator) -> Picture:
    """Blur or sharpening, sensor noise (grey or coloured) and compression."""
    if rng.random() < 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.3))), dtype=np.uint8)
    elif rng.random() < 0.2:
        image = sharpened(image, float(rng.uniform(0.3, 1.2)))
    if rng.random() < 0.4:
        channels = 3 if rng.random() < 0.4 else 1
        noise = rng.normal(0, rng.uniform(2, 9), (*image.shape[:2], channels))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        return compressed(image, rng)
    return image


def compressed(image: Picture, rng: Generator) -> Picture:
    """The image after JPEG compression of random quality."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 80))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8) if ok else image


def sharpened(image: Picture, strength: float) -> Picture:
    """The image with unsharp masking, as most cameras apply it."""
    soft = cv2.GaussianBlur(image, (0, 0), 1.0)
    return np.asarray(cv2.addWeighted(image, 1 + strength, soft, -strength, 0), dtype=np.uint8)


def farther(image: Picture, rng: Generator) -> Picture:
    """The image as from a camera farther away: fewer pixels, enlarged."""
    height, width = image.shape[:2]
    share = rng.uniform(0.25, 1.0)
    small = cv2.resize(image, (round(share * width), round(share * height)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def add_shadow(image: Picture, rng: Generator) -> Picture:
    """A soft shadow or highlight across the image."""
    height, width = image.shape[:2]
    angle, edge = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.8)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle) + 0.5
    soft = rng.uniform(0.01, 0.3)
    mask = 1 / (1 + np.exp(-(along - edge) / soft))
    factor = 1 + mask * rng.uniform(-0.5, 0.4)
    return np.asarray(np.clip(image * factor[..., None], 0, 255), dtype=np.uint8)


def halved(image: Picture) -> Picture:
    """The image at half its size."""
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def warped(image: Picture, matrix: Floats, size: int, border: int) -> Picture:
    """A square of the image by a 2x3 matrix; by way of half its size where it shrinks much, against aliasing."""
    if np.sqrt(abs(np.linalg.det(matrix[:, :2]))) < 0.6:
        image, matrix = halved(image), matrix @ np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
    out = cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(out, dtype=np.uint8)


def printed(image: Picture, rng: Generator) -> Picture:
    """The print of another maker: strokes thicker or thinner, distorted, inverted, or carved into the piece."""
    draw = rng.random()
    if draw < 0.1:
        side = int(rng.integers(2, 4))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        return np.asarray((cv2.erode if rng.random() < 0.5 else cv2.dilate)(image, kernel), dtype=np.uint8)
    if draw < 0.22:
        return distorted(image, rng)
    if draw < 0.27:
        return np.asarray(255 - image, dtype=np.uint8)
    if draw < 0.33:
        return carved(image, rng)
    return image


def distorted(image: Picture, rng: Generator) -> Picture:
    """Smoothly displaced by a random field."""
    height, width = image.shape[:2]
    coarse = rng.normal(0, 1.0, (2, 6, 6)).astype(np.float32) * rng.uniform(0.01, 0.025) * width
    shift = [cv2.resize(each, (width, height), interpolation=cv2.INTER_CUBIC) for each in coarse]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return np.asarray(cv2.remap(image, x + shift[0], y + shift[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def carved(image: Picture, rng: Generator) -> Picture:
    """Marks with little ink and shaded edges, as if carved."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.8).astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    slope = np.cos(angle) * cv2.Sobel(grey, cv2.CV_32F, 1, 0) + np.sin(angle) * cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    ink = rng.uniform(0.0, 0.5)
    ground = np.median(image.reshape(-1, 3), axis=0)
    mixed = ink * image + (1 - ink) * ground + rng.uniform(0.1, 0.3) * slope[..., None]
    return np.asarray(np.clip(mixed, 0, 255), dtype=np.uint8)


def augment_scene(image: Picture, rng: Generator) -> Picture:
    """For finder and outliner, which need no true colours: all changes."""
    image = change_light(change_colour(image, rng), rng, 1.4)
    if rng.random() < 0.25:
        image = rotate_hue(image, float(rng.uniform(0, 360)))
    if rng.random() < 0.04:
        image = np.asarray(255 - image, dtype=np.uint8)
    if rng.random() < 0.2:
        image = add_shadow(image, rng)
    return add_sensor_noise(image, rng)


def augment_own_set(image: Picture, rng: Generator, _: bool) -> Picture:
    """For a reader fine-tuned on one set: other lamps and cameras, but the same print and colours."""
    image = change_light(image, rng, 0.6)
    if rng.random() < 0.15:
        image = add_shadow(image, rng)
    return add_sensor_noise(image, rng)


def augment_piece(image: Picture, rng: Generator, has_shape: bool) -> Picture:
    """For the reader: where a suit has a shape (`has_shape`), the shape must suffice and colour is only a hint."""
    if has_shape:
        image = printed(image, rng)
    image = change_light(image, rng, 1.0 if has_shape else 0.6)
    draw = rng.random()
    if has_shape and draw < 0.12:
        image = rotate_hue(image, float(rng.uniform(0, 360)))
    elif has_shape and draw < 0.3:
        image = one_ink(image, rng)
    elif has_shape and draw < 0.6:
        image = change_colour(image, rng)
    if rng.random() < 0.15:
        image = add_shadow(image, rng)
    return add_sensor_noise(image, rng)
