import numpy as np
import pytest

from vision.detect import shape


def turned_square(degrees: float, bend: np.ndarray) -> np.ndarray:
    turn = np.deg2rad(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    out: np.ndarray = np.array([[-30.0, -30], [30, -30], [30, 30], [-30, 30]]) @ spin.T @ bend + [200, 100]
    return out


@pytest.mark.parametrize("degrees", [0, 10, 44.9, 45, 45.1, 80, 135, 300])
@pytest.mark.parametrize("bend", [np.eye(2), np.array([[1.0, 0.3], [0.0, 0.6]])])
def test_a_quad_survives_being_told_as_ellipse_and_phase(degrees: float, bend: np.ndarray) -> None:
    """The corners come back, in some cyclic order."""
    corners = turned_square(degrees, bend)
    matrix = shape.spread(corners)
    again = shape.quad(corners.mean(axis=0), matrix, shape.quad_phase(corners, matrix))
    gaps = [np.abs(np.roll(again, turn, axis=0) - corners).max() for turn in range(4)]
    assert min(gaps) < 1e-6


def test_the_phase_does_not_jump_when_the_square_passes_45_degrees() -> None:
    phases = []
    for degrees in (44.5, 45.5):
        corners = turned_square(degrees, np.eye(2))
        phases.append(np.exp(1j * shape.quad_phase(corners, shape.spread(corners))))
    assert abs(phases[0] - phases[1]) < 0.1


def test_a_disc_survives_being_told_as_a_matrix() -> None:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    outline = np.stack([20 * np.cos(angles), 12 * np.sin(angles)], axis=1) + np.array([50, 60])
    assert shape.disc_spread(outline) == pytest.approx(np.diag([20.0, 12.0]), abs=1e-6)


def test_the_hull_of_an_octagon_is_the_octagon() -> None:
    angles = np.arange(8) * np.pi / 4 + np.pi / 8
    octagon = 10 * np.stack([np.cos(angles), np.sin(angles)], axis=1) + [5, 7]
    center = np.array([4.0, 8.0])
    assert shape.hull(center, shape.supports(center, octagon)) == pytest.approx(octagon, abs=1e-6)


def test_the_diagonals_cross_at_the_true_centre_under_perspective() -> None:
    matrix = np.array([[80.0, 5, 300], [3, 60, 200], [0.01, 0.05, 1]])
    corners = np.array([[-1.0, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) @ matrix.T
    assert shape.crossing(corners[:, :2] / corners[:, 2:]) == pytest.approx([300, 200])


def test_area_of_a_rectangle() -> None:
    assert shape.area(np.array([[0.0, 0], [4, 0], [4, 3], [0, 3]])) == 12
