"""Pictures with truth, and the making of the nets."""

import vision  # noqa: F401  (first of all, since it tells OpenCV and the nets' runtime what they must not do)
