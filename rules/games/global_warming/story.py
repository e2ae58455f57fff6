"""What an action did, told in effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rules.engine import Action, Effect, EffectKind, Spot
from rules.engine.refusal import Fact
from rules.games.global_warming.board import line_spot, spot
from rules.games.global_warming.cells import COMPASS, near
from rules.games.global_warming.coins import identity, shown, shows_suit
from rules.games.global_warming.danger import danger
from rules.games.global_warming.opening import (
    ACTIONS,
    COIN_INDEX,
    COINS,
    ENDED,
    LINE,
    MISSING,
    SELECT,
    SINK,
    TILE_INDEX,
    TILES,
    State,
)
from rules.games.global_warming.play import FACES, NO_COIN, acting_order, pawn_of, split
from rules.pieces import RANKS, die, parse_rank, parse_suit, pawn
from rules.table.layout import Zone


def story(before: State, action: Action, after: State, seat: int | None) -> Iterator[Effect]:
    yield from _STORIES[action.verb](before, action, after, seat)
    yield from _what_next(before, after)


def _deal(_before: State, _action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    for code, place in zip(TILE_INDEX, after.tiles, strict=True):
        yield Effect(EffectKind.FLIP, TILES[TILE_INDEX[code]], code, target=spot(place), clause="GW-3.1")


def _start(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    waiting = [index for index, place in enumerate(before.pawns) if not place]
    for index, code in zip(waiting, split(action[0]), strict=False):
        suit, seat, place = before.suits[index], before.owners[index], after.pawns[index]
        yield Effect(
            EffectKind.REVEAL,
            COINS[COIN_INDEX[code]],
            seat=seat,
            clause="GW-3.3",
            facts={"tile": "t" + code[1:]},
        )
        target, source = spot(place), Spot(zone=Zone.HAND, seat=seat)
        yield Effect(EffectKind.PLACE, pawn(suit), f"p{suit.letter}", source, target, seat=seat, clause="GW-3.3")
    if after.phase == LINE:
        yield Effect(
            EffectKind.PHASE,
            clause="GW-3.4",
            facts={"what": "the drawn coins go back into the bag", "bag": after.bag},
        )


def _open(_before: State, _action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    for number, side in enumerate(after.line):
        yield _new_coin(side, number, after.handler, after.bag, "GW-3.6")


def _new_coin(side: str, drawn: int, drawer: int, left: int, clause: str) -> Effect:
    source = Spot(zone=Zone.SUPPLY)
    facts = {"shows": "suit" if shows_suit(side) else "value", "bag": left}
    return Effect(
        EffectKind.PLACE,
        shown(side),
        f"coin{drawn}",
        source,
        line_spot(drawn),
        seat=drawer,
        clause=clause,
        facts=facts,
    )


def _commit(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    """The face is not told: it is a secret until all are uncovered."""
    index = pawn_of(before, action[0])
    suit, owner = before.suits[index], before.owners[index]
    yield Effect(EffectKind.CHOOSE, die(suit), f"d{suit.letter}", seat=owner, clause="GW-4.1", facts={"sealed": True})
    yield from _uncovered(
        (*before.faces[:index], parse_rank(action[1]).letter, *before.faces[index + 1 :]), before, after
    )


def _reveal(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    faces = list(before.faces)
    for item in split(action[0]):
        faces[before.suits.index(parse_suit(item[0]))] = MISSING if item[1:] == MISSING else parse_rank(item[1:]).letter
    yield from _uncovered(tuple(faces), before, after)


def _uncovered(faces: tuple[str, ...], before: State, after: State) -> Iterator[Effect]:
    if any(not faces[index] for index in before.alive):
        return
    count = Counter(faces)
    for index in before.alive:
        yield _one_die(faces, index, before, count)
    if after.phase == SELECT:
        text = "a die was not set; all choose again"
        yield Effect(EffectKind.PHASE, clause="GW-R10", facts={"what": text})
        return
    order = acting_order(faces)
    names = [f"{before.suits[index]} {faces[index]}" for index in order]
    yield Effect(EffectKind.PHASE, clause="GW-4.4", facts={"order": names})
    yield from _lapsed(order, after)


def _one_die(faces: tuple[str, ...], index: int, before: State, count: Counter[str]) -> Effect:
    face, suit, seat = faces[index], before.suits[index], before.owners[index]
    key = f"d{suit.letter}"
    if face == MISSING:
        return Effect(EffectKind.REVEAL, die(suit), key, seat=seat, clause="GW-R10", facts={"missing": True})
    same = [before.suits[other].value for other in before.alive if other != index and faces[other] == face]
    facts: dict[str, Fact] = {"face": face, "cancelled": count[face] > 1, "same_as": same}
    return Effect(EffectKind.REVEAL, die(suit, RANKS[FACES.index(face)]), key, seat=seat, clause="GW-4.3", facts=facts)


def _lapsed(expected: tuple[int, ...], after: State) -> Iterator[Effect]:
    """Whoever should have acted but could not."""
    for index in expected[: len(expected) - len(after.order)]:
        suit, face = after.suits[index], after.faces[index]
        clause = "GW-4.11" if face == "n" else "GW-4.7"
        facts = {"pawn": suit.value, "face": face, "what": "the action lapses: nothing can be moved"}
        yield Effect(EffectKind.CHOOSE, seat=after.owners[index], clause=clause, facts=facts)


def _handler(_before: State, _action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    yield Effect(EffectKind.CHOOSE, seat=after.handler, clause="GW-3.5", facts={"handler": after.handler})


def _resign(before: State, _action: Action, after: State, seat: int | None) -> Iterator[Effect]:
    for index in before.alive:
        if before.owners[index] == seat:
            yield from _drowns(before, index, "GW-R14")
    if after.phase in (ACTIONS, SINK):
        yield from _uncovered(
            tuple(f if p else "" for f, p in zip(before.faces, after.pawns, strict=True)), after, after
        )


def _drowns(before: State, index: int, clause: str) -> Iterator[Effect]:
    suit, seat, place = before.suits[index], before.owners[index], before.pawns[index]
    target = Spot(zone=Zone.SPENT, seat=seat)
    yield Effect(EffectKind.REMOVE, pawn(suit), f"p{suit.letter}", spot(place), target, seat=seat, clause=clause)
    others = [other for other in before.alive if other != index and before.owners[other] == seat]
    why = "resigned" if clause == "GW-R14" else "drowned"
    facts = {"why": why, "pawn": suit.value, "pawns_left": len(others)}
    if not others or clause == "GW-R14":
        yield Effect(EffectKind.ELIMINATE, pawn(suit), f"p{suit.letter}", seat=seat, clause=clause, facts=facts)


def _moves(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    pawns = list(before.pawns)
    for number, item in enumerate(split(action[0]), 1):
        index = pawn_of(before, item[0])
        source = pawns[index]
        pawns[index] = near(source)[COMPASS.index(item[1])]
        yield _pawn_goes(before, index, source, pawns[index], {"step": number})
    yield from _lapsed(before.order[1:], after)


def _arranged(before: State, _action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    pairs = list(zip(before.pawns, after.pawns, strict=True))
    face = before.faces[before.order[0]]
    for index, (source, target) in enumerate(pairs):
        if source != target:
            yield _pawn_goes(before, index, source, target, {"steps_in_all": FACES.index(face)})
    if before.pawns == after.pawns:
        facts: dict[str, Fact] = {"choice": "back and forth", "steps_in_all": FACES.index(face)}
        yield Effect(EffectKind.CHOOSE, seat=before.owners[before.order[0]], clause="GW-4.8", facts=facts)
    yield from _lapsed(before.order[1:], after)


def _pawn_goes(before: State, index: int, source: str, target: str, facts: dict[str, int]) -> Effect:
    suit = before.suits[index]
    mover = before.owners[before.order[0]]
    who: dict[str, Fact] = {"pawn": suit.value, **facts}
    key = f"p{suit.letter}"
    return Effect(EffectKind.MOVE, pawn(suit), key, spot(source), spot(target), seat=mover, clause="GW-4.5", facts=who)


def _tile(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    source, target = action.args
    piece = TILES[before.tiles.index(source)]
    seat = before.owners[before.order[0]]
    yield Effect(EffectKind.MOVE, piece, piece.code, spot(source), spot(target), seat=seat, clause="GW-4.9")
    yield from _lapsed(before.order[1:], after)


def _decline(before: State, _action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    seat = before.owners[before.order[0]]
    yield Effect(EffectKind.CHOOSE, seat=seat, clause="GW-R2", facts={"choice": "decline"})
    yield from _lapsed(before.order[1:], after)


def _sink(before: State, action: Action, after: State, _seat: int | None) -> Iterator[Effect]:
    new, revealed = action.args
    index = identity(before.line[0], revealed)
    assert index is not None
    drawn = len(before.sunk)
    if new not in NO_COIN:
        yield _new_coin(new, drawn + len(before.line), before.handler, after.bag, "GW-4.12")
    facts = {"showed": before.line[0], "shows": revealed}
    yield Effect(
        EffectKind.FLIP,
        COINS[index],
        f"coin{drawn}",
        line_spot(drawn),
        line_spot(drawn),
        clause="GW-4.12",
        facts=facts,
    )
    yield from _collapse(before, index)
    for lost, place in enumerate(before.pawns):
        if place == before.tiles[index]:
            yield from _drowns(before, lost, "GW-4.12")
    if after.handler != before.handler:
        yield Effect(EffectKind.CHOOSE, seat=after.handler, clause="GW-5.2", facts={"handler": after.handler})


def _collapse(before: State, index: int) -> Iterator[Effect]:
    place, tile = before.tiles[index], TILES[index]
    gone = Spot(zone=Zone.SPENT)
    chance = next((d for d in danger(before.line, before.sunk) if d.tile == tile.code), None)
    facts: dict[str, Fact] = {"places": [place], "tile": tile.code, "turn": before.turn}
    if chance:
        facts |= {"cases": chance.next, "of": chance.cases}
    yield Effect(EffectKind.COLLAPSE, tile, tile.code, spot(place), clause="GW-4.12", facts=facts)
    yield Effect(EffectKind.REMOVE, tile, tile.code, spot(place), gone, clause="GW-4.12")
    yield Effect(
        EffectKind.REMOVE,
        COINS[index],
        f"coin{len(before.sunk)}",
        line_spot(len(before.sunk)),
        gone,
        clause="GW-4.12",
    )


def _what_next(before: State, after: State) -> Iterator[Effect]:
    if after.phase == ENDED:
        yield Effect(EffectKind.END, seat=next(iter(after.survivors), None), clause="GW-5.3")
    elif after.phase == ACTIONS and after.order != before.order:
        index = after.order[0]
        facts = {"pawn": after.suits[index].value, "face": after.faces[index]}
        yield Effect(EffectKind.TURN, seat=after.owners[index], clause="GW-4.4", facts=facts)
    elif after.phase != before.phase:
        yield Effect(EffectKind.PHASE, facts={"phase": after.phase, "turn": after.turn})


_STORIES: dict[str, Callable[[State, Action, State, int | None], Iterator[Effect]]] = {
    "deal_island": _deal,
    "draw_start": _start,
    "open_line": _open,
    "commit": _commit,
    "reveal": _reveal,
    "set_handler": _handler,
    "resign": _resign,
    "move_pawns": _moves,
    "arrange": _arranged,
    "move_tile": _tile,
    "decline": _decline,
    "sink": _sink,
}
