"""What people touch: the command line, the table server and the page."""

import vision  # noqa: F401  (first of all: it bounds what OpenCV decodes)
