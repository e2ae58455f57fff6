"""Which words the page asks for, and which the word files have."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path

import companion_api
from calibration.check import CalibrationState
from calibration.guide import STEPS
from calibration.lesson_task import STEPS as LESSONS
from calibration.light import PLACES
from companion_api.seat_view import Status
from companion_api.simulated.incidents import INCIDENTS
from rules.engine.effects import EffectKind
from rules.engine.playout import walk
from rules.engine.refusal import Code
from rules.games import available, game

ROOM = Path(companion_api.__file__).parent
RULES = ("act.", "code.", "summary.", "needs.")
"""Words that the rules themselves say in English; only other languages need them."""


def word_files() -> dict[str, dict[str, str]]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOM / "words").glob("*.json")}


def asked_words() -> set[str]:
    """Keys that stand in the page as they are, and those made of closed lists."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOM / "web" / "js").rglob("*.js"))
    plain = set(re.findall(r'\bsay\(\s*"([\w.]+)"', source))
    hall = "\n".join(path.read_text(encoding="utf-8") for path in (ROOM / "hall" / "web" / "hall").glob("*.js"))
    plain |= {f"wall.{key}" for key in re.findall(r'\bsay\(\s*"(\w+)"', hall)}
    closed = {f"refusal.{code.value}" for code in Code} | {f"effect.{kind.value}" for kind in EffectKind}
    return plain | closed | {f"status.{status.value}" for status in Status} | wizard_words() | acted_words()


def wizard_words() -> set[str]:
    places = {f"where.{place.replace(' ', '_')}" for row in PLACES for place in row}
    steps = {f"step.{step.id}{part}" for step in STEPS for part in ("", ".words")}
    return (
        places | steps | {f"lesson.{step}" for step in LESSONS} | {f"check.{each.value}" for each in CalibrationState}
    )


def acted_words() -> set[str]:
    """Every verb of every game, every phase that comes up, and whatever can be staged."""
    verbs = {f"act.{name}.{verb.name}" for name in available() for verb in game(name).card.verbs}
    summaries = {f"{what}.{name}" for name in available() for what in ("summary", "needs")}
    return (
        verbs
        | summaries
        | {f"phase.{phase}" for phase in phases()}
        | {f"incident.{incident}" for incident in INCIDENTS}
    )


@cache
def phases() -> frozenset[str]:
    """Those that random games come through."""
    found = set()
    for name in available():
        for seed in (1, 2, 3):
            found |= {game(name).turn(state).phase for state, _ in islice(walk(game(name), seed), 120)}
    return frozenset(phase for phase in found if phase)


def missing_words() -> dict[str, set[str]]:
    found = word_files()
    every = set().union(*found.values()) | asked_words()
    wanted = {name: {w for w in every if name != "en" or not w.startswith(RULES)} - untold(name) for name in found}
    return {name: wanted[name] - set(words) for name, words in found.items() if wanted[name] - set(words)}


def untold(language: str) -> set[str]:
    """The words of games that are marked as being without words in a language."""
    games = [game(name).card for name in available() if language in game(name).card.untranslated_in]
    acts = {f"act.{card.id}.{verb.name}" for card in games for verb in card.verbs}
    return acts | {f"{what}.{card.id}" for card in games for what in ("summary", "needs")}


def unknown_words() -> set[str]:
    """Placeholders that one language has and another has not; what the rules say is measured against the rules."""
    found = word_files()
    names = re.compile(r"\{(\w+)\}")
    return {
        f"{language} {key}"
        for language, words in found.items()
        for key, text in words.items()
        if not key.startswith("act.")
        and set(names.findall(text)) != set(names.findall((found["de"] | found["en"]).get(key, "")))
    }


def wrong_patterns() -> set[str]:
    """Patterns for actions that leave an argument out, or ask for one that there is not."""
    out, forms = set(), forms_of_arguments()
    for language, words in word_files().items():
        if language == "en":
            continue
        for name in available():
            for verb in game(name).card.verbs:
                asked = re.findall(r"\{(\w+)(?::(\w+))?\}", words.get(f"act.{name}.{verb.name}", ""))
                known = {str(number) for number in range(len(verb.params))}
                if {number for number, _ in asked} - known or {form for _, form in asked if form} - forms:
                    out.add(f"{language} {name}.{verb.name}")
    return out


def forms_of_arguments() -> set[str]:
    """What a pattern can say of an argument beside its words: a person by the suit, or a pattern of its own."""
    forms = {
        key.removeprefix("code.")
        for key, text in word_files()["en"].items()
        if re.match(r"code\.\w+$", key) and "{what}" in text
    }
    return forms | {"person"}


SIBLINGS = {
    "de": r"\bGastgeber|\bSpielleiter\b|\bTelefon|\bStein(?:e|s)?\b",
    "es": r"\bteléfono|\bfichas?\b|\bpila\b(?! de)|\bcima\b|\bEvento\b",
    "fr": r"(?i)\b(?:tu|te|ton|tes|toi)\b|\bt’|\bmanchot|'|[\wà-ÿ»}][;!?]"
    r"|(?:^|[.:;] |(?:et|puis|ou) )(?:touche|pose|prends|fais|vois|regarde|choisis|scanne|tape|montre|installe)\b",
}
"""Another word for what has a word already; French says vous, and sets semicolons and question marks apart."""


def other_words() -> set[str]:
    found = word_files()
    texts = {language: [*found[language].items()] for language in SIBLINGS}
    return {
        f"{language} {key}: {text}" for language in texts for key, text in texts[language] if _other(language, text)
    }


def _other(language: str, text: str) -> bool:
    return re.search(SIBLINGS[language], text) is not None


def uncounted() -> set[str]:
    """Words with a number and a noun after it, without a form for one."""
    counted = re.compile(r"\{(?:n|needed|strength)\} (?!is\b|does\b|beats\b)(?:[a-z]+ )?[a-z]+s\b")
    words = {key: text for key, text in word_files()["en"].items() if not key.endswith(".one")}
    asked = {key for key, text in words.items() if counted.search(text)}
    return {key for key in asked if f"{key}.one" not in word_files()["en"]} - NEVER_ONE


NEVER_ONE = {
    "clock.minutes", "clock.seconds", "clock.told.set", "effect.many.place", "effect.many.flip", "effect.many.move",
    "lobby.players", "log.all", "wall.unmet", "options.changed",
}  # fmt: skip
"""Offered or said of more than one only."""
