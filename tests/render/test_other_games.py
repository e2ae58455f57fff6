"""Other games lie on the table as their players lay them, and no piece of ours among them."""

import numpy as np
import pytest

from models.render import other_games, random_scene, things
from models.render.other_games import random_games
from models.render.renderer import render
from models.render.world import body_mesh


@pytest.mark.parametrize("seed", range(40))
def test_every_game_has_things_with_a_shape_and_sides(seed: int) -> None:
    bodies = random_games(np.random.default_rng(seed))
    assert len(bodies) >= 2
    for body in {body.shape: body for body in bodies}.values():
        assert len(things.shape(body)) > 0
        sides, surface = things.paint(body, 20.0, np.random.default_rng(body.seed))
        assert sides
        assert surface.clear == 0.0


def test_all_games_come_up() -> None:
    kinds = {body.shape.partition(":")[0] for seed in range(60) for body in random_games(np.random.default_rng(seed))}
    assert kinds >= {"chequers", "man", "turned", "lines", "stone", "letter", "land", "token", "suited", "bricks"}


def test_men_stand_on_their_board() -> None:
    rng = np.random.default_rng(1)
    board, *men = other_games._draughts(rng)
    half = float(np.abs(body_mesh(board, random_scene(1).edition).points[..., 0]).max())
    for man in men:
        assert (man.z > 0) == (max(abs(man.x), abs(man.y)) < half)


def test_the_scene_is_drawn_and_its_truth_names_no_piece() -> None:
    scene = random_scene(7700004, of="rivals")
    assert scene.kind == "rivals"
    drawn = render(scene, crop=(200, 100, 300, 200))
    assert drawn.image.shape == (200, 300, 3)
    assert drawn.image.std() > 5
    assert drawn.truth["pieces"] == []
