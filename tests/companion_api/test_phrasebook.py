"""Every clause of every rulebook, and every refusal, has words in every language."""

from __future__ import annotations

import json
import re

import pytest

from companion_api.phrasebook import COMMON, ENGLISH, NOTATION, WORDS, languages, phrasebook, written
from rules.engine.rulebook import clauses_of
from rules.games import available
from tests.companion_api.spoken import errors_of, refusals_of, texts_of

OTHERS = [language for language in languages() if language != ENGLISH]
CODE = re.compile(r"`[^`]+`|\b[A-Z]{2,5}-[A-Z]?\d+(?:\.\d+[a-z]?)?")
WORD = re.compile(r"[A-Za-z]{3,}")
GAP = re.compile(r"\{(\d*)(?::\w+)?\}")


def test_there_are_other_languages() -> None:
    assert {"de", "fr"} <= set(OTHERS)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", available())
def test_every_clause_has_words(name: str, language: str) -> None:
    """All of them, none that does not exist, and with the options, actions and clauses that the English names."""
    words, english = written(language, name)["clauses"], clauses_of(name)
    assert set(words) == set(english)
    assert [
        clause for clause, text in words.items() if set(CODE.findall(text)) != set(CODE.findall(english[clause]))
    ] == []
    assert [clause for clause, text in words.items() if text == english[clause]] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", available())
def test_every_refusal_has_words(name: str, language: str) -> None:
    said = refusals_of(f"games/{name}") | refusals_of("engine")
    assert len(said) > 10
    assert sorted(text for text in said if GAP.sub("", text).strip() and text not in known(language, name)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_every_game_says_has_words(language: str) -> None:
    said = refusals_of("engine") | refusals_of("referee")
    assert said
    assert said - set(written(language, COMMON)["sentences"]) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_whatever_is_wrong_with_a_file_has_words(language: str) -> None:
    said = errors_of("notation")
    assert len(said) > 60
    assert said - set(written(language, NOTATION)["sentences"]) == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", [COMMON, NOTATION, *available()])
def test_the_gaps_of_a_sentence_are_filled(name: str, language: str) -> None:
    for english, words in written(language, name)["sentences"].items():
        assert sorted(set(GAP.findall(words))) == [str(n) for n in range(english.count("{}"))], english


@pytest.mark.parametrize("name", available())
def test_no_words_are_kept_for_what_nobody_says(name: str) -> None:
    said = set(WORD.findall(texts_of(f"games/{name}")))
    kept = written(OTHERS[0], name)["sentences"]
    assert [english for english in kept if not said.issuperset(WORD.findall(english))] == []


def test_all_languages_say_the_same() -> None:
    for name in (COMMON, NOTATION, *available()):
        assert len({frozenset(written(language, name)["sentences"]) for language in OTHERS}) == 1, name


def known(language: str, name: str) -> dict[str, str]:
    return phrasebook(language, name)["sentences"]


def test_actions_in_sentences_are_told_by_their_arguments() -> None:
    assert known("de", "dodgem")["{} to {}"] == "{0} nach {1}"
    assert json.loads((WORDS / "de.json").read_text(encoding="utf-8"))["act.dodgem.move"] == "{0} nach {1}"


@pytest.mark.parametrize(("language", "name"), [("xx", "dodgem"), ("de", "chess"), ("../de", "dodgem")])
def test_what_there_is_no_phrasebook_of(language: str, name: str) -> None:
    with pytest.raises(LookupError, match="there is no phrasebook"):
        phrasebook(language, name)
