"""Batches made ahead, while the net learns from the one before: by a thread, or by several processes where a fast
device would wait for one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import Final, TypeVar

import numpy as np
import torch
import torch.multiprocessing
from numpy.random import Generator as Random
from torch import Tensor

Batch = dict[str, Tensor]
Make = Callable[[Random], Batch]
Batches = Generator[Batch, None, None]
Made = TypeVar("Made")
WAITS_S: Final = 1.0
SHARED: Final = 1 << 20
"""From so many bytes on a tensor goes to the learner by shared memory; small ones are sent: no file is opened."""


def ahead(make: Make, seed: int, workers: int = 1, depth: int = 4) -> Batches:
    """Endless; whoever makes batches ends when the iterator is closed."""
    return by_processes(make, seed, workers, depth) if workers > 1 else by_a_thread(make, seed, depth)


def by_a_thread(make: Make, seed: int, depth: int) -> Batches:
    ready: queue.Queue[Batch] = queue.Queue(depth)
    closed = threading.Event()

    def work() -> None:
        rng = np.random.default_rng(seed)
        while not closed.is_set():
            batch = make(rng)
            while not closed.is_set():
                try:
                    ready.put(batch, timeout=1)
                    break
                except queue.Full:
                    continue

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while True:
            yield received(ready.get, worker.is_alive)
    finally:
        closed.set()
        worker.join(timeout=60)


def by_processes(make: Make, seed: int, workers: int, depth: int) -> Batches:
    """Each is a copy of this process, so that what the batches are made of need not be sent."""
    context = torch.multiprocessing.get_context("fork")
    ready = context.Queue(depth * workers)

    def work(number: int) -> None:
        torch.set_num_threads(1)
        rng = np.random.default_rng([seed, number])
        while True:
            ready.put({name: value if large(value) else value.numpy() for name, value in make(rng).items()})

    hands = [context.Process(target=work, args=(number,), daemon=True) for number in range(workers)]
    for hand in hands:
        hand.start()
    try:
        while True:
            made = received(ready.get, lambda: all(hand.is_alive() for hand in hands))
            yield {name: torch.as_tensor(value) for name, value in made.items()}
    finally:
        for hand in hands:
            hand.terminate()
        for hand in hands:
            hand.join()


def large(value: Tensor) -> bool:
    return bool(value.numel() * value.element_size() >= SHARED)


def on(device: str, stream: Batches) -> Batches:
    """The batches of a stream, carried to the device by a thread while the net learns from the one before."""

    def make(_: Random) -> Batch:
        return {name: value.to(device) for name, value in next(stream).items()}

    carried = by_a_thread(make, seed=0, depth=2)
    try:
        yield from carried
    finally:
        carried.close()
        stream.close()


def received(get: Callable[[bool, float], Made], is_made: Callable[[], bool]) -> Made:
    """The next that is ready; nobody waits for what nobody makes any more."""
    while True:
        try:
            return get(True, WAITS_S)
        except queue.Empty:
            if not is_made():
                raise RuntimeError("no batches are made any more: see above for what went wrong") from None
