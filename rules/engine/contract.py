"""The contract between a game and everybody else. A game is told as deeds: vocabulary, phase guard, `legal`, `check`,
`apply` and `advance` follow from what they say; the game itself says how it begins, whose turn it is, what lies on the
table and how it stands. It is pure: a state is a frozen, slotted dataclass, and no method changes anything.

Laws, proved for every game by tests/conformance:
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
from typing import Any, Generic, TypeVar, Unpack

from rules.engine.action import Action, ParamKind, Verb, parse_action
from rules.engine.argument_value import Value, place, sign_of, word
from rules.engine.card import GameCard, Seat, read_options, read_seats
from rules.engine.codec import decode, encode
from rules.engine.deed import Deed, Now, Step
from rules.engine.general_refusals import general_refusal
from rules.engine.hooks import Hooks
from rules.engine.outcome import Outcome
from rules.engine.phase_deeds import PhaseDeeds, belonging, listed, listed_near, listed_pointless, of_seat
from rules.engine.refusal import Code, Facts, Refusal
from rules.engine.turn import Turn, TurnKind
from rules.sentence import Fact, Sentence
from rules.table.change import Change
from rules.table.layout import Layout

_CELL = re.compile(r"-?\d+[/:]-?\d+|x-?\d+y-?\d+")
_WORD = re.compile(r"([a-z]{3,})\d*")
_STEP = re.compile(r"([a-z]\d{1,2})-([a-z]\d{1,2})")

_CODES = ("attackers", "defenders", "lost", "places", "same_as", "for", "tile", "number", "face")
"""Facts of effects that are suits, values, pieces or places."""

S = TypeVar("S")
O = TypeVar("O")


class Game(Generic[S, O]):
    """`S` is the game's state, `O` its options dataclass. What every game must say is an argument of its own; `hooks`
    stand in the place of the methods of the same name, which a hook may still call: `Game.sample(GAME, state, rng)`."""

    opening: Callable[[O, tuple[Seat, ...]], S]
    """The first state. Where the table decides (a shuffle, a roll) the first turn is CHANCE."""
    turn: Callable[[S], Turn]
    layout: Callable[[S], Layout]
    """What should lie on the table now, hands and supply included."""
    outcome: Callable[[S], Outcome]
    position: Callable[[Mapping[str, object], O, tuple[Seat, ...]], S]
    """Any position, from the fields that the game's rulebook.md describes; what is not said is as in the opening."""

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
        phases: Mapping[str, Now] = MappingProxyType({}),
        by_tiles: bool = False,
        **hooks: Unpack[Hooks[S]],
    ) -> None:
        """`phases`: every phase that a deed names, in the words of the turn's `phase`. `by_tiles`: whether places have
        only numbers; people then say on which tile or card a place is."""
        self.card = replace(card, verbs=tuple(deed.verb for deed in deeds))
        self.verbs: dict[str, Verb] = {verb.name: verb for verb in self.card.verbs}
        self.state_type, self.deeds, self.phases, self.by_tiles = state_type, deeds, phases, by_tiles
        self.opening, self.turn, self.layout, self.outcome, self.position = opening, turn, layout, outcome, position
        self._deed: dict[str, Deed[S]] = {deed.verb.name: deed for deed in deeds}
        self._belonging: dict[str, PhaseDeeds] = {}
        if len(self._deed) < len(deeds):
            raise TypeError(f"{card.id} declares the same verb twice")
        if part := next((deed for deed in deeds if not deed.is_whole), None):
            raise TypeError(f"{card.id}: {part.verb.name} has arguments, so it needs its own `legal` and `check`")
        unknown = {phase for deed in deeds for phase in deed.phases} - set(phases)
        if unknown:
            raise TypeError(f"{card.id} says nothing of the phase {min(unknown)!r} in `phases`")
        vars(self).update(hooks)

    # What its deeds say ------------------------------------------------------------------------------------

    def choices(self, state: S, seat: int | None = None) -> Iterable[Action]:
        """Lazily, what may be done now, by that seat (None: by whoever may act). Empty when the game is over."""
        here = self._open_to(state, seat)
        return of_seat(listed(here, state), seat) if here else ()

    def near(self, state: S, names: Collection[str], seat: int | None = None) -> Iterable[Action]:
        """The choices that point at one of these places or pieces, without making all the others."""
        here = self._open_to(state, seat)
        return of_seat(listed_near(here, state, names), seat) if here else ()

    def pointless(self, state: S) -> Iterable[Action]:
        """The choices that point at nothing: to pass, to throw dice."""
        here = self._open_to(state, None)
        return listed_pointless(here, state) if here else ()

    def sample(self, state: S, rng: random.Random) -> Action:
        """One legal action by luck: what dice, shuffled coins and random players do."""
        phase = self.turn(state).phase
        here = self._belonging.get(phase) or self._in_phase(phase)  # play-outs ask this at every action
        if here.sampler is None:
            return rng.choice(list(self.legal(state)))
        return here.sampler.sample(state, rng) or next(a for deed in here.last_resorts for a in deed.legal(state))

    def check(self, state: S, action: Action) -> Refusal | None:
        """Why this may not be done. `refusal` has already made sure that the game goes on, that the verb and the
        number of its arguments exist and that the actor may act; the arguments may still be absurd."""
        deed = self._deed[action.verb]
        return self._out_of_phase(state, deed) or deed.check(state, deed.verb.gathered(action))

    def apply(self, state: S, action: Action) -> Step[S]:
        """Do it. Only called with legal actions; the actor may be left out (action.seat None) if it is clear."""
        deed = self._deed[action.verb]
        return deed.do(state, deed.verb.gathered(action))

    def advance(self, state: S, action: Action) -> S:
        """`apply` without the story."""
        deed = self._deed[action.verb]
        after: S = deed.advance(state, deed.verb.gathered(action))
        return after

    def exhaustive(self, state: S) -> bool:
        """Whether `legal` lists everything that is legal. Where positions are continuous or a deal is random, it
        lists a finite choice (ends of intervals, a sample) and `check` alone decides."""
        return self._in_phase(self.turn(state).phase).exhaustive

    def is_common(self, action: Action) -> bool:
        """Whether anybody may do this at any time; then `check` looks at the actor itself."""
        deed = self._deed.get(action.verb)
        return deed is not None and deed.anytime

    def describe(self, action: Action) -> str:
        deed = self._deed.get(action.verb)
        return deed.describe(deed.verb.gathered(action)) if deed else action.id

    def offer(self, state: S, action: Action) -> Sentence | None:
        """The words of a choice where it is offered, if what it means hangs on the state; else `describe` has them."""
        deed = self._deed.get(action.verb)
        return deed.offer(state, action) if deed else None

    def touches(self, action: Action) -> tuple[str, ...]:
        deed = self._deed.get(action.verb)
        return deed.touches(action) if deed else ()

    def values(self, action: Action) -> tuple[Value, ...]:
        """The arguments as values, for whoever tells or draws them; nothing of an action that it has not."""
        deed = self._deed.get(action.verb)
        return tuple(self._placed(value) for value in deed.values(deed.verb.gathered(action))) if deed else ()

    def _placed(self, value: Value) -> Value:
        if value.all is not None:
            return replace(value, all=tuple(self._placed(each) for each in value.all))
        return replace(value, called=self.called(value.place)) if value.place is not None else value

    def called(self, place: str) -> str | None:
        """What people call a place, where its name is not for them."""
        return None

    def place_value(self, name: str) -> Value:
        """A place that an effect or a sentence names. What has no coordinates is a word: the line, the stack."""
        found = _WORD.fullmatch(name)
        return replace(word(found[1], "place"), place=name) if found else place(name, self.called(name))

    def is_place(self, text: str) -> bool:
        """Whether it is the name of a place that people call otherwise."""
        return (self.by_tiles and _CELL.fullmatch(text) is not None) or self.called(text) is not None

    def fact_values(self, facts: Facts) -> dict[str, object]:
        """The facts of an effect that are codes, as values."""
        return {name: self._fact_value(fact) for name, fact in facts.items() if name in _CODES}

    def _fact_value(self, fact: object) -> object:
        if isinstance(fact, list):
            return [self._fact_value(each) for each in fact]
        try:
            return sign_of(str(fact)).to_json()
        except ValueError:
            return self.place_value(str(fact)).to_json()

    def _open_to(self, state: S, seat: int | None) -> PhaseDeeds | None:
        """What belongs into the phase for that seat: only what anybody may do if others are to act."""
        turn = self.turn(state)
        if turn.is_over:
            return None
        here = self._in_phase(turn.phase)
        return here if seat is None or not turn.seats or seat in turn.seats else here.for_others

    def _out_of_phase(self, state: S, deed: Deed[Any]) -> Refusal | None:
        if not deed.phases:
            return None
        phase = self.turn(state).phase
        if phase in deed.phases:
            return None
        now = deed.elsewhere or self.phases[phase]
        verbs = list(self._in_phase(phase).verbs)
        said = Sentence(now.text, {name: fact for name, fact in self.now(state).items() if f"{{{name}}}" in now.text})
        return Refusal(Code.WRONG_PHASE, now.clause or deed.verb.clause, said, {"phase": phase, "now": verbs})

    def _in_phase(self, phase: str) -> PhaseDeeds:
        try:
            return self._belonging[phase]
        except KeyError:
            self._belonging[phase] = belonging(tuple(d for d in self.deeds if not d.phases or phase in d.phases))
            return self._belonging[phase]

    # What most games leave as it is (rules/engine/hooks.py) --------------------------------------------------

    def now(self, state: S) -> Mapping[str, Fact]:
        """What the words of a phase may name."""
        return {}

    def view(self, state: S, seat: int | None) -> S:
        """What one seat may know (None: the public). Games without secrets keep the default."""
        return state

    def redact(self, state: S, action: Action, seat: int | None) -> Action | None:
        """What a seat (None: the public) may know of an action done in this state; None: only that it was done.
        A choice that is sealed until all have chosen is nobody else's business."""
        sealed = self.turn(state).kind is TurnKind.ALL and action.seat is not None
        return None if sealed and action.seat != seat else action

    def suggest(self, state: S, change: Change) -> Iterable[Action]:
        """Which actions could explain what changed on the table, likely ones first. What a turned piece shows may be
        any value: something else that is seen beside it hides none of them."""
        touching = list(self.legal(state, touching=change.places))
        if not touching:
            return self.legal(state)
        return dict.fromkeys([*touching, *self.legal(state)]) if self.turn(state).kind is TurnKind.CHANCE else touching

    def attempts(self, state: S, change: Change) -> Iterable[Action]:
        """What somebody may have tried, also against the rules, where that cannot be told from the verbs alone."""
        return ()

    def shorthand(self, state: S, text: str) -> Action | None:
        """Forgiving reading of what people type ("a1-b1"); None if it means nothing here."""
        return None

    def diagram(self, state: S) -> str:
        from rules.table.diagram import draw

        return draw(self.layout(state))

    # What is the same for all ------------------------------------------------------------------------------

    def legal(self, state: S, seat: int | None = None, touching: Collection[str] | None = None) -> Iterable[Action]:
        """What may be done now; `touching`: only what points at one of these places or pieces."""
        return self.choices(state, seat) if touching is None else self.near(state, touching, seat)

    def start(self, options: Mapping[str, object] | None = None, seats: object = None) -> S:
        """The opening from options and seats as people write them."""
        chosen: O = read_options(self.card.options_type, options)
        return self.opening(chosen, read_seats(self.card, seats))

    def actor(self, state: S, action: Action) -> int | None:
        """Who does it: the seat it names, or whose turn it is."""
        return action.seat if action.seat is not None else self.turn(state).seat

    def refusal(self, state: S, action: Action) -> Refusal | None:
        """Why this may not be done; None if it may. For any action, also absurd ones."""
        return general_refusal(self, state, action) or self.check(state, action)

    def turn_clause(self, state: S, turn: Turn) -> str:
        """Which clause says who is to act; cited to whoever is not."""
        return self.card.turn_clauses.get(turn.phase, self.card.turn_clause)

    def seats_of(self, state: S) -> int:
        """How many sit at this table; a game with a choice of them says it."""
        return max(self.card.seats)

    def why_not_seat(self, state: S, seat: int) -> Refusal | None:
        """Where a seat has its own reason for not being to act."""
        return None

    def read(self, state: S, text: str) -> Action:
        """An action from what a person or a program wrote."""
        short = self.shorthand(state, text.strip()) if len(text) < 200 else None
        return short or self._step(text.strip()) or parse_action(text)

    def _step(self, text: str) -> Action | None:
        """a5-a7 where such a step is a move: that there is no a7 is then refused like any other move."""
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
