"""`companion games`, `rules`, `perft`, `playout`: the games and their speed."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Annotated, Any, BinaryIO

import typer
from typer.core import TyperGroup

from companion_api.commands.console import UsageError, as_usage, game_named, print_json, progress, started
from companion_api.dialogue import MAX_LINE, Conversation
from rules.engine.card import GameCard, by_name, read_seats
from rules.engine.outcome import Outcome
from rules.engine.playout import Playout, divide, perft, play_out
from rules.engine.rulebook import clauses_of, text_of
from rules.games import available, game
from rules.sentence import SeatNames

GameName = Annotated[str, typer.Argument(metavar="GAME", help="one of `companion games`", autocompletion=available)]
Json = Annotated[bool, typer.Option("--json", help="print JSON")]
Options = Annotated[str | None, typer.Option("--options", help='JSON, e.g. {"direction": "facing"}')]
Seats = Annotated[str | None, typer.Option("--seats", help='JSON, e.g. 3 or ["suns", "moons"]')]


def list_games(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="one game with its options")] = None,
    as_json: Json = False,
    new: Annotated[str | None, typer.Option("--new", metavar="NAME", help="write the folder of a new game")] = None,
    words: Annotated[
        str | None,
        typer.Option(
            "--words", metavar="GAME", help="write the lines that catalogues lack of a game, list what is in English"
        ),
    ] = None,
) -> None:
    """The games this program knows, or one of them with its seats and options."""
    if new is not None:
        _make(new)
        return
    if words is not None:
        _write_stubs(game_named(words).card.id)
        return
    if name is not None:
        card = game_named(name).card
        print_json(card.to_json()) if as_json else _print_card(card)
        return
    cards = [game(name).card for name in available()]
    if as_json:
        print_json([card.to_json() for card in cards])
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in ("game", "name", "players", "minutes", "what it is about"):
        table.add_column(heading, no_wrap=heading == "game")
    for card in cards:
        table.add_row(card.id, card.name, _players(card), card.minutes, card.summary)
    Console().print(table)


def _players(card: GameCard) -> str:
    return f"{min(card.seats)}-{max(card.seats)}" if len(card.seats) > 1 else str(card.seats[0])


def _write_stubs(name: str) -> None:
    from companion_api.new_game import untranslated, write_stubs

    for language in game(name).card.untranslated_in:
        print(f"{language}: left alone; the game is marked as without words in this language")
    for language, count in write_stubs(name).items():
        english = list(untranslated(name, language))
        print(f"{language}: lines written: {count}, still in English: {len(english)}")
        for path, key in english:
            print(f"  {path.parent.name}/{path.name}: {key}")


def _print_card(card: GameCard) -> None:
    print(f"{card.name} ({card.id}), {_players(card)} players" + (f", {card.minutes} min" if card.minutes else ""))
    print(f"{card.summary}\nneeds {card.needs}; rules: companion rules {card.id}")
    print(f"seats (--seats): {' or '.join(map(str, card.seats))}, or a list of names or suits")
    if card.untranslated_in:
        print(f"without words in {', '.join(card.untranslated_in)}: told in English there")
    print("options (--options):" if card.options else "no options")
    for spec in card.options:
        values = " | ".join(json.dumps(value) for value in spec.choices)
        if not values and isinstance(spec.default, int):
            values = f"{spec.low if spec.low is not None else ''}..{spec.high if spec.high is not None else ''}"
        default = json.dumps(spec.default)
        print(f"  {spec.name}: {values or 'text'} (default {default})  {spec.text}  {spec.clause}".rstrip())


def _make(name: str) -> None:
    from companion_api.new_game import NewGameError, write_game

    with as_usage(NewGameError, OSError):
        written = write_game(name)
    print(*written, sep="\n")
    print(f"It runs: companion playout {name} --seeds 0..9. Tests: PLAYTHROUGH=write pytest tests/games/{name}")
    print("How to go on: docs/ADD_A_GAME.md")


def show_rules(
    name: GameName, clause: Annotated[str | None, typer.Argument(help="one clause, e.g. DODG-4.1")] = None
) -> None:
    """The rulebook of a game, or one clause of it."""
    card = game_named(name).card
    if clause is None:
        from rich.console import Console
        from rich.markdown import Markdown

        console, text = Console(), text_of(card.id)
        console.print(Markdown(text)) if console.is_terminal else print(text)
        return
    for number, words in clauses_of(card.id).items():
        if number.upper() == clause.upper():
            print(f"{number}  {words}")
            return
    raise UsageError(f"{card.name} has no clause {clause!r}; see `companion rules {card.id}`")


def count_positions(
    name: GameName,
    depth: Annotated[int, typer.Option("--depth", min=0, max=30)] = 3,
    options: Options = None,
    seats: Seats = None,
    by_action: Annotated[bool, typer.Option("--divide", help="count per first action")] = False,
    as_json: Json = False,
) -> None:
    """Count the sequences of legal actions from the opening."""
    rules, chosen, people = started(name, options, seats)
    first = rules.start(chosen, people)
    begun = time.perf_counter()
    count = perft(rules, first, depth)
    seconds = time.perf_counter() - begun
    found: dict[str, Any] = {"game": rules.card.id, "depth": depth, "nodes": count, "seconds": round(seconds, 6)}
    if by_action and depth:
        found["divide"] = divide(rules, first, depth)
    if as_json:
        print_json(found)
        return
    for action, nodes in found.get("divide", {}).items():
        print(f"{action:24} {nodes}")
    print(f"{count} sequences of {depth} actions in {seconds:.3f} s")


def play_by_luck(
    name: GameName,
    seeds: Annotated[str, typer.Option("--seeds", metavar="A..B", help="which games, by number")] = "0..99",
    options: Options = None,
    seats: Seats = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=64, help="number of processes")] = 1,
    as_json: Json = False,
) -> None:
    """Play random games: do they end, who wins, how many plies a second."""
    rules, chosen, people = started(name, options, seats)
    numbers = _seeds(seeds)
    begun = time.perf_counter()
    results = list(progress(_results(rules.card.id, numbers, chosen, people, jobs), len(numbers), "playing"))
    seat_names = by_name(read_seats(rules.card, people))
    report = _report(rules.card.id, results, time.perf_counter() - begun, jobs, seat_names)
    if as_json:
        print_json(report)
        return
    print(f"{report['games']} games of {rules.card.name}: {report['plies']} plies, {report['plies_per_s']:.0f} plies/s")
    for result, count in report["results"].items():
        print(f"  {result}: {count}")


def _seeds(text: str) -> range:
    first, dots, last = text.partition("..")
    if not (first.isdecimal() and (last.isdecimal() or not dots)):
        raise UsageError(f"--seeds must be a range like 0..99, not {text!r}")
    chosen = range(int(first), int(last or first) + 1)
    if not 0 < len(chosen) <= 10_000_000:
        raise UsageError(f"--seeds {text!r} is not a range with games in it")
    return chosen


def _play(name: str, options: Any, seats: Any, seed: int) -> Playout:
    return play_out(game(name), seed, options, seats)


def _results(name: str, seeds: range, options: Any, seats: Any, jobs: int) -> Iterator[Playout]:
    play = partial(_play, name, options, seats)
    if jobs == 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play, seeds, chunksize=max(1, len(seeds) // (jobs * 8)))


def _report(name: str, results: list[Playout], seconds: float, jobs: int, seat_names: SeatNames) -> dict[str, Any]:
    plies = sum(result.plies for result in results)
    counted = Counter(result_word(each.outcome, seat_names) if each.finished else "unfinished" for each in results)
    return {
        "game": name,
        "games": len(results),
        "plies": plies,
        "seconds": round(seconds, 4),
        "plies_per_s": round(plies / seconds, 1) if seconds else None,
        "jobs": jobs,
        "unfinished": sum(not result.finished for result in results),
        "results": dict(counted.most_common()),
    }


def result_word(outcome: Outcome, seat_names: SeatNames) -> str:
    if not outcome.winners:
        return outcome.reason
    how = "a draw of" if outcome.drawn else "won by"
    return f"{how} {' and '.join(map(seat_names, outcome.winners))}"


def judge(
    name: GameName,
    options: Options = None,
    seats: Seats = None,
    _json: Annotated[bool, typer.Option("--json", hidden=True, help="always JSON; accepted for symmetry")] = True,
) -> None:
    """Answer JSON lines about a game: legal moves, actions, positions, pictures of the table.

    Try:  echo '{"legal": true}' | companion judge dodgem
    """
    rules, chosen, people = started(name, options, seats)
    conversation = Conversation(rules, chosen, people)
    for line in _lines(sys.stdin.buffer) if sys.stdin is not None else ():
        if line is None:
            print_json({"ok": False, "error": f"the line is longer than {MAX_LINE} bytes"})
        elif line.strip():
            print_json(conversation.answer_line(line))


def _lines(stream: BinaryIO) -> Iterator[str | None]:
    """Lines of text, None for an overlong one; bytes that are no UTF-8 affect only their own line."""
    while raw := stream.readline(MAX_LINE + 1):
        if len(raw) > MAX_LINE and not raw.endswith(b"\n"):
            while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield raw.decode("utf-8", errors="replace")


class _Puzzles(TyperGroup):
    """Names the solvable games for any other game."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UsageError(f"{args[0]!r} cannot be solved; the games that can are {' and '.join(self.commands)}")
        return super().resolve_command(ctx, args)


solve_app = typer.Typer(cls=_Puzzles)


@solve_app.callback(invoke_without_command=True)
def solve_what(context: typer.Context) -> None:
    """Solve a puzzle: shortest solution, or the proof that there is none."""
    if context.invoked_subcommand is None:
        raise UsageError("solve what? Say fuji_san or tula; `companion solve --help` tells more")


@solve_app.command("fuji_san")
def solve_fuji_san(
    coins: Annotated[str, typer.Option("--coins", help='far row, slash, near row: "554344221335/311400512200"')],
    aces_null: Annotated[bool, typer.Option("--aces-null", help="aces count as null (FUJI-9.3)")] = False,
    no_cross: Annotated[
        bool, typer.Option("--no-summit-cross", help="forbid crossing on the summit (FUJI-8.3)")
    ] = False,
    dice: Annotated[
        str | None, typer.Option("--dice", help="the four dice of the rescue, in the order S M C A")
    ] = None,
    as_json: Json = False,
) -> None:
    """The shortest climb."""
    from rules.games.fuji_san.solver import solve

    _solve(as_json, solve, coins, aces_null=aces_null, summit_cross=not no_cross, dice=dice)


@solve_app.command("tula")
def solve_tula(
    tiles: Annotated[
        str, typer.Option("--tiles", help="the tiles of the opening, as the rulebook's section Position says")
    ],
    setup: Annotated[str | None, typer.Option("--setup", help="which temple, e.g. original or variant2")] = None,
    mercy: Annotated[bool, typer.Option("--mercy", help="with the mercy rule")] = False,
    as_json: Json = False,
) -> None:
    """A way to win, or the proof that there is none."""
    from rules.games.tula.solver import solve

    _solve(as_json, solve, tiles, setup, mercy=mercy)


def _solve(as_json: bool, solve: Any, *args: Any, **choices: Any) -> None:
    with as_usage(ValueError):
        found: dict[str, Any] = solve(*args, **choices)
    if as_json:
        print_json(found)
        return
    if not found["solvable"]:
        print(f"There is no solution ({found['states']} positions, {found['ms']:.0f} ms).")
        return
    print(f"{found['moves']} moves ({found['states']} positions, {found['ms']:.0f} ms):")
    print(" ".join(found["solution"]))
