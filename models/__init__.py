"""Nothing leaves the room: the nets' runtime sends its makers figures about models and machine, unless it is told that
it must not, before it is loaded. This package is always loaded first."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
