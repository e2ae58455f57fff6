"""All set-up is in the page: calibrating, teaching, marking out hands, trusting the certificate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, expect

from calibration import tuning
from calibration.custom_set import TaughtSet, reader_now
from companion_api.access import Role
from companion_api.setting_up import wizard
from companion_api.setting_up.hands import Area, Hands
from companion_api.setting_up.lesson import LessonManager
from companion_api.simulated.off_board import RoomBeside
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable, session_camera
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.referee.referee import Referee
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Zone
from rules.table.observed import ObservedTable
from tests.bench.truth_reader import Errors, TruthReader
from tests.companion_api.page.conftest import DESK, PHONE, Axe, Scheme, Table
from tests.companion_api.test_cameras import encoded, jpeg
from tests.companion_api.test_opening import filmed
from tests.companion_api.test_tuner import NET, Home
from tests.companion_api.test_wizard import Finding, laid_for
from vision.frame import Frame
from vision.pipeline import CameraState, Moment
from vision.sightings import observed_table
from vision.table_reader import TableReader

pytestmark = pytest.mark.page


TOO_WIDE = """[...document.querySelectorAll(".screens text")].filter((text) => text.getBBox().width > 150)
    .map((text) => text.textContent)"""


def photograph(page: Page, data: bytes) -> None:
    """The way of a phone without https: a photo through the file input."""
    photo: FilePayload = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": data}
    page.set_input_files("input[type=file]", photo)
    page.click(".notice button", timeout=90_000)


def set_up(table: Table, name: str = "dodgem", size: tuple[int, int] = PHONE) -> Page:
    page = table.open(table.begin(name), size)
    page.click('nav [data-view="settings"]')
    page.click("text=Set up camera and table")
    page.wait_for_selector(".steps")
    return page


def four_corners(page: Page, group: str) -> None:
    """Tapped on the picture, clockwise."""
    picture = page.locator(f"{group} .quad")
    expect(picture.locator("img")).to_have_js_property("complete", True)
    box = picture.bounding_box()
    assert box is not None
    for x, y in ((0.25, 0.2), (0.75, 0.2), (0.82, 0.9), (0.18, 0.9)):
        picture.click(position={"x": box["width"] * x, "y": box["height"] * y})


def test_four_corners_are_tapped_dragged_nudged_and_kept_and_hands_marked_out(table: Table, axe: Axe) -> None:
    page = set_up(table)
    photograph(page, jpeg("dodgem"))
    expect(page.locator(".quality meter")).to_have_count(2)
    page.click("text=Show four corners by hand")
    group = '[role=group][aria-label="Show four corners by hand"]'
    four_corners(page, group)
    typed = page.locator(f"{group} > label input")
    tapped = typed.input_value()
    corner = page.locator("[data-corner='0']")
    corner.scroll_into_view_if_needed()
    box = corner.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 32, box["y"] + 30, steps=3)
    page.mouse.up()
    dragged = typed.input_value()
    assert dragged.split()[1:] == tapped.split()[1:]
    assert dragged != tapped
    corner.press("ArrowLeft")
    assert typed.input_value() != dragged
    assert axe(page) == []
    page.click(f"{group} >> text=Save the table")
    expect(page.locator(".notice")).to_contain_text("Saved")
    assert table.app.state.camera_manager.keeper.profile.plane is not None

    page.click(".notice button")
    page.click("text=Mark out hands")
    page.click(".steps li:last-child .row button >> nth=0")
    four_corners(page, ".steps li:last-child")
    page.click("text=Keep this area")
    expect(page.locator('.steps li:last-child button[aria-pressed="true"]')).to_have_count(1)
    (area,) = table.app.state.camera_manager.hands.areas
    assert (area.zone.value, area.seat) == ("hand", 0)
    assert area.corners[0] == pytest.approx((0.25, 0.2), abs=0.02)


@dataclass(frozen=True)
class Turn:
    """A game just before something is done and just after it, with everybody's things where they keep them."""

    before: History
    verb: str
    frames: list[Frame]
    tables: list[ObservedTable]
    areas: list[Area]

    @classmethod
    def of(cls, name: str, verb: str, seed: int = 5) -> Turn:
        rules = game(name)
        history = History.begin(rules)
        for _, action in walk(rules, seed):
            if action.verb == verb:
                break
            history = history.play(action)
        layouts = [rules.layout(one.state) for one in (history, history.play(action))]
        room = RoomBeside(layouts)
        laid = [room.arrange(layout) for layout in layouts]
        filming = FilmSettings(ground=room.ground)
        eye = session_camera(filming, laid[0])
        shown = [_filmed(layout, replace(filming, camera=eye)) for layout in laid]
        return cls(history, verb, [frame for frame, _ in shown], [table for _, table in shown], room.areas(eye))


def _filmed(layout: Layout, filming: FilmSettings) -> tuple[Frame, ObservedTable]:
    camera = SimulatedCamera(SimulatedTable([Act(layout, kind="wait", pause=0.3)], filming))
    frame = camera.read()
    assert frame is not None
    return frame, observed_table(TruthReader.at(camera, 1, Errors(0.0, 0.0, 0.0)).look(frame))


def mark_out(page: Page, area: Area, seats: int) -> None:
    """Heaps that are nobody's are a supply, which may lie in several places."""
    group = ".steps li:last-child"
    number = 2 * (area.seat or 0) if area.zone is Zone.HAND else 2 * seats
    page.click(f"{group} .row button >> nth={number}")
    picture = page.locator(f"{group} .quad")
    expect(picture.locator("img")).to_have_js_property("complete", True)
    box = picture.bounding_box()
    assert box is not None
    for x, y in area.corners:
        picture.click(position={"x": box["width"] * x, "y": box["height"] * y})
    page.click("text=Keep this area")
    expect(page.locator(f"{group} .row button >> nth={number}")).to_have_attribute("aria-pressed", "true")


@pytest.mark.full
@pytest.mark.parametrize(("name", "verb"), [("dectana", "redraw"), ("global_warming", "sink")])
def test_what_was_marked_out_on_the_phone_is_followed(table: Table, name: str, verb: str) -> None:
    """Somebody exchanges a hand, and nothing on the board tells of it: who knows whose cards lie where sees it, and so
    does whoever sees one more in a row of cards."""
    turn = Turn.of(name, verb)
    page = set_up(table, name, DESK)
    photograph(page, encoded(turn.frames[0].image))
    page.click("text=Mark out hands")
    seats = turn.before.game.seats_of(turn.before.state)
    for area in turn.areas:
        mark_out(page, area, seats)
    hands: Hands = table.app.state.camera_manager.hands
    assert len(hands.areas) == len(turn.areas)
    for marked in (False, True):
        referee = Referee(turn.before.game, turn.before)
        for frame, seen in zip(turn.frames, turn.tables, strict=True):
            verdict = referee.look(TableEvidence(hands.with_owners(seen, frame.size) if marked else seen))
        assert [a.verb for a in verdict.actions if a.verb == verb] == [verb], marked


@pytest.mark.full
def test_a_set_is_taught_and_a_wrong_name_put_right_by_a_tap(table: Table, axe: Axe) -> None:
    app, eyes = table.app, Finding()
    app.state.lesson_manager = LessonManager(lambda: app.state.camera_manager.keeper, lambda: eyes, 1)
    eyes.shown = laid_for("tiles")
    page = set_up(table)
    photograph(page, encoded(eyes.shown.image))
    page.click("summary:has-text('Teach your set')")
    page.click("[data-step=tiles]")
    page.click(".notice button", timeout=90_000)
    spot = page.locator('[data-number="1"]')
    expect(spot).to_be_visible()
    assert page.locator(".page-of-lesson [data-number]").count() == 24
    old, other = (page.get_attribute(f'[data-number="{n}"]', "aria-label") or "" for n in (1, 10))
    spot.press("Enter")
    page.click(f'[role=group][aria-label="Piece 1 is:"] button:text-is("{other.partition(": ")[2]}")')
    expect(spot).to_have_attribute("aria-label", f"1: {other.partition(': ')[2]}")
    expect(page.locator('[data-number="10"]')).to_have_attribute("aria-label", f"10: {old.partition(': ')[2]}")
    assert page.locator("button:has-text('Use this set')").is_disabled()
    assert axe(page) == []


@pytest.mark.full
def test_pictures_are_taken_by_themselves_and_what_is_not_found_is_drawn(table: Table, axe: Axe) -> None:
    app, eyes = table.app, Finding()
    app.state.lesson_manager = LessonManager(lambda: app.state.camera_manager.keeper, lambda: eyes, 1)
    eyes.shown, eyes.blind = laid_for("tiles"), 2
    page = set_up(table)
    photograph(page, encoded(eyes.shown.image))
    page.click("summary:has-text('Teach your set')")
    page.check("[data-watch]")
    expect(page.locator(".lesson-hint")).to_contain_text("22 of 24", timeout=60_000)
    page.click("[data-draw]")
    lost = eyes.shown.truth["pieces"][:2]
    for left, piece in zip((2, 1), lost, strict=True):
        picture = page.locator(".boxing")
        expect(picture.locator("img")).to_have_js_property("complete", True)
        picture.scroll_into_view_if_needed()
        place = picture.bounding_box()
        assert place is not None
        scale = place["width"] / eyes.shown.image.shape[1]
        low, high = (edge(np.array(piece["outline_px"]), axis=0) * scale for edge in (np.min, np.max))
        page.mouse.move(place["x"] + low[0], place["y"] + low[1])
        page.mouse.down()
        page.mouse.move(place["x"] + high[0], place["y"] + high[1], steps=4)
        page.mouse.up()
        if left == 2:
            assert axe(page) == []
        page.click(f'[aria-label="In the box lies:"] button:text-is("{piece["value"]} of {piece["suit"]}")')
    expect(page.locator(".page-of-lesson [data-number]")).to_have_count(24, timeout=60_000)
    expect(page.locator(".draft")).to_have_count(0)


@pytest.mark.full
def test_the_eyes_are_tuned_from_the_page_and_a_tap_goes_back(
    table: Table, axe: Axe, eyes: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (tuning, wizard):
        monkeypatch.setattr(module, "can_tune", lambda: True)
    home = Home(table.app.state.tables.data, eyes, TaughtSet("oak", reader_now(), pieces=2))
    table.app.state.tuner._command = home.command
    page = set_up(table)
    page.click("summary:has-text('Teach your set')")
    page.click("[data-tune]")
    expect(page.locator(".learning")).to_contain_text("7 of 120 tables")
    assert axe(page) == []
    page.click(".learning button:has-text('Stop')")
    page.click("[data-tune]")
    home.go()
    expect(page.locator(".brings")).to_contain_text("80 of 100 faces → 90 of 100")
    assert home.oak().net == NET
    page.click("text=Read without tuning")
    expect(page.locator("text=Read with tuning")).to_be_visible()
    assert home.oak().net is None


@pytest.mark.full
def test_the_board_of_a_game_is_a_lesson(
    table: Table, axe: Axe, eyes: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, look = table.app, filmed("ice_floe")[0]
    moment = Moment(CameraState.LOOKED, 0.0, look.frame, result=look)
    monkeypatch.setattr(app.state.camera_manager, "latest", lambda _: moment)
    app.state.lesson_manager = LessonManager(lambda: app.state.camera_manager.keeper, lambda: eyes, 1)
    page = set_up(table, "ice_floe")
    page.click("summary:has-text('Teach your set')")
    page.click("[data-board]")
    expect(page.locator(".page-of-lesson [data-number]")).to_have_count(24)
    expect(page.locator("button:has-text('Use this set')")).to_be_enabled()
    assert axe(page) == []


@pytest.mark.full
def test_the_page_says_what_to_install_for_tuning(
    table: Table, eyes: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wizard, "can_tune", lambda: False)
    Home(table.app.state.tables.data, eyes, TaughtSet("oak", reader_now(), pieces=2))
    page = set_up(table)
    page.click("summary:has-text('Teach your set')")
    expect(page.locator("code")).to_have_text("pip install 'piecepack-companion[tuning]'")
    expect(page.locator("[data-tune]")).to_have_count(0)


def test_a_broken_profile_is_said_and_locks_nobody_out(table: Table) -> None:
    (table.app.state.tables.data / "profile.json").write_text("{ broken")
    page = set_up(table)
    expect(page.locator("[role=alert]")).to_contain_text("Calibrate again")


def test_a_bump_is_said_to_everybody_in_their_language(table: Table) -> None:
    session = table.begin()
    page = table.open(session, role=Role.PLAYER, locale="de")
    page.click('nav [data-view="log"]')
    session.note("camera", {"code": "pushed", "text": "the camera was pushed", "facts": {"mm": 20, "degrees": 3.0}})
    expect(page.locator("li.note")).to_contain_text("um 20 mm und 3° verschoben")


@pytest.mark.full
@pytest.mark.parametrize(("locale", "scheme"), [("en", "light"), ("de", "dark")])
def test_pictures_show_how_to_trust_the_certificate(locale: str, scheme: Scheme, table: Table, axe: Axe) -> None:
    """A page that came over plain http cannot open the camera; it shows the way to https."""
    table.app.state.secure_port = 8471
    page = table.open(table.begin(), locale=locale, scheme=scheme, fresh=True)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.reload()
    page.click('nav [data-view="camera"]')
    page.click(".trust summary")
    for _ in range(2):
        expect(page.locator(".trust .screens svg")).to_have_count(5)
        assert axe(page) == []
        assert page.evaluate(TOO_WIDE) == []
        page.click(".trust button[aria-pressed=false]")
    assert page.get_attribute(".trust a[href^='https']", "href") == "https://localhost:8471/"
