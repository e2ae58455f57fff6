"""Powers of the suits over pyramids (DEC-4.20, 4.22, 4.25, 4.29, 4.32, 4.35)."""

from __future__ import annotations

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import NUMBER
from rules.engine.open_grid import name_of
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana import powers
from rules.games.dectana.deeds.common import PLAN, PYRAMID, DectanaNarration
from rules.games.dectana.deeds.powers_used import Power, plan_of, unspent
from rules.games.dectana.layout import spot
from rules.games.dectana.opening import SIZE_WORDS, Pyramid, State, ahead
from rules.sentence import Sentence, say


class Create(Power):
    verb = Verb.of("create", "suns: a new small pyramid beside {pyramid}", "DEC-4.20", pyramid=PYRAMID)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        if state.options.suns_needs_territory and actor.cell not in state.ground.cards:
            text = say("{pyramid} stands on wasteland; suns create pyramids on a territory", pyramid=actor.ref)
            return Refusal(Code.NO_SUCH_PLACE, "DEC-R2", text)
        if state.free_number(actor.seat, 1) is None:
            return Refusal(Code.NO_SUCH_PIECE, "DEC-4.20", say("no small pyramid is in the stash"), {"size": "small"})
        return None

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        narration.add_pyramid(actor.cell, "U", actor.seat, "DEC-4.20")


class Grow(Power):
    verb = Verb.of("grow", "leaves: {pyramid} grows", "DEC-4.22", pyramid=PYRAMID)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        if actor.size == 3:
            return Refusal(Code.LIMIT, "DEC-4.22", say("a large pyramid cannot grow"), {"pyramid": actor.ref})
        if state.free_number(actor.seat, actor.size + 1) is None:
            size = SIZE_WORDS[actor.size + 1]
            return Refusal(Code.NO_SUCH_PIECE, "DEC-4.22", say("no {size} pyramid is in the stash", size=size))
        return None

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        narration.exchange_pyramid(actor, actor.size + 1, "DEC-4.22")


class Move(Power):
    verb = Verb.of("move", "waves: {pyramid} moves {spaces}", "DEC-4.25", pyramid=PYRAMID, spaces=NUMBER)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        if action[1] not in tuple("0123456789"):
            text = say("say how many spaces it moves, as a number")
            return Refusal(Code.BAD_ARGUMENT, "DEC-4.25", text, {"given": action[1][:12]})
        steps = int(action[1])
        facts: Facts = {"pyramid": actor.ref, "spaces": steps, "pips": actor.size}
        if not steps and not state.options.waves_zero:
            return Refusal(Code.WRONG_DISTANCE, "DEC-R5", say("a move goes at least one space"), facts)
        if steps > actor.size:
            text = say(
                "{pyramid} moves as many spaces as it has pips: {pips} at most, not {spaces}",
                pyramid=actor.ref,
                pips=actor.size,
                spaces=steps,
            )
            return Refusal(Code.WRONG_DISTANCE, "DEC-4.25", text, facts)
        far = powers.reach(state, actor)
        if steps > far:
            place = name_of(ahead(actor.cell, actor.orient, far + 1))
            text = say(
                "{place} is void; {pyramid} can move one space at most",
                "{place} is void; {pyramid} can move {count} spaces at most",
                place=place,
                pyramid=actor.ref,
                count=far,
            )
            return Refusal(Code.BLOCKED, "DEC-4.26", text, {**facts, "void": place})
        return None

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        steps = int(action[1])
        x, y = ahead(actor.cell, actor.orient, steps)
        moved = replace(actor, x=x, y=y, orient="U")
        way = spot(actor.cell), spot((x, y))
        kind = EffectKind.MOVE if steps else EffectKind.ROTATE
        narration.tell_pyramid(kind, moved, way, "DEC-4.25", {"spaces": steps, "pips": actor.size})
        narration.change_pyramid(actor, moved)


class Push(Power):
    verb = Verb.of("push", "moons: {pyramid} pushes {plan}", "DEC-4.29", pyramid=PYRAMID, plan=PLAN)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        if not state.is_occupied(actor.target):
            text = say(
                "nothing stands on {place}, where {pyramid} points", place=name_of(actor.target), pyramid=actor.ref
            )
            return Refusal(Code.EMPTY, "DEC-4.29", text, {"place": name_of(actor.target)})
        plan = powers.read_plan(state, actor, action[1])
        if isinstance(plan, Sentence):
            return Refusal(Code.BAD_ARGUMENT, "DEC-4.30", plan, {"given": action[1][:40]})
        cost = powers.cost_of("push", plan)
        if cost > actor.size:
            text = say(
                "this push costs {cost} points (pips times spaces); {pyramid} has {points}",
                cost=cost,
                pyramid=actor.ref,
                points=actor.size,
            )
            return Refusal(Code.CANNOT_PAY, "DEC-4.30", text, {"cost": cost, "points": actor.size})
        too_far = [p.group for p, steps in plan if steps > powers.push_limit(state, p, actor)]
        if too_far:
            text = say("{pyramid} is destroyed as soon as it is in the void and goes no farther", pyramid=too_far[0])
            return Refusal(Code.WRONG_DISTANCE, "DEC-4.30", text)
        best = max((powers.cost_of("push", other) for other in powers.push_plans(state, actor)), default=0)
        return unspent(state, cost, best)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        for pyramid, steps in plan_of(narration.state, actor, action[1]):
            x, y = ahead(pyramid.cell, actor.orient, steps)
            moved = replace(pyramid, x=x, y=y)
            facts: Facts = {"spaces": steps, "points": steps * pyramid.size, "of": actor.size, "by": actor.ref}
            way = spot(pyramid.cell), spot((x, y))
            narration.tell_pyramid(EffectKind.MOVE, moved, way, "DEC-4.29", facts)
            narration.change_pyramid(pyramid, moved)


class Shrink(Power):
    verb = Verb.of("shrink", "wyrms: {pyramid} shrinks {plan}", "DEC-4.32", pyramid=PYRAMID, plan=PLAN)

    def why_not(self, state: State, actor: Pyramid, action: Action) -> Refusal | None:
        place = name_of(actor.target)
        if not any(p.seat != actor.seat for p in state.at(actor.target)):
            return Refusal(Code.EMPTY, "DEC-4.32", say("no opposing pyramid stands on {place}", place=place))
        plan = powers.read_plan(state, actor, action[1])
        if isinstance(plan, Sentence):
            return Refusal(Code.BAD_ARGUMENT, "DEC-4.33", plan, {"given": action[1][:40]})
        if own := [p.group for p, _ in plan if p.seat == actor.seat]:
            return Refusal(Code.NOT_ALLOWED, "DEC-4.33", say("{pyramid} is your own pyramid", pyramid=own[0]))
        cost = powers.cost_of("shrink", plan)
        if cost > actor.size:
            text = say(
                "{cost} points are given, {pyramid} has {points}", cost=cost, pyramid=actor.ref, points=actor.size
            )
            return Refusal(Code.CANNOT_PAY, "DEC-4.33", text, {"cost": cost, "points": actor.size})
        if too_much := [p.group for p, points in plan if points > p.size]:
            text = say("{pyramid} needs fewer points to be destroyed", pyramid=too_much[0])
            return Refusal(Code.LIMIT, "DEC-4.33", text)
        if powers.shrunk(state, plan) is None:
            text = say("a pyramid of this plan would not change: its owner's stash has no smaller one that fits")
            return Refusal(Code.NO_SUCH_PIECE, "DEC-R7", text, {"plan": action[1][:40]})
        best = max((powers.cost_of("shrink", other) for other in powers.shrink_plans(state, actor)), default=0)
        return unspent(state, cost, best)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        for pyramid, points in plan_of(narration.state, actor, action[1]):
            size = powers.shrunk_size(narration.state, pyramid, points)
            facts: Facts = {
                "strength": points,
                "of": actor.size,
                "size": pyramid.size,
                "becomes": size,
                "success": True,
            }
            seats = {"seat": actor.seat, "other": pyramid.seat}
            narration.tell(EffectKind.ATTACK, key=pyramid.key, **seats, clause="DEC-4.32", facts=facts)
            if size:
                narration.exchange_pyramid(pyramid, size, "DEC-4.33")
            else:
                narration.remove_pyramid(pyramid, "DEC-4.33", "destroyed")


class Draw(Power):
    verb = Verb.of("draw", "knots: draw as many cards as {pyramid} has pips", "DEC-4.35", pyramid=PYRAMID)

    def use(self, narration: DectanaNarration, actor: Pyramid, action: Action) -> None:
        narration.draw_cards(actor.seat, actor.size, "DEC-4.35")
