"""Nothing leaves the room: the nets' runtime sends its makers figures about models and machine, unless it is told before it
is loaded that it must not. This package is always loaded first."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
