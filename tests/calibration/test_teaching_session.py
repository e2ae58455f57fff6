"""Teach my set: real pictures of the usual wooden set, read by the real reader; outlines from the truth, so that the
lesson is tested and not the finder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration import lesson_pieces, lesson_task, teaching_session
from calibration.lesson import Lesson
from calibration.lesson_readings import coin_leak_warning
from calibration.lesson_task import STEPS, LessonError, NamedPage, name_text, parse_name
from calibration.teaching_session import named_page, with_corrected_name, with_swapped_suits
from models.render import Rendered, render
from models.render.styles import plain_edition
from rules.pieces import Face, Kind, Rank, Suit
from tests.calibration import pictures
from vision.detect import shape
from vision.frame import Frame
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult, TableReader

SUNS_3 = (Suit.SUNS, Rank.THREE)


def drawn(step: str, seed: int, coloured: bool = False) -> Rendered:
    edition = plain_edition("classic", 4)
    edition.coin_art.suit_coloured_values = coloured
    return render(pictures.teaching_scene(edition, step, seed))


def seen(picture: Rendered, noise: float = 0.7) -> FrameResult:
    """As eyes would see it that find everything and read nothing."""
    rng = np.random.default_rng(3)
    pieces = [seen_piece(true, rng, noise) for true in picture.truth["pieces"]]
    return FrameResult(Frame(picture.image), pieces, None, 0.0, [], {})


def seen_piece(true: dict[str, Any], rng: np.random.Generator, noise: float) -> DetectedPiece:
    ring = np.array(true["outline_px"]) + rng.normal(0, noise, (len(true["outline_px"]), 2))
    return DetectedPiece(Kind(true["kind"]), np.array(true["center_px"]), ring, 0.9, true["face"])


def rightly(page: NamedPage, picture: Rendered) -> int:
    """How many pieces have their true names."""
    good = 0
    for each in page.named:
        away = [np.linalg.norm(np.array(true["center_px"]) - each.piece.center) for true in picture.truth["pieces"]]
        true = picture.truth["pieces"][int(np.argmin(away))]
        good += name_text(each.name) == " ".join(filter(None, (true["suit"], true["value"])))
    return good


@pytest.fixture(scope="module")
def tile_picture() -> Rendered:
    return drawn("tiles", 1)


@pytest.fixture(scope="module")
def coin_pictures() -> tuple[Rendered, Rendered]:
    return drawn("coin values", 1), drawn("coin suits", 1)


def test_names_are_given_out_over_the_whole_set(eyes: TableReader, tile_picture: Rendered) -> None:
    page = named_page(eyes, seen(tile_picture), STEPS["tiles"])
    assert len({each.name for each in page.named}) == 24
    good = rightly(page, tile_picture)
    assert good >= 18
    assert len(page.doubts) >= (0 if good == 24 else 1)


def test_pieces_count_from_the_top_left(eyes: TableReader, tile_picture: Rendered) -> None:
    rows = lesson_pieces.reading_order(seen(tile_picture).pieces)
    assert rows[0].center[1] < rows[-1].center[1]
    assert len(rows) == 24


def test_a_tap_puts_a_name_right_and_keeps_every_name_once(eyes: TableReader, tile_picture: Rendered) -> None:
    page = named_page(eyes, seen(tile_picture), STEPS["tiles"])
    wanted = page.named[9].name
    tapped = with_corrected_name(page, 3, wanted)
    assert tapped.named[2].name == wanted
    assert len({each.name for each in tapped.named}) == 24
    pinned = named_page(eyes, seen(tile_picture), STEPS["tiles"], {3: wanted})
    assert pinned.named[2].name == wanted
    assert len({each.name for each in pinned.named}) == 24


def test_two_suits_are_exchanged_in_one_tap(eyes: TableReader, tile_picture: Rendered) -> None:
    page = named_page(eyes, seen(tile_picture), STEPS["tiles"])
    other = with_swapped_suits(page, "suns", "arms")
    assert [each.name for each in with_swapped_suits(other, "arms", "suns").named] == [each.name for each in page.named]
    assert sum(a.name != b.name for a, b in zip(page.named, other.named, strict=True)) == 12


def test_a_hand_is_refused(eyes: TableReader, tile_picture: Rendered) -> None:
    with pytest.raises(LessonError, match="a hand is in the picture"):
        named_page(eyes, replace(seen(tile_picture), hand_share=0.05), STEPS["tiles"])


def test_wrong_pictures_are_refused_and_nothing_is_kept(eyes: TableReader, tile_picture: Rendered) -> None:
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
            named_page(eyes, wrong, STEPS[step])
    assert len(named_page(eyes, few, STEPS["tiles"], incomplete=True).named) == 22


def test_what_the_eyes_do_not_find_is_drawn_by_a_person(eyes: TableReader, tile_picture: Rendered) -> None:
    """Two tiles that nobody found, and boxes about them with their names."""
    look = seen(tile_picture)
    lost = {22: SUNS_3, 23: (Suit.MOONS, Rank.TWO)}
    boxes = [(name, bounds(look.pieces[place].outline)) for place, name in lost.items()]
    page = named_page(eyes, replace(look, pieces=look.pieces[:22]), STEPS["tiles"], boxes=boxes)
    assert len(page.named) == 24
    for place, name in lost.items():
        drawn = min(page.named, key=lambda each: float(np.linalg.norm(each.piece.center - look.pieces[place].center)))
        assert drawn.name == name
        assert not drawn.doubtful


def bounds(outline: np.ndarray) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(value) for value in (*outline.min(axis=0), *outline.max(axis=0)))
    return left, top, right, bottom


def test_a_drawn_coin_is_round_and_takes_the_place_of_what_was_found_there(
    eyes: TableReader, coin_pictures: tuple[Rendered, Rendered]
) -> None:
    look = seen(coin_pictures[1])
    [(piece, name)] = lesson_pieces.boxed_pieces(
        eyes, look, STEPS["coin-suits"], [((Suit.ARMS, None), bounds(look.pieces[4].outline))]
    )
    assert name == (Suit.ARMS, None)
    assert (piece.kind, piece.face) == (Kind.COIN, Face.BACK)
    assert shape.area(piece.outline) == pytest.approx(shape.area(look.pieces[4].outline), rel=0.2)
    assert [lesson_pieces.is_outside(found, [piece]) for found in look.pieces] == [place != 4 for place in range(24)]
    square = np.array([[0.0, 0], [40, 0], [40, 40], [0, 40]])
    assert np.linalg.norm(lesson_pieces.outline_in_box("coin", square) - 20, axis=1) == pytest.approx(20.0)


def test_backs_of_tiles_are_taught_whichever_side_the_eyes_take_them_for(
    eyes: TableReader, tile_picture: Rendered
) -> None:
    fronts = replace(seen(tile_picture), pieces=seen(tile_picture).pieces[:3])
    page = named_page(eyes, fronts, STEPS["tile-backs"])
    assert [each.name for each in page.named] == [(None, None)] * 3
    assert page.doubts == []


def test_four_dice_are_of_four_suits() -> None:
    """However surely two of them are taken for suns; and what they show is given out beside it."""
    dice = STEPS["dice"]
    costs = np.full((4, 24), 3.0)
    costs[:, dice.names.index(SUNS_3)] = 0.0
    costs[2, dice.names.index((Suit.ARMS, Rank.ACE))] = 1.0
    given = [dice.names[k] for k in teaching_session.assignment(costs, dice)]
    assert {suit for suit, _ in given} == set(Suit)
    assert given[2] == (Suit.ARMS, Rank.ACE)


def test_two_mixed_sets_are_refused(eyes: TableReader, tile_picture: Rendered) -> None:
    """Every tile there is twice, half of them missing: no whole set looks like that."""
    look = seen(tile_picture)
    doubled = replace(look, pieces=look.pieces[:6] * 4)
    with pytest.raises(LessonError, match="two sets mixed"):
        named_page(eyes, doubled, STEPS["tiles"])


def test_slips_in_corrections_are_said(eyes: TableReader, tile_picture: Rendered) -> None:
    tiles, look = STEPS["tiles"], seen(tile_picture)
    assert parse_name("S3", tiles) == SUNS_3
    assert parse_name("3", STEPS["coin-values"]) == (None, Rank.THREE)
    assert parse_name("A", STEPS["coin-suits"]) == (Suit.ARMS, None)
    with pytest.raises(LessonError, match="is not a name here"):
        parse_name("Q9", tiles)
    with pytest.raises(LessonError, match="count from 1 to 24"):
        named_page(eyes, look, tiles, {25: SUNS_3})
    with pytest.raises(LessonError, match="only once"):
        named_page(eyes, look, tiles, {1: SUNS_3, 2: SUNS_3})


def test_a_lesson_without_all_its_pictures_makes_no_set(eyes: TableReader) -> None:
    lesson = Lesson("mine", eyes)
    with pytest.raises(LessonError, match="still missing"):
        lesson.finish()
    with pytest.raises(LessonError, match="no step is called"):
        lesson.show("spoons", Frame(np.zeros((90, 90, 3), np.uint8)))
    with pytest.raises(LessonError, match="no tiles in the picture"):
        lesson.show("tiles", Frame(np.full((360, 640, 3), 90, np.uint8)))
    assert lesson.pages == []


def test_an_edition_that_tells_is_found_out(eyes: TableReader, coin_pictures: tuple[Rendered, Rendered]) -> None:
    """Coins turned over in their places: harmless ones, and ones printed in their suits' colours."""
    values, suits = coin_pictures
    page = truly(eyes, suits, "coin-suits")
    page_values = truly(eyes, values, "coin-values")
    assert turned_in_place(values, suits)
    assert coin_leak_warning(page_values, values.image, page) is None
    telling = drawn("coin values", 1, coloured=True)
    words = coin_leak_warning(truly(eyes, telling, "coin-values"), telling.image, page)
    assert words is not None
    assert "give away" in words


def truly(eyes: TableReader, picture: Rendered, step: str) -> NamedPage:
    """The page with its true names: what a careful person leaves behind."""
    page = named_page(eyes, seen(picture), STEPS[step])
    named = []
    for each in page.named:
        away = [np.linalg.norm(np.array(true["center_px"]) - each.piece.center) for true in picture.truth["pieces"]]
        true = picture.truth["pieces"][int(np.argmin(away))]
        named.append(replace(each, name=(true["suit"], true["value"])))
    return replace(page, named=named)


def turned_in_place(values: Rendered, suits: Rendered) -> bool:
    pairs = zip(values.truth["pieces"], suits.truth["pieces"], strict=True)
    return all(a["true"] == b["true"] and np.hypot(*np.subtract(a["center_px"], b["center_px"])) < 12 for a, b in pairs)


def test_pyramids_are_taught_by_suit() -> None:
    step = STEPS["pyramids"]
    assert [len(lesson_task.task_for(step, count).names) for count in (12, 24, 9)] == [12, 24, 12]
    assert step.questions == ("suit pyramid",)
    assert parse_name("M", step) == parse_name("yM", step) == ("moons", None)
    with pytest.raises(LessonError, match="is not a name here"):
        parse_name("M3", step)
