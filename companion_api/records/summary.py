"""One printable page about a game: who played, how it ended, the last table, the score, what was done."""

from __future__ import annotations

import base64
from html import escape

import cv2

from companion_api.records.board_picture import draw
from rules.engine.card import by_name, read_seats
from rules.engine.history import History
from rules.sentence import with_seat_names

_STYLE = """
body { font: 10.5pt/1.4 system-ui, sans-serif; margin: 1.4cm; color: #1c2326; }
h1 { margin: 0 0 .2em; } img { max-width: 11cm; max-height: 11cm; float: right; margin: 0 0 1em 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: left; padding: .15em .9em .15em 0; border-bottom: 1px solid #ccc; }
ol { columns: 3; font-size: 8.5pt; padding-left: 2.2em; clear: both; } @page { size: A4; margin: 0; }
"""


def summary_page(history: History) -> str:
    """A whole HTML document; everything is inside it."""
    game = history.game
    outcome = game.outcome(history.state)
    seats = read_seats(game.card, history.seats)
    seat_names = by_name(seats)
    good, png = cv2.imencode(".png", draw(game.layout(history.state), longest=900))
    picture = base64.b64encode(png.tobytes()).decode() if good else ""
    rows = "".join(
        f"<tr><th>{escape(seat.name)}{' ★' if index in outcome.winners and not outcome.drawn else ''}</th>"
        f"<td>{outcome.scores[index] if index < len(outcome.scores) else '–'}</td></tr>"
        for index, seat in enumerate(seats)
    )
    rows += "".join(f"<tr><th>{escape(name)}</th><td>{points}</td></tr>" for name, points in outcome.others)
    actions = "".join(
        f"<li>{escape(with_seat_names(game.describe(entry.action), seat_names))}</li>" for entry in history.entries
    )
    options = ", ".join(f"{escape(str(k))}: {escape(str(v))}" for k, v in history.options.items())
    reason = with_seat_names(outcome.reason, seat_names) or "not finished"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(game.card.name)}</title>'
        f"<style>{_STYLE}</style><img alt='' src='data:image/png;base64,{picture}'><h1>{escape(game.card.name)}</h1>"
        f"<p>{options}</p><p>{escape(reason)} {escape(outcome.clause)}</p>"
        f"<table>{rows}</table><ol>{actions}</ol></html>"
    )
