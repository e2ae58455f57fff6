"""Actions and events for phones: the verb with arguments as values, the picture of a choice, and joint choices by
parts. A phone never parses a code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion_api.log.event import EventKind
from companion_api.seat_view import SeatView, VisibleAction
from rules.engine.action import Action, ParamKind, Verb, parse_action
from rules.engine.argument_value import Value
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.turn import TurnKind
from rules.pieces import RANKS, Kind, Suit, parse_piece
from rules.table.layout import Layout, Placed, Zone

MAX_LISTED = 30
"""Choices a phone lists in words; beyond it joint decisions are chosen part by part."""


def action_json(game: AnyGame, action: Action) -> dict[str, Any]:
    return {"verb": action.verb, "args": [value.to_json() for value in game.values(action)]}


def action_with_text(game: AnyGame, action: Action) -> dict[str, Any]:
    return {"id": action.id, "text": game.describe(action), **action_json(game, action)}


def choices_for(table: SeatView, actions: Iterable[Action]) -> list[dict[str, Any]]:
    builder = _ChoiceBuilder(table)
    return [builder.choice(action) for action in actions]


class _ChoiceBuilder:
    """Builds the choices of one state; shared parts are computed once."""

    def __init__(self, table: SeatView) -> None:
        self._table, self._game, self._state = table, table.game, table.state
        self._seats = self._game.turn(self._state).seats
        self._layout: Layout = self._game.layout(self._state)
        self._beside: dict[Value, str | None] = {}

    def choice(self, action: Action) -> dict[str, Any]:
        game = self._game
        offered = game.offer(self._state, action)
        values, verb = game.values(action), game.verbs[action.verb]
        touches, laid = list(game.touches(action)), self._placed_piece(verb, action, values)
        return {
            "id": action.id,
            "text": offered.text if offered else game.describe(action),
            "said": offered and with_values(game, offered.to_json()),
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
        """Whether the action only passes or ends a phase."""
        game = self._game
        if game.turn(self._state).kind is not TurnKind.SEAT or game.is_open_to_all(action):
            return False
        return all(effect.kind in _PLAIN_EFFECTS for effect in game.apply(self._state, action).effects)

    def _picture(self, verb: Verb, action: Action, values: tuple[Value, ...]) -> dict[str, Any] | None:
        """The picture its verb declares, else the single piece or die it names."""
        if verb.drawn is not None:
            named = dict(zip((param.name for param in verb.params), values, strict=False))
            looks = verb.icon_value(verb.drawn, values, self._suit(action))
            return picture_of(looks, named.get(verb.drawn.onto))
        each = (value.all[0] if value.all and len(value.all) == 1 else value for value in values)
        drawable = [value for value in each if value.kind in _PICTURED]
        return picture_of(drawable[0]) if len(drawable) == 1 and drawable[0].suit else None

    def _placed_piece(self, verb: Verb, action: Action, values: tuple[Value, ...]) -> str | None:
        """The code of the off-board piece that the action places."""
        if verb.lays is None:
            return None
        looks = verb.icon_value(verb.lays, values, self._suit(action))
        if looks not in self._beside:
            beside = (placed for placed in self._layout if placed.zone is not Zone.BOARD)
            available = (placed for placed in beside if placed.seat is None or placed.seat in self._seats)
            found = (placed.piece.code for placed in available if _fits(placed, looks))
            self._beside[looks] = next(found, None)
        return self._beside[looks]

    def _suit(self, action: Action) -> Suit | None:
        seat = self._table.seat if action.seat is None else action.seat
        return self._table.seats[next(iter(self._seats), 0) if seat is None else seat].suit


_PLAIN_EFFECTS = (EffectKind.PHASE, EffectKind.TURN, EffectKind.CHOOSE)
_PICTURED = (Kind.TILE, Kind.COIN, Kind.DIE, Kind.PAWN)


def _fits(placed: Placed, looks: Value) -> bool:
    piece = placed.piece
    return (
        piece.kind is looks.kind
        and (looks.suit is None or piece.suit is looks.suit)
        and (looks.value is None or (piece.rank is not None and piece.rank.word == looks.value))
        and (looks.size is None or piece.size is looks.size)
    )


def picture_of(looks: Value, onto: Value | None = None) -> dict[str, Any]:
    """A piece to draw; coins show their informative side. `onto`: its target."""
    sides = {Kind.TILE: "front", Kind.CARD: "front", Kind.COIN: "front" if looks.value else "back"}
    face = sides.get(looks.kind) if looks.kind else None
    drawn = {"kind": looks.kind, "suit": looks.suit, "value": looks.value, "mark": looks.mark, "face": face}
    return {**drawn, "onto": onto.to_json()} if onto else drawn


# Joint choices -----------------------------------------------------------------------------------------------------


def together_for(table: SeatView, items: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Dice rolled or coins drawn together in more ways than fit a list: the parts of the action's id and their options.
    A truncated list still names all options of its last part."""
    game, state = table.game, table.state
    without_picture = [item for item in items if item["picture"] is None]
    if len(without_picture) <= MAX_LISTED or game.turn(state).kind is not TurnKind.CHANCE:
        return None
    verb = game.verbs[without_picture[0]["verb"]]
    inner = (item["id"].removeprefix(f"{verb.name}(").removesuffix(")") for item in without_picture)
    codes = [text.replace("+", ",").split(",") for text in inner]
    alike = all(item["verb"] == verb.name for item in without_picture) and len({len(one) for one in codes}) == 1
    if not alike or len(codes[0]) < 2:
        return None
    joint = "+" if verb.params[0].kind is ParamKind.LIST else ","
    options = [_faces(code) for code in codes[0]]
    if not all(options):
        every = dict.fromkeys(code for one in codes for code in reversed(one))
        options = [[_part(code) for code in every] for _ in codes[0]]
    prefixes = [f"{verb.name}(", *[joint] * (len(options) - 1)]
    return {"parts": [{"before": b, "ways": w} for b, w in zip(prefixes, options, strict=True)], "end": ")"}


def _faces(code: str) -> list[dict[str, Any]]:
    """All faces of a die of the code's suit; empty for other pieces."""
    try:
        die = parse_piece(f"d{code}").suit
    except ValueError:
        return []
    return [_way(f"{code[0]}{int(rank)}", Value(Kind.DIE, die, rank.word)) for rank in RANKS] if die else []


def _part(code: str) -> dict[str, Any]:
    try:
        piece = parse_piece(code)
    except ValueError:
        return _way(code, Value(word=code))
    return _way(code, Value(piece.kind, piece.suit, None if piece.rank is None else piece.rank.word))


def _way(code: str, value: Value) -> dict[str, Any]:
    return {"code": code, "value": value.to_json(), "picture": picture_of(value) if value.kind else None}


# Sentences ---------------------------------------------------------------------------------------------------------


def with_values(game: AnyGame, data: Any) -> Any:
    """The answer with places and actions mentioned in its sentences replaced by values, also those of the referee's
    questions and misplaced pieces. The log stores only their codes."""
    if isinstance(data, list):
        return [with_values(game, each) for each in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"action", "words"}:
        return {**data, **action_json(game, parse_action(data["action"]))}
    found = {key: with_values(game, each) for key, each in data.items()}
    if "key" in data and "facts" in data:
        found["facts"] = {name: _fact(game, each) for name, each in data["facts"].items()}
    if "several" in data:
        found["several"] = [_fact(game, each) for each in data["several"]]
    if data.get("actions") and "p" in data:
        found["acts"] = [action_json(game, parse_action(id)) for id in data["actions"]]
    if "zone" in data and data.get("place"):
        found["where"] = game.place_value(data["place"]).to_json()
    if data.get("attempt"):
        found["blamed"] = list(game.touches(parse_action(data["attempt"])))
    return found


def _fact(game: AnyGame, fact: Any) -> Any:
    is_place = isinstance(fact, str) and game.is_place(fact)
    return game.place_value(fact).to_json() if is_place else with_values(game, fact)


_WITH_SENTENCES = (EventKind.VERDICT, EventKind.RULING)
_WITH_ACTIONS = (EventKind.ACTION, EventKind.CORRECTED, EventKind.LAID)


def events_for(table: SeatView, after: int = 0, last: int | None = None) -> Iterator[dict[str, Any]]:
    """Events after one, up to a last one, in order; actions are described in the state they were done in."""
    for known in table.events(after, last):
        event = known.event
        plain = {"seq": event.seq, "at": event.at, "kind": event.kind.value, "by": event.by, **event.data}
        if event.kind in _WITH_ACTIONS:
            plain["actions"] = [_action_for(table, visible) for visible in known.actions]
        yield with_values(table.game, plain) if event.kind in _WITH_SENTENCES else plain


def _action_for(table: SeatView, visible: VisibleAction) -> dict[str, Any]:
    effects = [effect_json(table.game, effect) for effect in visible.entry.effects]
    if visible.action is None:
        return {"id": None, "text": None, "seat": visible.seat, "effects": effects}
    plain = {**action_with_text(table.game, visible.action), "seat": visible.seat, "effects": effects}
    return {**plain, "secret": True} if visible.secret else plain


def effect_json(game: AnyGame, effect: Effect) -> dict[str, Any]:
    """An effect with its piece and places as values and its sentence, so that any language can word it."""
    plain: dict[str, Any] = effect.to_json()
    for end in ("from", "to"):
        if (spot := plain.get(end)) and spot["zone"] == Zone.BOARD and spot["place"]:
            spot["value"] = game.place_value(spot["place"]).to_json()
    if values := game.fact_values(effect.facts):
        plain["values"] = values
    if (piece := effect.piece) is not None:
        plain["thing"] = {
            "kind": piece.kind.value,
            "suit": piece.suit.value if piece.suit else None,
            "value": piece.rank.word if piece.rank is not None else None,
            "size": piece.size.value if piece.size else None,
            "mark": piece.mark,
        }
    if effect.sentence is not None:
        plain["said"] = with_values(game, effect.sentence.to_json())
    return plain
