"""Which recordings make up the ground, and how each is made. What is there already is not made again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion_api.simulated.self_play import drawn_deck
from rules.games import available
from tests.bench.ground.capture import Shooting, cut_to_first_look, film, foreign, stills, twin
from tests.bench.ground.recording import SUFFIX, Recording, Source, load, save
from vision.identify.deck import decktet
from vision.table_reader import TableReader

FIRST_SEED = 3001
APART = 100
"""Between the seeds of two games: each has a set, a light and a camera of its own."""
WIDE = (1920, 1080)
USUAL = (1280, 720)


@dataclass(frozen=True, slots=True)
class Task:
    """One recording that may have to be made; a twin needs its original first."""

    id: str
    make: Callable[[TableReader], Recording]


@dataclass(frozen=True, slots=True)
class Ground:
    """What is recorded: so many seeds a game of film in each size and of stills, so many twins of everything that is
    judged with them, and the folders with pictures of other renderers."""

    folder: Path
    film_seeds: int = 3
    wide_seeds: int = 1
    still_seeds: int = 2
    twins: int = 2
    film_twins: int = 1
    turns: int = 8
    illegal: int = 1
    foreign: Sequence[Path] = ()
    games: Sequence[str] = ()

    def tasks(self) -> Iterator[Task]:
        """The originals of all sources in turn, so that a ground that is not finished is even; then the twins."""
        for path in self._foreign_games():
            yield Task(f"{Source.FOREIGN}-{path.parent.name}-{path.name}", partial(foreign, path))
        yield from self._twins(
            [f"{Source.FOREIGN}-{p.parent.name}-{p.name}" for p in self._foreign_games()], self.twins
        )
        for number in range(max(self.film_seeds, self.wide_seeds, self.still_seeds)):
            if number < self.film_seeds:
                yield from self._taken(Source.FILM, film, number, USUAL)
            if number < self.still_seeds:
                yield from self._taken(Source.STILLS, stills, number, USUAL)
            if number < self.wide_seeds:
                yield from self._taken(Source.FILM, film, number, WIDE)
        named = [s.name(Source.STILLS) for n in range(self.still_seeds) for s in self._shootings(n, USUAL)]
        yield from self._twins(named, self.twins)
        named = [s.name(Source.FILM) for n in range(self.film_seeds) for s in self._shootings(n, USUAL)]
        yield from self._twins(named, self.film_twins)

    def _foreign_games(self) -> list[Path]:
        return [path.parent for folder in self.foreign for path in sorted(folder.glob("*/script.json"))]

    def _shootings(self, number: int, size: tuple[int, int]) -> Iterator[Shooting]:
        for game in self.games or available():
            seed = FIRST_SEED + number + APART * available().index(game)
            yield Shooting(game, seed, size, self.turns, self.illegal)

    def _taken(
        self, source: Source, make: Callable[[Shooting, TableReader], Recording], number: int, size: tuple[int, int]
    ) -> Iterator[Task]:
        for shooting in self._shootings(number, size):
            yield Task(shooting.name(source), partial(make, shooting))

    def _twins(self, names: Iterable[str], count: int) -> Iterator[Task]:
        for name in names:
            for seed in range(1, count + 1):
                yield Task(f"{name}~{seed}", partial(_twin, self.folder / f"{name}{SUFFIX}", seed))


def _twin(path: Path, seed: int, eyes: TableReader) -> Recording:
    original = load(path)
    return twin(cut_to_first_look(original) if original.source is Source.FILM else original, seed, eyes)


def record(ground: Ground, eyes: TableReader, tell: Callable[[str], None]) -> int:
    """Makes what is missing; the number of recordings made. It can be stopped at any time. The cards of our own
    pictures are known as the Decktet's are."""
    made = 0
    tasks = list(ground.tasks())
    for number, task in enumerate(tasks):
        if (ground.folder / f"{task.id}{SUFFIX}").exists():
            continue
        begun = time.process_time()
        eyes.deck = decktet() if task.id.startswith(Source.FOREIGN) else drawn_deck()
        recording = task.make(eyes)
        path = save(recording, ground.folder)
        looks = sum(1 for _ in recording.looks)
        size = path.stat().st_size / 1e6
        tell(
            f"{number + 1} of {len(tasks)} {task.id}: {looks} looks, {size:.1f} MB, {time.process_time() - begun:.0f} s"
        )
        made += 1
    return made
