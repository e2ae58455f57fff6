"""Sees a table: cameras, stillness, pieces found, read and told apart. Knows no game."""

import os

# A second lock behind the first (vision/headers.py): OpenCV itself refuses larger pictures, whatever their format. It
# reads this when it is first imported; the front door (companion_api) therefore begins with this room.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(60_000_000))
# Nothing leaves the room: the nets' runtime sends its makers figures about models and machine, unless it is told before
# it is loaded that it must not.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
