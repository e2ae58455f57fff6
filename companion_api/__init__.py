"""What people touch: the command line, the table server and the page."""
