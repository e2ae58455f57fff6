"""The contract of games. A game is made of deeds, from which vocabulary, phase check, `legal`, `check`, `apply` and
`advance` follow, and of functions for its opening, turn, layout and outcome. It is pure: a state is a frozen, slotted
dataclass, and no method changes anything.

Laws, tested for every game by tests/conformance:
- an action that `legal` yields is never refused; where `exhaustive` says so, everything else is refused;
- `apply` never changes its input, and the same actions give the same state;
- a state and an action go to text and back; a layout has exactly the pieces of the set;
- every refusal cites a clause that stands in the game's rulebook.md.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from rules.engine.action import Action, ParamKind, Verb, parse_action
from rules.engine.argument_value import Value, place, sign_of, word
from rules.engine.card import GameCard, Seat, read_options, read_seats
from rules.engine.codec import decode, encode
from rules.engine.deed import (
    Deed,
    PhaseDeeds,
    PhaseText,
    Step,
    listed,
    listed_near,
    listed_without_targets,
    of_seat,
    phase_deeds,
)
from rules.engine.general_refusals import general_refusal
from rules.engine.outcome import Outcome
from rules.engine.refusal import Code, Facts, Refusal
from rules.engine.turn import Turn, TurnKind
from rules.sentence import Fact, Sentence
from rules.table.change import Change
from rules.table.layout import Layout

_CELL = re.compile(r"-?\d+[/:]-?\d+|x-?\d+y-?\d+")
_WORD = re.compile(r"([a-z]{3,})\d*")
_STEP = re.compile(r"([a-z]\d{1,2})-([a-z]\d{1,2})")

_CODE_FACTS = ("attackers", "defenders", "lost", "places", "same_as", "for", "tile", "number", "face")
"""Facts of effects whose values are codes of suits, values, pieces or places."""

S = TypeVar("S")
O = TypeVar("O")


class Hooks(TypedDict, Generic[S], total=False):
    """Functions with which a game may replace the methods of `Game` of the same name."""

    choices: Callable[[S, int | None], Iterable[Action]]
    sample: Callable[[S, random.Random], Action]
    exhaustive: Callable[[S], bool]
    phase_facts: Callable[[S], Mapping[str, Fact]]
    seats_of: Callable[[S], int]
    turn_clause: Callable[[S, Turn], str]
    seat_refusal: Callable[[S, int], Refusal | None]

    suggest: Callable[[S, Change], Iterable[Action]]
    attempts: Callable[[S, Change], Iterable[Action]]

    view: Callable[[S, int | None], S]
    redact: Callable[[S, Action, int | None], Action | None]

    shorthand: Callable[[S, str], Action | None]

    called: Callable[[str], str | None]
    describe: Callable[[Action], str]
    diagram: Callable[[S], str]
    place_value: Callable[[str], Value]
    fact_values: Callable[[Facts], dict[str, object]]


class Game(Generic[S, O]):
    """`S` is the state, `O` the options dataclass of a game. `hooks` replace the methods of the same name, which a hook
    may still call: `Game.sample(GAME, state, rng)`."""

    opening: Callable[[O, tuple[Seat, ...]], S]
    """The first state. Where a shuffle or a roll comes first, its turn is CHANCE."""
    turn: Callable[[S], Turn]
    layout: Callable[[S], Layout]
    """The expected table, hands and supply included."""
    outcome: Callable[[S], Outcome]
    position: Callable[[Mapping[str, object], O, tuple[Seat, ...]], S]
    """Any position, from the fields described in the rulebook.md of the game; missing fields are as in the opening."""

    def __init__(
        self,
        *,
        card: GameCard,
        state_type: type[S],
        opening: Callable[[O, tuple[Seat, ...]], S],
        turn: Callable[[S], Turn],
        layout: Callable[[S], Layout],
        outcome: Callable[[S], Outcome],
        position: Callable[[Mapping[str, object], O, tuple[Seat, ...]], S],
        deeds: tuple[Deed[S], ...],
        phases: Mapping[str, PhaseText] = MappingProxyType({}),
        by_tiles: bool = False,
        **hooks: Unpack[Hooks[S]],
    ) -> None:
        """`phases`: the text of every phase that a deed names, by the `phase` of the turn. `by_tiles`: places have only
        numbers; people name the tile or card of a place instead."""
        self.card = replace(card, verbs=tuple(deed.verb for deed in deeds))
        self.verbs: dict[str, Verb] = {verb.name: verb for verb in self.card.verbs}
        self.state_type, self.deeds, self.phases, self.by_tiles = state_type, deeds, phases, by_tiles
        self.opening, self.turn, self.layout, self.outcome, self.position = opening, turn, layout, outcome, position
        self._deed: dict[str, Deed[S]] = {deed.verb.name: deed for deed in deeds}
        self._phase_deeds: dict[str, PhaseDeeds] = {}
        if len(self._deed) < len(deeds):
            raise TypeError(f"{card.id} declares the same verb twice")
        if part := next((deed for deed in deeds if not deed.is_complete), None):
            raise TypeError(f"{card.id}: {part.verb.name} has arguments, so it needs its own `legal` and `check`")
        unknown = {phase for deed in deeds for phase in deed.phases} - set(phases)
        if unknown:
            raise TypeError(f"{card.id} says nothing of the phase {min(unknown)!r} in `phases`")
        vars(self).update(hooks)

    def choices(self, state: S, seat: int | None = None) -> Iterable[Action]:
        """The legal actions of a seat (None: of all seats), lazily. Empty when the game is over."""
        here = self._deeds_for(state, seat)
        return of_seat(listed(here, state), seat) if here else ()

    def near(self, state: S, names: Collection[str], seat: int | None = None) -> Iterable[Action]:
        """The legal actions that name one of these places or pieces, without listing all others."""
        here = self._deeds_for(state, seat)
        return of_seat(listed_near(here, state, names), seat) if here else ()

    def without_targets(self, state: S) -> Iterable[Action]:
        """The legal actions that name no place or piece: to pass, to throw dice."""
        here = self._deeds_for(state, None)
        return listed_without_targets(here, state) if here else ()

    def sample(self, state: S, rng: random.Random) -> Action:
        """A random legal action: of dice, shuffled coins and random players."""
        phase = self.turn(state).phase
        here = self._phase_deeds.get(phase) or self._in_phase(phase)  # hot path of play-outs
        if here.sampler is None:
            return rng.choice(list(self.legal(state)))
        return here.sampler.sample(state, rng) or next(a for deed in here.fallbacks for a in deed.legal(state))

    def check(self, state: S, action: Action) -> Refusal | None:
        """Why an action is illegal. `refusal` has checked that the game is not over, the verb, the number of arguments
        and the actor; the arguments may still be absurd."""
        deed = self._deed[action.verb]
        return self._out_of_phase(state, deed) or deed.check(state, deed.verb.with_joined_list(action))

    def apply(self, state: S, action: Action) -> Step[S]:
        """The step of a legal action; the actor may be omitted (action.seat None) if it is clear."""
        deed = self._deed[action.verb]
        return deed.do(state, deed.verb.with_joined_list(action))

    def advance(self, state: S, action: Action) -> S:
        """The state of `apply`, without effects."""
        deed = self._deed[action.verb]
        after: S = deed.advance(state, deed.verb.with_joined_list(action))
        return after

    def exhaustive(self, state: S) -> bool:
        """Whether `legal` lists every legal action. Where positions are continuous or a deal is random, it lists a
        finite selection (ends of intervals, a sample), and only `check` decides."""
        return self._in_phase(self.turn(state).phase).exhaustive

    def is_open_to_all(self, action: Action) -> bool:
        """Whether any seat may do this at any time; then `check` examines the actor."""
        deed = self._deed.get(action.verb)
        return deed is not None and deed.is_open_to_all

    def describe(self, action: Action) -> str:
        deed = self._deed.get(action.verb)
        return deed.describe(deed.verb.with_joined_list(action)) if deed else action.id

    def offer(self, state: S, action: Action) -> Sentence | None:
        """The sentence of a choice whose meaning depends on the state; None: `describe` has it."""
        deed = self._deed.get(action.verb)
        return deed.offer(state, action) if deed else None

    def touches(self, action: Action) -> tuple[str, ...]:
        deed = self._deed.get(action.verb)
        return deed.touches(action) if deed else ()

    def values(self, action: Action) -> tuple[Value, ...]:
        """The arguments as values, with labels of places; empty for an unknown verb."""
        deed = self._deed.get(action.verb)
        return tuple(map(self._labelled, deed.values(deed.verb.with_joined_list(action)))) if deed else ()

    def _labelled(self, value: Value) -> Value:
        if value.all is not None:
            return replace(value, all=tuple(map(self._labelled, value.all)))
        return replace(value, called=self.called(value.place)) if value.place is not None else value

    def called(self, place: str) -> str | None:
        """The label of a place that people call otherwise; None: its name."""
        return None

    def place_value(self, name: str) -> Value:
        """The value of a place in an effect or a sentence; without coordinates a word: the line, the stack."""
        found = _WORD.fullmatch(name)
        return replace(word(found[1], "place"), place=name) if found else place(name, self.called(name))

    def is_place(self, text: str) -> bool:
        """Whether a text is the name of a place that people call otherwise."""
        return (self.by_tiles and _CELL.fullmatch(text) is not None) or self.called(text) is not None

    def fact_values(self, facts: Facts) -> dict[str, object]:
        """Those facts of an effect that are codes, as JSON of their values."""
        return {name: self._fact_value(fact) for name, fact in facts.items() if name in _CODE_FACTS}

    def _fact_value(self, fact: object) -> object:
        if isinstance(fact, list):
            return [self._fact_value(each) for each in fact]
        try:
            return sign_of(str(fact)).to_json()
        except ValueError:
            return self.place_value(str(fact)).to_json()

    def _deeds_for(self, state: S, seat: int | None) -> PhaseDeeds | None:
        """The deeds of the phase for a seat: where others are to act, only those open to all."""
        turn = self.turn(state)
        if turn.is_over:
            return None
        here = self._in_phase(turn.phase)
        return here if seat is None or not turn.seats or seat in turn.seats else here.is_offered_to_others

    def _out_of_phase(self, state: S, deed: Deed[Any]) -> Refusal | None:
        if not deed.phases:
            return None
        phase = self.turn(state).phase
        if phase in deed.phases:
            return None
        reason = deed.wrong_phase or self.phases[phase]
        verbs = list(self._in_phase(phase).verbs)
        facts = {name: fact for name, fact in self.phase_facts(state).items() if f"{{{name}}}" in reason.text}
        text = Sentence(reason.text, facts)
        return Refusal(Code.WRONG_PHASE, reason.clause or deed.verb.clause, text, {"phase": phase, "now": verbs})

    def _in_phase(self, phase: str) -> PhaseDeeds:
        try:
            return self._phase_deeds[phase]
        except KeyError:
            deeds = tuple(deed for deed in self.deeds if not deed.phases or phase in deed.phases)
            self._phase_deeds[phase] = phase_deeds(deeds)
            return self._phase_deeds[phase]

    def phase_facts(self, state: S) -> Mapping[str, Fact]:
        """Facts for the fields of the phase texts."""
        return {}

    def view(self, state: S, seat: int | None) -> S:
        """The state with the secrets of other seats removed (None: the public view)."""
        return state

    def redact(self, state: S, action: Action, seat: int | None) -> Action | None:
        """The action as far as a seat (None: the public) may know it; None: only that it was done. A choice is sealed
        until all have chosen."""
        sealed = self.turn(state).kind is TurnKind.ALL and action.seat is not None
        return None if sealed and action.seat != seat else action

    def suggest(self, state: S, change: Change) -> Iterable[Action]:
        """The actions that could explain a change of the table, likely ones first. In a CHANCE turn all legal ones: a
        turned piece may show any value."""
        touching = list(self.legal(state, touching=change.places))
        if not touching:
            return self.legal(state)
        return dict.fromkeys([*touching, *self.legal(state)]) if self.turn(state).kind is TurnKind.CHANCE else touching

    def attempts(self, state: S, change: Change) -> Iterable[Action]:
        """Actions, also illegal ones, that somebody may have attempted, where the verbs alone do not tell."""
        return ()

    def shorthand(self, state: S, text: str) -> Action | None:
        """The action of a shorthand ("a1-b1"); None if the text is none."""
        return None

    def diagram(self, state: S) -> str:
        from rules.table.diagram import draw

        return draw(self.layout(state))

    def legal(self, state: S, seat: int | None = None, touching: Collection[str] | None = None) -> Iterable[Action]:
        """The legal actions; `touching`: only those that name one of these places or pieces."""
        return self.choices(state, seat) if touching is None else self.near(state, touching, seat)

    def start(self, options: Mapping[str, object] | None = None, seats: object = None) -> S:
        """The opening from unchecked options and seats."""
        chosen: O = read_options(self.card.options_type, options)
        return self.opening(chosen, read_seats(self.card, seats))

    def actor(self, state: S, action: Action) -> int | None:
        """The seat that the action names, else the one whose turn it is."""
        return action.seat if action.seat is not None else self.turn(state).seat

    def refusal(self, state: S, action: Action) -> Refusal | None:
        """Why an action is illegal; None if it is legal. For any action, also absurd ones."""
        return general_refusal(self, state, action) or self.check(state, action)

    def turn_clause(self, state: S, turn: Turn) -> str:
        """The clause on who is to act, cited to other seats."""
        return self.card.turn_clauses.get(turn.phase, self.card.turn_clause)

    def seats_of(self, state: S) -> int:
        """Number of seats at this table; a hook where it varies."""
        return max(self.card.seats)

    def seat_refusal(self, state: S, seat: int) -> Refusal | None:
        """A special reason why a seat is not to act."""
        return None

    def read(self, state: S, text: str) -> Action:
        """The action of a shorthand or an id."""
        short = self.shorthand(state, text.strip()) if len(text) < 200 else None
        return short or self._step(text.strip()) or parse_action(text)

    def _step(self, text: str) -> Action | None:
        """a5-a7 as a move, also to a place that does not exist: it is then refused like any other move."""
        move, step = self.verbs.get("move"), _STEP.fullmatch(text)
        if move is None or step is None or [param.kind for param in move.params] != [ParamKind.PLACE] * 2:
            return None
        return Action("move", step.groups())

    def encode(self, state: S) -> dict[str, object]:
        plain: dict[str, object] = encode(state)
        return plain

    def decode(self, data: Mapping[str, object]) -> S:
        state: S = decode(self.state_type, data)
        return state


AnyGame = Game[Any, Any]
