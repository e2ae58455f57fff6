"""What measures the program: games before the referee, a server and a hall under attack (`python -m tests.bench`)."""
