"""Sets of one kind are random but for what makes the kind."""

from __future__ import annotations

import pytest

from models.render.edition import SUITS
from models.render.random_sets import KINDS, edition_of, luma
from models.render.styles import style

SEEDS = range(12)


@pytest.mark.parametrize("kind", KINDS)
def test_sets_of_a_kind_differ_and_can_be_read(kind: str) -> None:
    sets = [edition_of(kind, seed, "test") for seed in SEEDS]
    assert len({edition.body for edition in sets}) == len(sets)
    for edition in sets:
        apart = [max(abs(a - b) for a, b in zip(edition.inks[suit], edition.body, strict=True)) for suit in SUITS]
        assert min(apart) > 30


def test_a_dark_set_is_dark_and_printed_in_one_light_ink() -> None:
    for seed in SEEDS:
        edition = edition_of("dark", seed, "test")
        assert luma(edition.body) < 130
        assert len(set(edition.inks.values())) == 1
        assert luma(edition.inks["suns"]) > luma(edition.body) + 40


def test_a_white_set_is_white_on_both_sides() -> None:
    for seed in SEEDS:
        edition = edition_of("white", seed, "test")
        assert luma(edition.body) > 200
        assert edition.back_body == edition.body


@pytest.mark.parametrize("kind", ["print", "plywood"])
def test_what_is_sunk_is_inked_less(kind: str) -> None:
    edition = edition_of(kind, 3, "test")
    assert edition.engraved > 0.5
    assert edition.ink_strength < 1


def test_a_kind_is_a_style() -> None:
    assert style("dark", 7).edition.name == "test-7"
    with pytest.raises(ValueError, match="plywood"):
        style("paper")
