"""The hall: one hub that collects and shows the games of many table servers, which never wait for it and run without
this package."""
