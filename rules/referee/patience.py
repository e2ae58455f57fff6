"""`Debounce` under the name that checkers outside this repository import."""

from rules.referee.debounce import Debounce as Patience

__all__ = ["Patience"]
