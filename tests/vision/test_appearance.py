"""The table teaches the eyes: what a believed table shows is known again, and a wrong belief is forgotten."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rules.engine.action import Action
from rules.pieces import Face, Kind, Rank, Suit
from rules.referee.change_evidence import Keyframe, new_keyframe
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout
from rules.table.observed import Identity, ObservedTable, Sighting
from tests.vision.test_witness import BEFORE, BOARD, MOVED, coins, shot, sighted
from vision.frame import Frame
from vision.witness.appearance import Appearances, PieceAppearance, Row
from vision.witness.tuning import WITNESS
from vision.witness.witness import FrameEvidence, ReferenceFrame, is_center_covered

SIDE = (Kind.COIN, Face.FRONT)
THREE, FOUR = (None, Rank.THREE), (None, Rank.FOUR)


def row(number: int, like: Row | None = None) -> Row:
    """A look of its own, or one nearly like another."""
    found = np.random.default_rng(number).normal(0, 1, 128)
    if like is not None:
        found = like + 0.01 * found
    return np.asarray(found / np.linalg.norm(found), np.float32)


def test_a_tile_on_which_something_stands_is_told_by_no_look() -> None:
    outline = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
    under = Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, center_px=(20.0, 20.0), outline_px=outline)
    pawn = Sighting(Kind.PAWN, 0.0, 0.0, center_px=(22.0, 25.0))
    assert is_center_covered(under, [under, pawn])
    assert not is_center_covered(under, [under, replace(pawn, center_px=(60.0, 25.0))])
    assert not is_center_covered(pawn, [under, pawn])


def test_no_more_is_kept_than_is_new() -> None:
    once = Appearances().taught([(SIDE, THREE, row(1))])
    assert len(once.taught([(SIDE, THREE, row(9, like=row(1)))]).rows[SIDE][THREE]) == 1
    many = once.taught([(SIDE, THREE, row(number)) for number in range(2, 20)])
    assert len(many.rows[SIDE][THREE]) == WITNESS.appearance.max_kept


def looked(layout: Layout, strange: float = 0.0) -> list[PieceAppearance]:
    """What the eyes see of the coins, each suit with its own look; to `strange` they give no suit a chance."""
    shares = dict.fromkeys((Suit.SUNS, Suit.CROWNS), 0.01 if strange else 0.5)
    found: list[PieceAppearance] = []
    for placed in coins(layout):
        doubts: dict[Identity, float] = {(suit, None): share for suit, share in shares.items()}
        doubts |= {(Suit.ARMS, None): strange} if strange else {}
        suit = placed.shown.suit
        assert suit
        found.append((replace(sighted(placed), identities=doubts), row(100 + ord(suit.value[0]))))
    return found


def witness(layout: Layout, strange: float = 0.0) -> FrameEvidence:
    image, plane = shot(layout is MOVED)
    return FrameEvidence(Frame(image), plane, looked(layout, strange))


def known_by(layout: Layout, before: Keyframe | None, *done: str, shows: Layout | None = None) -> Keyframe | None:
    """The moment is believed to be this layout, after what was done."""
    eyes = witness(shows or layout)
    table = ObservedTable(tuple(s for s, _ in looked(shows or layout)))
    actions = tuple(Action(verb, ()) for verb in done)
    return new_keyframe(layout, BOARD, actions, TableEvidence(table, eyes), (), before)


def taught(moment: Keyframe | None) -> dict[Identity, int]:
    assert moment is not None
    assert isinstance(moment.reference, ReferenceFrame)
    faces = moment.reference.appearances.rows.get((Kind.COIN, Face.BACK), {})
    return {identity: len(rows) for identity, rows in faces.items()}


def test_every_visible_piece_of_a_believed_table_labels_itself() -> None:
    opening = known_by(BEFORE, None)
    assert taught(opening) == {(Suit.SUNS, None): 1, (Suit.CROWNS, None): 1}


def test_what_the_eyes_give_no_chance_is_not_learnt() -> None:
    eyes = witness(BEFORE, strange=0.98)
    kept = eyes.remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    assert isinstance(kept, ReferenceFrame)
    assert not kept.appearances.rows


def test_a_wrong_belief_that_people_correct_is_forgotten() -> None:
    """A table is taken for another one, which teaches wrong names; people say what was done, and they are gone."""
    opening = known_by(BEFORE, None)
    right = taught(opening)
    swapped = {Suit.SUNS: Suit.CROWNS, Suit.CROWNS: Suit.SUNS}
    wrong = replace(
        BEFORE,
        pieces=tuple(
            replace(p, piece=replace(p.piece, suit=swapped[p.piece.suit])) if p in coins(BEFORE) and p.piece.suit else p
            for p in BEFORE.pieces
        ),
    )
    misled = known_by(wrong, opening, "wrong", shows=BEFORE)
    assert taught(misled) == dict.fromkeys(right, 2), "a wrong belief does teach"
    assert misled is not None
    after = misled.valid_for((Action("right", ()),))
    assert taught(after) == right
    assert taught(known_by(MOVED, after, "right")) == right
