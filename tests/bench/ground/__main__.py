from tests.bench.ground.commands import app

app()
