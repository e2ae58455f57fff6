"""Which words the page asks for, and which the word files have."""

from __future__ import annotations

import json
import re
from pathlib import Path

import companion_api
from companion_api.session import Status
from rules.engine.effects import EffectKind
from rules.engine.refusal import Code

ROOM = Path(companion_api.__file__).parent


def word_files() -> dict[str, dict[str, str]]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOM / "words").glob("*.json")}


def asked_words() -> set[str]:
    """Keys that stand in the page as they are, and those made of closed lists."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOM / "web" / "js").rglob("*.js"))
    plain = set(re.findall(r'\bsay\(\s*"([\w.]+)"', source))
    closed = {f"refusal.{code.value}" for code in Code} | {f"effect.{kind.value}" for kind in EffectKind}
    return plain | closed | {f"status.{status.value}" for status in Status}


def missing_words() -> dict[str, set[str]]:
    found = word_files()
    every = set().union(*found.values()) | asked_words()
    return {name: every - set(words) for name, words in found.items() if every - set(words)}


def unknown_words() -> set[str]:
    """Placeholders that one language has and another has not."""
    found = word_files()
    names = re.compile(r"\{(\w+)\}")
    return {
        f"{language} {key}"
        for language, words in found.items()
        for key, text in words.items()
        if set(names.findall(text)) != set(names.findall(found["en"].get(key, "")))
    }
