"""What the rules and the referee say, as it stands on a phone in another language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion_api.phrasebook import ENGLISH, languages
from companion_api.projections.choices import action_json as act
from companion_api.projections.choices import with_values
from rules.engine.action import parse_action
from rules.games import game
from rules.sentence import Sentence
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.test_page import show, tap
from tests.companion_api.sayings import heard
from tests.tiers import ON_PAGE, full

pytestmark = pytest.mark.page

TOLD = """async ([language, game, told]) => {
    const { mergedBook, inWords } = await import("/js/phrasebook.js");
    const [own, wrong] = await Promise.all(
        [game, "problems"].map(async (name) => (await fetch(`/words/rules/${language}/${name}.json`)).json()));
    const book = mergedBook(own, wrong);
    return told.map((said) => (book.said[said.key] ? inWords(said, book) : null)); }"""
ALONE = """async (told) => {
    const { translatedText } = await import("/js/phrasebook.js");
    return told.map((said) => translatedText(said)); }"""
WORDS = "(told) => import('/js/action_text.js').then((m) => told.map((one) => m.actionWords({text: '', ...one})))"
BEGINS_SMALL = re.compile(r"[a-zäöü]{2,}\b")
ROLLED = """async () => {
    const { events, actionsOfEvent } = await import("/js/state.js");
    const { effectWords } = await import("/js/effects.js");
    await (await import("/js/words.js")).loadLaterWords();
    window.rolled = () => {
        if (events.value.length <= 60) return null;
        const effects = events.value.flatMap(actionsOfEvent).flatMap((action) => action.effects);
        return effects.filter((effect) => effect.kind === "roll").map(effectWords); }; }"""
ENGLISH_WORDS = re.compile(
    r"(?<![\w'`])(the|is|are|not|of|and|may|must|cannot|only|there|it|have|with|by|from|be)(?![\w'`])"
)


def told(page: Page, language: str, name: str, said: list[Sentence]) -> dict[str, str | None]:
    words: list[str | None] = page.evaluate(
        TOLD, [language, name, [with_values(game(name), one.to_json()) for one in said]]
    )
    return dict(zip([one.text for one in said], words, strict=True))


@pytest.mark.parametrize("name", ON_PAGE)
def test_whatever_is_refused_is_told_in_the_language_of_the_phone(name: str, table: Table) -> None:
    """Hundreds of tries in a game: every sentence finds its words, and no English is left in them."""
    page = table.open(table.begin())
    listened = heard(name, (1, 2), 40)
    assert len(listened) > 10
    for language in {*languages()} - {ENGLISH, *game(name).card.untranslated_in}:
        found = told(page, language, name, listened)
        assert [text for text, words in found.items() if words is None] == [], language
        assert [words for words in found.values() if ENGLISH_WORDS.search(words or "")] == [], language


@pytest.mark.parametrize("name", ON_PAGE)
def test_a_sentence_that_stands_alone_begins_with_a_capital(name: str, table: Table) -> None:
    page = table.open(table.begin(name))
    words: list[str] = page.evaluate(ALONE, [with_values(game(name), one.to_json()) for one in heard(name, (1, 2), 40)])
    assert [each for each in words if BEGINS_SMALL.match(each)] == []


def test_a_refusal_and_its_rule_are_told_in_german(table: Table) -> None:
    page = table.open(table.begin(), locale="de")
    tap(page, "a1")
    tap(page, "c3")
    expect(page.locator(".bar.refused")).to_contain_text("c3 liegt nicht in einer Linie mit a1")
    expect(page.locator(".bar.refused .rule")).to_contain_text("DODG-4.4 Die Spieler ziehen abwechselnd")
    assert page.locator(".bar.refused [lang=en]").count() == 0


@pytest.mark.full
def test_the_rule_stands_in_english_too(table: Table) -> None:
    page = table.open(table.begin())
    tap(page, "a1")
    tap(page, "c3")
    expect(page.locator(".bar.refused .rule")).to_contain_text("DODG-4.4 Players take turns, one coin and one space")


@pytest.mark.parametrize(("locale", "words"), [("de", "ist erlaubt"), ("fr", "est permis"), ("es", "está permitido")])
def test_a_ruling_is_told_in_the_language_of_the_phone(locale: str, words: str, table: Table) -> None:
    session = table.begin()
    session.act("table", "move(a1,b1)", expected=None, key=None)
    page = table.open(session, locale=locale)
    show(page, "log")
    page.click("li.action >> button.line")
    page.click("li.action .row button >> nth=1")
    expect(page.locator("section.ruling")).to_contain_text(words)
    expect(page.locator("li.ruling")).to_contain_text(words)
    expect(page.locator(".ruling .rule")).to_contain_text("DODG-4.1")
    assert page.locator(".dispute [lang=en]").count() == 0


@pytest.mark.parametrize(
    ("name", "action", "german", "french"),
    [
        ("global_warming", "0:commit(S,n)", "den Würfel Sonne auf Null stellen", "mettre le dé soleil sur nul"),
        ("decay", "move_tile(Sn,-,20,21)", "Plättchen Null Sonne verlegen", "déplacer tuile nul soleil"),
        ("decay", "slide(C4,13,S)", "schieben, Preis 1 Münze Sonne", "prix 1 pièce soleil"),
        ("ice_floe", "slide(b4,N)", "das Plättchen auf b4 nach Norden schieben", "vers le nord"),
        (
            "dectana",
            "shrink(1W@x2y3,s1-1S:1)",
            ": kleine Pyramide (nach Süden) × 1",
            "petite pyramide (vers le sud) × 1",
        ),
        ("dectana", "activate(x0y2,leaves)", "Blätter der Karte auf 0/2 nutzen", "utiliser feuilles de la carte"),
    ],
)
def test_codes_in_actions_are_told_in_words(name: str, action: str, german: str, french: str, table: Table) -> None:
    page = table.open(table.begin(name))
    for locale, words in (("de", german), ("fr", french)):
        page.evaluate("locale => import('/js/words.js').then((m) => m.setLanguage(locale))", locale)
        found = page.evaluate(WORDS, [act(game(name), parse_action(action))])[0]
        assert words in found


@pytest.mark.parametrize("name", ["decay", *map(full, ("delegate_dash", "san_andreas"))])
@pytest.mark.parametrize(
    ("locale", "null", "ace"),
    [("en", "null", "ace"), *map(full, [("de", "Null", "Ass"), ("fr", "nul", "as"), ("es", "nulo", "as")])],
)
def test_what_a_die_shows_is_a_face_and_no_number(locale: str, null: str, ace: str, name: str, table: Table) -> None:
    """In the effects of games that roll, and where the throw itself is told."""
    session = table.begin(name, plies=60)
    thrown = [action for action in session.history.actions if action.verb in ("roll", "dice")]
    page = table.open(session, locale=locale)
    page.evaluate(ROLLED)
    lines = page.wait_for_function("() => rolled()").json_value()
    assert {null, ace} & {line.split()[-1] for line in lines}
    assert [line for line in lines if re.search(r"\b[01]\b", line)] == []
    words = page.evaluate(WORDS, [act(session.game, action) for action in thrown])
    assert [line for line in words if re.search(r"(?<!\w)[01](?!\w)", line)] == []


def test_what_was_done_before_goes_by_its_own_places(table: Table) -> None:
    """Other cards lie there by now: the log names none of them as the one where it was done."""
    session = table.begin("dectana", plies=60)
    page = table.open(session)
    show(page, "log")
    entered = page.locator("li.action:has-text('a small pyramid on')").first
    expect(entered).to_contain_text(re.compile(r"on -?\d/-?\d, pointing"))


def test_an_action_in_a_refusal_is_told_in_words(table: Table) -> None:
    page = table.open(table.begin(), locale="de")
    dodgem = game("dodgem")
    forced, form = (dodgem.refusal(dodgem.start(), parse_action(tried)) for tried in ("pass", "move(a1,b1,c1)"))
    assert forced is not None
    assert form is not None
    words = told(page, "de", "dodgem", [forced.sentence, form.sentence])
    assert words[forced.text] == "wer ziehen kann, muss ziehen; zum Beispiel a1 nach b1"
    assert "move(from,to)" in (words[form.text] or "")
