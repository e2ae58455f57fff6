"""Setting up a table from the page: the profile at work, the wizard's steps, the lesson, the hands marked out."""
