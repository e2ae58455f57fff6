"""Actions for phones: the verb with its arguments as values, the picture of a choice, and what is chosen part by part.
A phone tells, draws and puts together what it gets; it takes no code apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion_api.seat_view import SeatView
from rules.engine.action import Action, ParamKind, Verb, parse_action
from rules.engine.argument_value import Value
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import RANKS, Kind, Suit, parse_piece
from rules.table.layout import Layout, Placed, Zone

MOST_SHOWN = 30
"""A phone shows no more choices in words; what is decided together is then chosen part by part."""


def told(game: AnyGame, action: Action) -> dict[str, Any]:
    """What is done, for whoever puts it into words: `args` are values."""
    return {"verb": action.verb, "args": [value.to_json() for value in game.values(action)]}


def choices_for(table: SeatView, actions: Iterable[Action]) -> list[dict[str, Any]]:
    """What may be done, each with its words, its picture and what points at it."""
    teller = _Teller(table)
    return [teller.listed(action) for action in actions]


class _Teller:
    """All choices of one moment: what they share is worked out once."""

    def __init__(self, table: SeatView) -> None:
        self._table, self._game, self._state = table, table.game, table.state
        self._seats = self._game.turn(self._state).seats
        self._layout: Layout = self._game.layout(self._state)
        self._beside: dict[Value, str | None] = {}

    def listed(self, action: Action) -> dict[str, Any]:
        game = self._game
        offered = game.offer(self._state, action)
        values, verb = game.values(action), game.verbs[action.verb]
        touches, laid = list(game.touches(action)), self._laid(verb, action, values)
        return {
            "id": action.id,
            "text": offered.text if offered else game.describe(action),
            "said": offered and valued(game, offered.to_json()),
            "verb": action.verb,
            "args": [value.to_json() for value in values],
            "touches": touches if laid is None else [laid, *touches],
            "lays": laid is not None,
            "plain": not touches and self._is_plain(action),
            "picture": self._picture(verb, action, values),
            "seat": action.seat,
            "common": game.is_open_to_all(action),
        }

    def _is_plain(self, action: Action) -> bool:
        """Whether it does nothing but what its words say: a pass, the end of a turn."""
        game = self._game
        if game.turn(self._state).kind is not TurnKind.SEAT or game.is_open_to_all(action):
            return False
        return all(effect.kind in _NOTHING_ELSE for effect in game.apply(self._state, action).effects)

    def _picture(self, verb: Verb, action: Action, values: tuple[Value, ...]) -> dict[str, Any] | None:
        """As its verb declares it; else the only piece that it names, or the only die that is thrown."""
        if verb.drawn is not None:
            onto = _named(verb, values, verb.drawn.onto)
            return picture_of(verb.icon_value(verb.drawn, values, self._suit(action)), onto)
        each = (value.all[0] if value.all and len(value.all) == 1 else value for value in values)
        named = [value for value in each if value.kind in _ALONE]
        return picture_of(named[0]) if len(named) == 1 and named[0].suit else None

    def _laid(self, verb: Verb, action: Action, values: tuple[Value, ...]) -> str | None:
        """The code of the piece beside the board that is laid."""
        if verb.lays is None:
            return None
        looks = verb.icon_value(verb.lays, values, self._suit(action))
        if looks not in self._beside:
            found = (placed for placed in self._layout if self._at_hand(placed) and _fits(placed, looks))
            self._beside[looks] = next((placed.piece.code for placed in found), None)
        return self._beside[looks]

    def _at_hand(self, placed: Placed) -> bool:
        return placed.zone is not Zone.BOARD and (placed.seat is None or placed.seat in self._seats)

    def _suit(self, action: Action) -> Suit | None:
        """Of whoever acts."""
        seat = self._table.seat if action.seat is None else action.seat
        return self._table.seats[next(iter(self._seats), 0) if seat is None else seat].suit


_NOTHING_ELSE = (EffectKind.PHASE, EffectKind.TURN, EffectKind.CHOOSE)
_ALONE = (Kind.TILE, Kind.COIN, Kind.DIE, Kind.PAWN)


def _fits(placed: Placed, looks: Value) -> bool:
    piece = placed.piece
    return (
        piece.kind is looks.kind
        and (looks.suit is None or piece.suit is looks.suit)
        and (looks.value is None or (piece.rank is not None and piece.rank.word == looks.value))
        and (looks.size is None or piece.size is looks.size)
    )


def _named(verb: Verb, values: tuple[Value, ...], name: str) -> Value | None:
    return next((v for param, v in zip(verb.params, values, strict=False) if name and param.name == name), None)


def picture_of(looks: Value, onto: Value | None = None) -> dict[str, Any]:
    """A piece to draw; of a coin the side that tells something. `onto`: where it goes."""
    sides = {Kind.TILE: "front", Kind.CARD: "front", Kind.COIN: "front" if looks.value else "back"}
    face = sides.get(looks.kind) if looks.kind else None
    drawn = {"kind": looks.kind, "suit": looks.suit, "value": looks.value, "mark": looks.mark, "face": face}
    return {**drawn, "onto": onto.to_json()} if onto else drawn


# What is decided together ------------------------------------------------------------------------------------------


def together_for(table: SeatView, items: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Dice that are rolled or coins that are drawn together, where the table decides in more ways than anybody reads:
    the parts of the action's id, and what each may be. A list that is cut short names all sides of its last part."""
    game, state = table.game, table.state
    wordless = [item for item in items if item["picture"] is None]
    if len(wordless) <= MOST_SHOWN or game.turn(state).kind is not TurnKind.CHANCE:
        return None
    verb = game.verbs[wordless[0]["verb"]]
    codes = [_codes(item["id"], verb) for item in wordless]
    if any(item["verb"] != verb.name or len(one) != len(codes[0]) for item, one in zip(wordless, codes, strict=True)):
        return None
    if len(codes[0]) < 2:
        return None
    joint = "+" if verb.params[0].kind is ParamKind.LIST else ","
    ways = [_faces(code) for code in codes[0]]
    if not all(ways):
        every = dict.fromkeys(code for one in codes for code in reversed(one))
        ways = [[_part(code) for code in every] for _ in codes[0]]
    befores = [f"{verb.name}(", *[joint] * (len(ways) - 1)]
    return {"parts": [{"before": b, "ways": w} for b, w in zip(befores, ways, strict=True)], "end": ")"}


def _codes(id: str, verb: Verb) -> list[str]:
    inner = id.removeprefix(f"{verb.name}(").removesuffix(")")
    return inner.replace("+", ",").split(",")


def _faces(code: str) -> list[dict[str, Any]]:
    """All that a die of the suit in the code may show; nothing where it is no die."""
    die = _die(code)
    return [_way(f"{code[0]}{int(rank)}", Value(Kind.DIE, die, rank.word)) for rank in RANKS] if die else []


def _die(code: str) -> Suit | None:
    try:
        return parse_piece(f"d{code}").suit
    except ValueError:
        return None


def _part(code: str) -> dict[str, Any]:
    try:
        piece = parse_piece(code)
    except ValueError:
        return _way(code, Value(word=code))
    value = None if piece.rank is None else piece.rank.word
    return _way(code, Value(piece.kind, piece.suit, value))


def _way(code: str, value: Value) -> dict[str, Any]:
    return {"code": code, "value": value.to_json(), "picture": picture_of(value) if value.kind else None}


# Sentences ---------------------------------------------------------------------------------------------------------


def valued(game: AnyGame, data: Any) -> Any:
    """An answer with sentences in it: the places and actions that they mention become values, and so do the actions
    that the referee asks about and where pieces lie wrong. What is kept in the log has only their codes."""
    if isinstance(data, list):
        return [valued(game, each) for each in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"action", "words"}:
        return {**data, **told(game, parse_action(data["action"]))}
    found = {key: valued(game, each) for key, each in data.items()}
    if "key" in data and "facts" in data:
        found["facts"] = {name: _fact(game, each) for name, each in data["facts"].items()}
    if "several" in data:
        found["several"] = [_fact(game, each) for each in data["several"]]
    if data.get("actions") and "p" in data:
        found["acts"] = acts(game, data["actions"])
    if "zone" in data and data.get("place"):
        found["where"] = game.place_value(data["place"]).to_json()
    if data.get("attempt"):
        found["blamed"] = list(game.touches(parse_action(data["attempt"])))
    return found


def acts(game: AnyGame, ids: Iterable[str]) -> list[dict[str, Any]]:
    """Several actions, by their ids."""
    return [told(game, parse_action(id)) for id in ids]


def _fact(game: AnyGame, fact: Any) -> Any:
    return game.place_value(fact).to_json() if isinstance(fact, str) and game.is_place(fact) else valued(game, fact)
