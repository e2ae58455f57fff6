"""Parses movetext into labelled moves: braces, `;`, comments, labels, macros and the separation of submoves."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.notation.errors import MAX_LABEL, Allowance, LimitError, MoveError
from rules.notation.expansion import Macros, expand
from rules.notation.submove import Submove, parse_submove
from rules.sentence import say

OPENING_LABEL = "SetupFn."
_COMMENT = re.compile(r"(\{[^{}]*\})")
_GLUED = re.compile(r"[*!]|(?<![(<,])\+")
_COUNTED = re.compile(r"([0-9]+)\?")
_UNDERTIES = str.maketrans({"\u035c": "_", "\u203f": "_"})
_TYPOGRAPHY = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "’": "'", "‘": "`", "“": '"', "”": '"'})


@dataclass(frozen=True, slots=True)
class MoveText:
    """One labelled move. `text` is as written, with braces expanded, without comments and with macros not expanded."""

    label: str
    text: str
    comment: str
    submoves: tuple[Submove, ...]


@dataclass(slots=True)
class _Draft:
    label: str
    tokens: list[str]
    comments: list[str]


def parse_movetext(text: str, macros: Macros, allowance: Allowance, *, forgiving: bool = False) -> tuple[MoveText, ...]:
    if forgiving:
        text = text.translate(_TYPOGRAPHY)
    tokens = _tokens(text, allowance)
    return tuple(_finished(draft, macros) for draft in _drafts(tokens, forgiving))


def _tokens(text: str, allowance: Allowance) -> list[str]:
    """The text split at blanks, with braces within tokens expanded; `;` outside comments becomes a single full stop."""
    tokens = text.split()
    if "{" in text:
        tokens = [made for token in tokens for made in _expanded(token, allowance)]
    if ";" not in text:
        return tokens
    parts = _COMMENT.split(" ".join(tokens))
    parts[::2] = [part.replace(";", " . ") for part in parts[::2]]
    return "".join(parts).split()


def _expanded(token: str, allowance: Allowance) -> list[str]:
    is_plain = "{" not in token or (token[0] == "{" and token[-1] == "}")
    return [token] if is_plain else expand(token, allowance)


def _drafts(tokens: list[str], forgiving: bool) -> list[_Draft]:
    drafts = [_Draft(OPENING_LABEL + ".", [], [])]
    stream = iter(tokens)
    for token in stream:
        if token[0] == "{":
            drafts[-1].comments.append(_comment(token, stream, drafts[-1], forgiving))
        elif token[-1] == "." and _is_label(token):
            drafts.append(_Draft(_label(token, drafts), [], []))
        else:
            drafts[-1].tokens.append(token)
    first = drafts[0]
    return drafts if first.tokens or first.comments else drafts[1:]


def _is_label(token: str) -> bool:
    """Whether a token that ends in a full stop has only letters, digits, _ and full stops."""
    plain = token.replace(".", "").replace("_", "")
    return not plain or plain.isalnum()


def _label(token: str, drafts: list[_Draft]) -> str:
    """A single full stop repeats the previous label with one more; before the first move that is the opening's."""
    if token != ".":
        return token
    if len(drafts[-1].label) >= MAX_LABEL:
        raise LimitError(say("one move is cut into more than {most} pictures", most=MAX_LABEL))
    if len(drafts) == 1 and not drafts[0].tokens and not drafts[0].comments:
        return OPENING_LABEL + "."
    return drafts[-1].label + "."


def _comment(token: str, stream: Iterator[str], draft: _Draft, forgiving: bool) -> str:
    """Everything to the token that ends with the closing brace."""
    words = [token]
    while not words[-1].endswith("}"):
        following = next(stream, None)
        if following is None:
            if forgiving:
                break
            raise MoveError(say("a comment is not closed"), draft.label, " ".join(words[:12]))
        words.append(following)
    return " ".join(" ".join(words).replace("{", " ").replace("}", " ").split())


def _finished(draft: _Draft, macros: Macros) -> MoveText:
    text = " ".join(draft.tokens)
    try:
        submoves = _submoves(macros.expand(text))
    except MoveError as error:
        raise error.at(draft.label, text) from None
    return MoveText(draft.label, text, " ".join(draft.comments), submoves)


@lru_cache(maxsize=4096)
def _submoves(text: str) -> tuple[Submove, ...]:
    if "*" in text or "+" in text or "!" in text:
        text = _GLUED.sub(r" \g<0>", text)
    if "?" in text:
        text = _COUNTED.sub(r"\1&?", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_UNDERTIES)
    return tuple(map(parse_submove, text.split()))


def repeated_labels(moves: tuple[MoveText, ...]) -> tuple[str, ...]:
    """Labels that occur more than once: allowed, with a warning."""
    counts = Counter(move.label for move in moves)
    return tuple(sorted(label for label, count in counts.items() if count > 1))
