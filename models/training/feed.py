"""Batches prepared in the background: by a thread, or by several processes for a fast device."""

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Final, TypeVar

import numpy as np
import torch
import torch.multiprocessing
from numpy.random import Generator as Random
from torch import Tensor

from vision.frame import Picture

Batch = dict[str, Tensor]
Make = Callable[[Random], Batch]
Batches = Generator[Batch, None, None]
Made = TypeVar("Made")
AHEAD: Final = 4
"""Batches that each worker prepares ahead."""
POLL_S: Final = 1.0
MIN_SHARED_BYTES: Final = 1 << 20
"""Size in bytes from which a tensor passes by shared memory; smaller ones are pickled: no file is opened."""


def image_tensor(images: Sequence[Picture]) -> Tensor:
    """Images as one tensor n x channels x height x width."""
    return torch.from_numpy(np.stack(images).transpose(0, 3, 1, 2).copy())


def prefetched(make: Make, seed: int, workers: int = 1) -> Batches:
    """Endless batches of `make`, prepared ahead; the workers end when the iterator is closed."""
    return from_processes(make, seed, workers) if workers > 1 else from_thread(make, seed, AHEAD)


def from_thread(make: Make, seed: int, depth: int) -> Batches:
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

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while True:
            yield next_ready(ready.get, thread.is_alive)
    finally:
        closed.set()
        thread.join(timeout=60)


def from_processes(make: Make, seed: int, workers: int) -> Batches:
    """Each worker is a fork of this process, so the samples need not be sent."""
    context = torch.multiprocessing.get_context("fork")
    ready = context.Queue(AHEAD * workers)

    def work(number: int) -> None:
        torch.set_num_threads(1)
        rng = np.random.default_rng([seed, number])
        while True:
            ready.put({name: value if large(value) else value.numpy() for name, value in make(rng).items()})

    processes = [context.Process(target=work, args=(number,), daemon=True) for number in range(workers)]
    for hand in processes:
        hand.start()
    try:
        while True:
            made = next_ready(ready.get, lambda: all(hand.is_alive() for hand in processes))
            yield {name: torch.as_tensor(value) for name, value in made.items()}
    finally:
        for hand in processes:
            hand.terminate()
        for hand in processes:
            hand.join()


def large(value: Tensor) -> bool:
    return bool(value.numel() * value.element_size() >= MIN_SHARED_BYTES)


def to_device(device: str, stream: Batches) -> Batches:
    """The batches of a stream, copied to the device by a thread while the net learns."""

    def make(_: Random) -> Batch:
        return {name: value.to(device) for name, value in next(stream).items()}

    copied = from_thread(make, seed=0, depth=2)
    try:
        yield from copied
    finally:
        copied.close()
        stream.close()


def next_ready(get: Callable[[bool, float], Made], is_alive: Callable[[], bool]) -> Made:
    """The next prepared batch; raises when the workers have ended."""
    while True:
        try:
            return get(True, POLL_S)
        except queue.Empty:
            if not is_alive():
                raise RuntimeError("no batches are made any more: see above for what went wrong") from None
