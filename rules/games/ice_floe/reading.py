"""Actions that explain a change of the table (ICE-7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.engine import Action
from rules.engine.throws import throw_seen
from rules.games.ice_floe.floes import paths, walk
from rules.games.ice_floe.geometry import CELL_OF, NAMES, NOWHERE, SLIDES, path_text
from rules.games.ice_floe.layout import cell_at
from rules.games.ice_floe.opening import LOST, TILES, Phase, State, find_pyramid, pyramid_name
from rules.games.ice_floe.rounds import choice_code, coin_seats, supportable, voters
from rules.pieces import Face, Kind
from rules.table.change import Change
from rules.table.layout import Placed, Zone

_TILE_NAME = {piece.code: name for name, piece in TILES.items()}


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Candidate actions, not all legal; none where the table does not show the action."""
    found = _SUGGEST.get(state.phase)
    return found(state, change) if found else iter(())


def _changed_pieces(change: Change, kind: Kind) -> list[Placed]:
    """Pieces of a kind that are new or lie differently."""
    return [p for p in change.placed if p.piece.kind is kind]


def _cell(placed: Placed) -> int | None:
    return CELL_OF.get(placed.place, cell_at(placed.x, placed.y))


def _gone_tiles(state: State, change: Change) -> list[int]:
    """Cells whose tile has left the board."""
    away = [move.before for move in change.moved if move.after.zone is not Zone.BOARD]
    names = [_TILE_NAME.get(p.piece.code) for p in [*change.removed, *away] if p.piece.kind is Kind.TILE]
    return [state.floes.index(name) for name in names if name and name in state.floes]


def _pyramids_now(state: State, change: Change) -> dict[int, int]:
    """New cells of the pyramids that moved; LOST for those that left the board."""
    found = {}
    for placed in _changed_pieces(change, Kind.PYRAMID):
        index = find_pyramid(state, placed.piece.code[1:])
        cell = _cell(placed) if placed.zone is Zone.BOARD else LOST
        if index is not None and cell is not None and cell != state.pyramids[index]:
            found[index] = cell
    for placed in change.removed:
        index = find_pyramid(state, placed.piece.code[1:]) if placed.piece.kind is Kind.PYRAMID else None
        if index is not None:
            found[index] = LOST
    return found


def _dice(state: State, change: Change) -> Iterator[Action]:
    """A throw or vote of all dice that are due: a single changed die may only have been touched."""
    verb, seats = ("roll", state.rolling) if state.phase == Phase.ROLL else ("reveal_number", voters(state))
    if throw := throw_seen(change, [state.suits[seat] for seat in seats]):
        yield Action(verb, (throw,))


def _place(state: State, change: Change) -> Iterator[Action]:
    for index, cell in _pyramids_now(state, change).items():
        if cell >= 0:
            yield Action("place", (pyramid_name(state, index), NAMES[cell]))


def _move(state: State, change: Change) -> Iterator[Action]:
    """A slide if a tile lies elsewhere; else moves of the displaced pyramids, also into the water."""
    for placed in _changed_pieces(change, Kind.TILE):
        name = _TILE_NAME.get(placed.piece.code)
        if placed.zone is Zone.BOARD and name in state.floes:
            source, target = state.floes.index(name), _cell(placed)
            yield from (Action("slide", (NAMES[source], way)) for way, to in SLIDES[source] if to == target)
    gone = _gone_tiles(state, change)
    for index, cell in _pyramids_now(state, change).items():
        found: list[tuple[int, int]] = []
        if cell >= 0:
            arriving = [path for path in paths(state, index) if walk(state, index, path).pyramids[index] == cell]
            found = _shortest(arriving) or [(cell, NOWHERE)]
        elif state.pyramids[index] >= 0 and state.pyramids[index] not in gone:
            for broken in gone:
                found += _shortest(path for path in paths(state, index) if not walk(state, index, path).floes[broken])
        yield from (Action("move", (pyramid_name(state, index), path_text(path))) for path in found)


def _shortest(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first three of some paths, those of one part first."""
    return sorted(found, key=lambda path: path[1] != NOWHERE)[:3]


def _suit(state: State, change: Change) -> Iterator[Action]:
    if votes := _suit_votes(state, change):
        yield Action("reveal_suit", ("+".join(votes),))


def _suit_votes(state: State, change: Change) -> list[str]:
    """Votes of the coins of the sets that newly show their suit."""
    votes = []
    for placed in _changed_pieces(change, Kind.COIN):
        suit, rank = placed.piece.suit, placed.piece.rank
        seat = placed.seat if rank is None or rank.letter not in state.sets else state.sets.index(rank.letter)
        if placed.face is Face.BACK and suit is not None and seat is not None:
            votes.append(state.suits[seat].letter + suit.letter)
    return votes


def _coins(state: State, change: Change) -> Iterator[Action]:
    """Added coins: a voting coin has left its owner. The table does not show the choice; seats asked before have added
    none, and nobody adds more once the next vote is uncovered or a tile has gone."""
    away = [move.before for move in change.moved if move.before.piece.kind is Kind.COIN]
    for placed in [*change.removed, *away]:
        suit, rank = placed.piece.suit, placed.piece.rank
        if placed.piece.kind is Kind.COIN and suit in state.suits and rank is not None and rank.letter in "a2":
            seat = state.suits.index(suit)
            for choice in supportable(state) if seat in coin_seats(state) else ():
                yield Action("add_coin", (rank.digit, choice_code(choice)), seat)
            if seat != state.to_act:
                yield Action("keep_coins")
    if _gone_tiles(state, change) or _suit_votes(state, change):
        yield Action("close_coins")


def _tie(state: State, change: Change) -> Iterator[Action]:
    """Choices of the torch bearer, which show only in their consequences."""
    if _gone_tiles(state, change) or _suit_votes(state, change):
        for choice in state.ballot.choices:
            yield Action("break_tie", (choice,))


def _explode(state: State, _change: Change) -> Iterator[Action]:
    yield Action("explode", (NAMES[state.floes.index(state.target)],))


def _bonus(state: State, change: Change) -> Iterator[Action]:
    for cell in _gone_tiles(state, change):
        yield Action("bonus", (NAMES[cell],))
    yield Action("decline")


_SUGGEST: dict[str, Callable[[State, Change], Iterator[Action]]] = {
    Phase.ROLL: _dice,
    Phase.PLACE: _place,
    Phase.MOVE: _move,
    Phase.NUMBER: _dice,
    Phase.SUIT: _suit,
    Phase.NUMBER_COINS: _coins,
    Phase.SUIT_COINS: _coins,
    Phase.NUMBER_TIE: _tie,
    Phase.SUIT_TIE: _tie,
    Phase.EXPLODE: _explode,
    Phase.BONUS: _bonus,
}
