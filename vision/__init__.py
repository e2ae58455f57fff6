"""Table vision: cameras, stillness, and the detection, reading and identification of pieces. Independent of any
game."""

import os

# Second limit behind vision/headers.py: OpenCV itself refuses larger pictures of any format. OpenCV reads the variable
# at its first import, so companion_api imports this package first.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(60_000_000))
# Opt out of ONNX Runtime's telemetry; the variable must be set before the library is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
