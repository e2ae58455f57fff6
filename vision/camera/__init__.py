"""Where frames come from: one contract for webcams, files, folders, network streams, phones and the simulated table."""

from vision.camera.contract import Camera, CameraError
from vision.camera.opening import open_camera

__all__ = ["Camera", "CameraError", "open_camera"]
