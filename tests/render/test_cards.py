"""Cards of other hands: each deck one look, each card its own face, all with the backs of their deck."""

import numpy as np

from models.render import cards
from models.render.random_sets import random_edition


def test_a_deck_is_the_same_whenever_it_is_drawn() -> None:
    assert np.array_equal(cards.random_face(7, "AM", 100, 140), cards.random_face(7, "AM", 100, 140))
    assert np.array_equal(cards.random_back(7, 100, 140), cards.random_back(7, 100, 140))


def test_cards_differ_and_so_do_decks() -> None:
    faces = [cards.random_face(deck, mark, 100, 140) for deck in (7, 8) for mark in ("AM", "2MK")]
    backs = [cards.random_back(deck, 100, 140) for deck in (7, 8)]
    every = faces + backs
    for index, one in enumerate(every):
        assert one.std() > 5
        assert not any(np.array_equal(one, other) for other in every[index + 1 :])


def test_only_training_sets_have_decks_of_another_hand() -> None:
    assert any(random_edition(seed).deck for seed in range(4))
    assert not any(random_edition(seed, "test").deck for seed in range(4))
    plain = cards.face("AM", 40.0, np.random.default_rng(1)).colours
    other = cards.face("AM", 40.0, np.random.default_rng(1), deck=7).colours
    assert plain.shape == other.shape
    assert not np.array_equal(plain, other)
