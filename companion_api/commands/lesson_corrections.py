"""What `companion teach --correct` says of the pictures of a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from calibration.lesson_task import STEPS, parse_name
from companion_api.commands.console import UsageError
from companion_api.commands.profile_file import numbers
from rules.pieces import SUITS
from rules.table.observed import Identity

EXAMPLES = (
    "tiles:7=S3 (the name of number 7), tiles:S3=100,80,190,170 (where it lies), tiles:suns=arms (suits exchanged)"
)

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Corrections:
    """Of one step: names by number, pieces that were not found with their boxes, pairs of suits to exchange."""

    names: dict[int, Identity] = field(default_factory=dict)
    boxes: list[tuple[Identity, Box]] = field(default_factory=list)
    swaps: list[tuple[str, str]] = field(default_factory=list)


def corrections_of(step: str, texts: Sequence[str]) -> Corrections:
    """Those of `texts` that are about this step."""
    found = Corrections()
    for text in texts:
        where, _, rest = text.partition(":")
        what, _, value = rest.partition("=")
        if where not in STEPS or not value:
            raise UsageError(f"--correct {text!r}: write STEP:WHAT=VALUE, for example {EXAMPLES}")
        if where != step:
            continue
        if what.isdecimal():
            found.names[int(what)] = parse_name(value, STEPS[step])
        elif "," in value:
            found.boxes.append((parse_name(what, STEPS[step]), _box(text, value)))
        elif {what, value} <= set(SUITS):
            found.swaps.append((what, value))
        else:
            raise UsageError(f"--correct {text!r}: write it like one of {EXAMPLES}")
    return found


def _box(text: str, value: str) -> Box:
    left, top, right, bottom = numbers(value.replace(",", " "), 4, "--correct", "tiles:S3=100,80,190,170")
    if left >= right or top >= bottom:
        raise UsageError(f"--correct {text!r}: left must be less than right, and top less than bottom")
    return left, top, right, bottom
