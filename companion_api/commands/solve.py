"""`companion solve`: the solvers of the puzzles among the games."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from companion_api.commands.console import UsageError, print_json
from companion_api.commands.games import Json


class _Puzzles(TyperGroup):
    """Another game is told which ones can be solved."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UsageError(f"{args[0]!r} cannot be solved; the games that can are {' and '.join(self.commands)}")
        return super().resolve_command(ctx, args)


solve_app = typer.Typer(cls=_Puzzles)


def add_to(app: typer.Typer) -> None:
    app.add_typer(solve_app, name="solve")


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

    _print(_solved(solve, coins, aces_null=aces_null, summit_cross=not no_cross, dice=dice), as_json)


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

    _print(_solved(solve, tiles, setup, mercy=mercy), as_json)


def _solved(solve: Any, *args: Any, **choices: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = solve(*args, **choices)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return found


def _print(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    if not found["solvable"]:
        print(f"There is no solution ({found['states']} positions, {found['ms']:.0f} ms).")
        return
    print(f"{found['moves']} moves ({found['states']} positions, {found['ms']:.0f} ms):")
    print(" ".join(found["solution"]))
