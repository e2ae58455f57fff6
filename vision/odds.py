"""Probabilities and log odds, in which independent evidence adds up."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

MIN_PROBABILITY = 1e-4
"""Floor of a probability and of its complement: a belief without doubt could never be outweighed."""


def logit(probability: float) -> float:
    """Log odds of one probability, a dozen times as fast as those of an array."""
    safe = min(max(probability, MIN_PROBABILITY), 1 - MIN_PROBABILITY)
    return math.log(safe / (1 - safe))


def sigmoid(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(log_odds, -50.0), 50.0)))


def logits(probabilities: ArrayLike) -> NDArray[np.float64]:
    safe = np.clip(np.asarray(probabilities, np.float64), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(safe / (1 - safe)))


def sigmoids(log_odds: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(log_odds, np.float64), -50, 50))))


def softmax(logs: ArrayLike, temperature: float = 1.0) -> NDArray[np.float64]:
    """Normalised probabilities from unnormalised logarithms."""
    scaled = np.asarray(logs, np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
