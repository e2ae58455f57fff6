"""Teach my set: real pictures of the usual wooden set, read by the real reader; outlines from the truth, so that the
lesson is tested and not the finder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration import my_set, taught
from calibration.album import album_of
from calibration.closer import LooksRead
from calibration.leaks import coins_leak
from calibration.my_set import STEPS, LessonError, Named, NamedPage, learn, name_from, renamed, spelt, swapped
from calibration.teaching import Lesson, albums_of
from models.render import Rendered, render
from models.render.styles import plain_edition
from rules.pieces import RANKS, SUITS, Face, Kind, Rank, Suit
from tests.calibration import pictures
from vision.eyes import Eyes, Look
from vision.frame import Frame
from vision.piece import Seen


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes()


SUNS_3 = (Suit.SUNS, Rank.THREE)


def drawn(step: str, seed: int, coloured: bool = False) -> Rendered:
    edition = plain_edition("classic", 4)
    edition.coin_art.suit_coloured_values = coloured
    return render(pictures.teaching_scene(edition, step, seed))


def seen(picture: Rendered, noise: float = 0.7) -> Look:
    """As eyes would see it that find everything and read nothing."""
    rng = np.random.default_rng(3)
    pieces = [seen_piece(true, rng, noise) for true in picture.truth["pieces"]]
    return Look(Frame(picture.image), pieces, None, 0.0, [], {})


def seen_piece(true: dict[str, Any], rng: np.random.Generator, noise: float) -> Seen:
    ring = np.array(true["outline_px"]) + rng.normal(0, noise, (len(true["outline_px"]), 2))
    return Seen(Kind(true["kind"]), np.array(true["center_px"]), ring, 0.9, true["face"])


def rightly(page: NamedPage, picture: Rendered) -> int:
    """How many pieces have their true names."""
    good = 0
    for each in page.named:
        away = [np.linalg.norm(np.array(true["center_px"]) - each.piece.center) for true in picture.truth["pieces"]]
        true = picture.truth["pieces"][int(np.argmin(away))]
        good += spelt(each.name) == " ".join(filter(None, (true["suit"], true["value"])))
    return good


@pytest.fixture(scope="module")
def tile_picture() -> Rendered:
    return drawn("tiles", 1)


@pytest.fixture(scope="module")
def coin_pictures() -> tuple[Rendered, Rendered]:
    return drawn("coin values", 1), drawn("coin suits", 1)


def test_names_are_given_out_over_the_whole_set(eyes: Eyes, tile_picture: Rendered) -> None:
    page = learn(eyes, seen(tile_picture), STEPS["tiles"])
    assert len({each.name for each in page.named}) == 24
    good = rightly(page, tile_picture)
    assert good >= 18
    assert len(page.doubts) >= (0 if good == 24 else 1)


def test_pieces_count_from_the_top_left(eyes: Eyes, tile_picture: Rendered) -> None:
    rows = my_set.in_rows(seen(tile_picture).pieces)
    assert rows[0].center[1] < rows[-1].center[1]
    assert len(rows) == 24


def test_a_tap_puts_a_name_right_and_keeps_every_name_once(eyes: Eyes, tile_picture: Rendered) -> None:
    page = learn(eyes, seen(tile_picture), STEPS["tiles"])
    wanted = page.named[9].name
    tapped = renamed(page, 3, wanted)
    assert tapped.named[2].name == wanted
    assert len({each.name for each in tapped.named}) == 24
    pinned = learn(eyes, seen(tile_picture), STEPS["tiles"], {3: wanted})
    assert pinned.named[2].name == wanted
    assert len({each.name for each in pinned.named}) == 24


def test_two_suits_are_exchanged_in_one_tap(eyes: Eyes, tile_picture: Rendered) -> None:
    page = learn(eyes, seen(tile_picture), STEPS["tiles"])
    turned = swapped(page, "suns", "arms")
    assert [each.name for each in swapped(turned, "arms", "suns").named] == [each.name for each in page.named]
    assert sum(a.name != b.name for a, b in zip(page.named, turned.named, strict=True)) == 12


def test_a_hand_is_refused(eyes: Eyes, tile_picture: Rendered) -> None:
    with pytest.raises(LessonError, match="a hand is in the picture"):
        learn(eyes, replace(seen(tile_picture), hand_share=0.05), STEPS["tiles"])


def test_wrong_pictures_are_refused_and_nothing_is_kept(eyes: Eyes, tile_picture: Rendered) -> None:
    look = seen(tile_picture)
    few = replace(look, pieces=look.pieces[:22])
    back = replace(look, pieces=[replace(piece, face=Face.BACK) for piece in look.pieces])
    many = replace(look, pieces=[*look.pieces, replace(look.pieces[0], center=look.pieces[0].center + 300)])
    for wrong, step, words in (
        (few, "tiles", "only 22 of 24 tiles"),
        (many, "tiles", "25 tiles were found"),
        (back, "tiles", "wrong side up"),
        (look, "coin-values", "no coins in the picture"),
        (look, "dice", "no dice in the picture"),
    ):
        with pytest.raises(LessonError, match=words):
            learn(eyes, wrong, STEPS[step])
    assert len(learn(eyes, few, STEPS["tiles"], incomplete=True).named) == 22


def test_two_mixed_sets_are_refused(eyes: Eyes, tile_picture: Rendered) -> None:
    """Every tile there is twice, half of them missing: no whole set looks like that."""
    look = seen(tile_picture)
    doubled = replace(look, pieces=look.pieces[:6] * 4)
    with pytest.raises(LessonError, match="two sets mixed"):
        learn(eyes, doubled, STEPS["tiles"])


def test_slips_in_corrections_are_said(eyes: Eyes, tile_picture: Rendered) -> None:
    tiles, look = STEPS["tiles"], seen(tile_picture)
    assert name_from("S3", tiles) == SUNS_3
    assert name_from("3", STEPS["coin-values"]) == (None, Rank.THREE)
    assert name_from("A", STEPS["coin-suits"]) == (Suit.ARMS, None)
    with pytest.raises(LessonError, match="is not a name here"):
        name_from("Q9", tiles)
    with pytest.raises(LessonError, match="count from 1 to 24"):
        learn(eyes, look, tiles, {25: SUNS_3})
    with pytest.raises(LessonError, match="only once"):
        learn(eyes, look, tiles, {1: SUNS_3, 2: SUNS_3})


def test_a_lesson_without_all_its_pictures_makes_no_set(eyes: Eyes) -> None:
    lesson = Lesson("mine", eyes)
    with pytest.raises(LessonError, match="still missing"):
        lesson.finish()
    with pytest.raises(LessonError, match="no step is called"):
        lesson.show("spoons", Frame(np.zeros((90, 90, 3), np.uint8)))
    with pytest.raises(LessonError, match="no tiles in the picture"):
        lesson.show("tiles", Frame(np.full((360, 640, 3), 90, np.uint8)))
    assert lesson.pages == []


def test_an_edition_that_tells_is_found_out(eyes: Eyes, coin_pictures: tuple[Rendered, Rendered]) -> None:
    """Coins turned over in their places: harmless ones, and ones printed in their suits' colours."""
    values, suits = coin_pictures
    page = truly(eyes, suits, "coin-suits")
    page_values = truly(eyes, values, "coin-values")
    assert turned_in_place(values, suits)
    assert coins_leak(page_values, values.image, page) is None
    telling = drawn("coin values", 1, coloured=True)
    words = coins_leak(truly(eyes, telling, "coin-values"), telling.image, page)
    assert words is not None
    assert "give away" in words


def truly(eyes: Eyes, picture: Rendered, step: str) -> NamedPage:
    """The page with its true names: what a careful person leaves behind."""
    page = learn(eyes, seen(picture), STEPS[step])
    named = []
    for each in page.named:
        away = [np.linalg.norm(np.array(true["center_px"]) - each.piece.center) for true in picture.truth["pieces"]]
        true = picture.truth["pieces"][int(np.argmin(away))]
        named.append(replace(each, name=(true["suit"], true["value"])))
    return replace(page, named=named)


def turned_in_place(values: Rendered, suits: Rendered) -> bool:
    pairs = zip(values.truth["pieces"], suits.truth["pieces"], strict=True)
    return all(a["true"] == b["true"] and np.hypot(*np.subtract(a["center_px"], b["center_px"])) < 12 for a, b in pairs)


def by_look(read: np.ndarray) -> np.ndarray:
    """The same reading in each of eight looks."""
    return np.repeat(read[:, None], 8, axis=1)


def test_a_judge_learns_what_the_reader_does_not_know() -> None:
    """Two suits that the reader always takes for each other, plain in the embedding."""
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(4), 6)
    centres = rng.normal(0, 1, (4, 64))
    embeddings = centres[labels][:, None] + rng.normal(0, 0.6, (24, 8, 64))
    read = by_look(np.log(np.full((24, 4), 0.05) + 0.8 * np.eye(4)[[1, 0, 2, 3]][labels]))
    examples = taught.Examples(SUITS, embeddings, read, labels, np.arange(24))
    judge = taught.judge_for(examples)
    assert judge is not None
    told = judge.weigh({Suit.MOONS: 0.85, Suit.SUNS: 0.05, Suit.CROWNS: 0.05, Suit.ARMS: 0.05}, embeddings[0, 0])
    assert max(told, key=lambda name: told[name]) is Suit.SUNS


def test_an_album_knows_a_face_again_whatever_the_reader_says() -> None:
    """Of 24 faces that the reader knows nothing of, each seen again a little beside where it was."""
    rng = np.random.default_rng(0)
    faces = [(suit, rank) for suit in SUITS for rank in RANKS]
    middles = rng.normal(0, 1, (24, 64)) / 8
    album = album_of(faces, middles[:, None] + rng.normal(0, 0.02, (24, 12, 64)))
    deceived = dict(zip(SUITS, (0.7, 0.1, 0.1, 0.1), strict=True))
    for face, middle in zip(faces, middles, strict=True):
        again = (middle + rng.normal(0, 0.05, 64)).astype(np.float32)
        tile = Seen(Kind.TILE, np.zeros(2), np.zeros((4, 2)), 0.9, Face.FRONT, deceived, dict.fromkeys(RANKS, 1 / 6))
        named = album.weigh(tile, again / np.linalg.norm(again))
        assert (named.suit, named.rank) == face
        assert sum(named.suits.values()) == pytest.approx(1)


def shown_four(step: str, rng: np.random.Generator) -> NamedPage:
    """Four pieces of one kind, each with an embedding of its own."""
    names = STEPS[step].names
    pieces = [Seen(Kind(STEPS[step].kind), np.zeros(2), np.zeros((4, 2)), 0.9) for _ in names]
    readings = [LooksRead(rng.normal(0, 1, (12, 64)) + 5 * np.eye(64)[k], {}) for k in range(len(names))]
    named = [Named(piece, name, 9.0) for piece, name in zip(pieces, names, strict=True)]
    return NamedPage(STEPS[step], named, readings)


def test_pawns_have_an_album_and_dice_have_none() -> None:
    """A pawn looks the same whenever it is seen, and one picture of it is enough; a die shows another side."""
    rng = np.random.default_rng(4)
    albums = albums_of([shown_four("pawns", rng), shown_four("dice", rng)])
    assert set(albums) == {"pawn"}
    known = taught.TaughtSet("oak", "weights", albums=albums)
    deceived = dict(zip(SUITS, (0.7, 0.1, 0.1, 0.1), strict=True))
    look = np.eye(64, dtype=np.float32)[2]
    pawn = Seen(Kind.PAWN, np.zeros(2), np.zeros((4, 2)), 0.9, suits=deceived, embedding=look)
    assert known.named(pawn).suit == SUITS[2]
    assert known.named(replace(pawn, kind=Kind.DIE)).suit == SUITS[0]


def test_a_judge_that_earns_nothing_is_dismissed() -> None:
    rng = np.random.default_rng(2)
    labels = np.repeat(np.arange(4), 6)
    read = by_look(np.log(np.full((24, 4), 0.001) + 0.996 * np.eye(4)[labels]))
    noise = rng.normal(0, 1, (24, 8, 64))
    assert taught.judge_for(taught.Examples(SUITS, noise, read, labels, np.arange(24))) is None
    few = labels < 1
    assert taught.judge_for(taught.Examples(SUITS[:2], noise[few], read[few, :, :2], labels[few], np.arange(6))) is None


def set_like(rng: np.random.Generator, middles: np.ndarray, noise: float) -> taught.Examples:
    """Pieces of a set whose suits lie round these middles, read by a reader that is good and not perfect."""
    labels = np.repeat(np.arange(4), 6)
    embeddings = (middles[labels] + rng.normal(0, 1, (24, 64)))[:, None] + rng.normal(0, noise, (24, 8, 64))
    sure = rng.choice([0.95, 0.4], (24, 1), p=[0.85, 0.15])
    read = np.where(rng.random(24) < 0.93, labels, rng.integers(4, size=24))
    chances = by_look(np.log((1 - sure) / 4 + sure * np.eye(4)[read]))
    return taught.Examples(SUITS, embeddings, chances, labels, np.arange(24))


@pytest.mark.parametrize(("apart", "judged"), [(0.0, 0), (0.5, 12)])
def test_teaching_never_makes_the_reading_worse(apart: float, judged: int) -> None:
    """A judge is called where the suits lie apart in the embedding, never by luck; and then pieces seen less well than
    in the lesson are told better with it than without."""
    called = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        middles = rng.normal(0, apart, (4, 64))
        judge, later = taught.judge_for(set_like(rng, middles, 0.3)), set_like(rng, middles, 1.0)
        if judge is None:
            continue
        called += 1
        votes = judge.votes(later.embeddings)
        with_judge = taught.told_by((judge.scale, judge.share), later, votes).mean()
        assert with_judge > taught.told_by((0.0, 1.0), later, votes).mean()
    assert called == judged


def test_pyramids_are_taught_by_suit() -> None:
    step = STEPS["pyramids"]
    assert len(step.names) == 12
    assert step.questions == ("suit pyramid",)
    assert name_from("M", step) == name_from("yM", step) == ("moons", None)
    with pytest.raises(LessonError, match="is not a name here"):
        name_from("M3", step)
