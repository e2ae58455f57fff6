"""Typed dependencies of the hub's routes: the hall, and the person who asks by role."""

from __future__ import annotations

from typing import Annotated

from fastapi import Cookie, Depends, Header, Request

from companion_api.hall.hall import Hall
from companion_api.hall.people import COOKIE, HallPerson, HallRole
from companion_api.problem import Problem
from companion_api.tokens import token_text
from rules.sentence import say


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


HallNeed = Annotated[Hall, Depends(_hall)]


def _person(
    hall: HallNeed,
    cookie: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> HallPerson:
    person = hall.people.read(token_text(authorization, cookie))
    if person is None:
        raise Problem(401, say("come in first: scan the hall's code or type it in"))
    return person


PersonNeed = Annotated[HallPerson, Depends(_person)]


def _umpire(person: PersonNeed) -> HallPerson:
    if person.role not in (HallRole.UMPIRE, HallRole.DIRECTOR):
        raise Problem(403, say("only an umpire may do that"))
    return person


def _director(person: PersonNeed) -> HallPerson:
    if person.role is not HallRole.DIRECTOR:
        raise Problem(403, say("only the director may do that"))
    return person


UmpireNeed = Annotated[HallPerson, Depends(_umpire)]
DirectorNeed = Annotated[HallPerson, Depends(_director)]
