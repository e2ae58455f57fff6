"""Names that checkers outside this repository import: nothing here may move them."""

from __future__ import annotations

from importlib import import_module

import pytest

IMPORTED = {
    "companion_api.trials.alike": ("looks_alike",),
    "rules.engine.action": ("parse_action",),
    "rules.engine.history": ("History",),
    "rules.games": ("game",),
    "rules.pieces": ("Kind",),
    "rules.referee.patience": ("Patience",),
    "rules.referee.referee": ("Referee",),
    "rules.table.layout": ("Zone", "bounds"),
    "rules.table.observed": ("ObservedTable",),
}


@pytest.mark.parametrize("module", IMPORTED)
def test_names_used_outside_stay_where_they_are(module: str) -> None:
    missing = [name for name in IMPORTED[module] if not hasattr(import_module(module), name)]
    assert not missing, f"{module} lacks {missing}, which checkers outside this repository import"
