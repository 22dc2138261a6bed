# SPDX-License-Identifier: BSD-2-Clause
"""Colours as readers see them: contrast by WCAG 2, and three kinds of colour vision.

Simulated vision: Machado, Oliveira, Fernandes, *A Physiologically-based Model for Simulation of
Color Vision Deficiency* (2009), severity 1.0. Distances are those of CIELAB (CIE76) with white D65.
"""

import tomllib
from math import dist
from pathlib import Path

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]
BLACK, WHITE = "#000000", "#ffffff"
_MATRICES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
VISION: dict[str, Matrix] = _MATRICES["vision"]
_XYZ: Matrix = _MATRICES["linear"]["xyz"]
_D65 = (0.95047, 1.0, 1.08883)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    a, b, c = (sum(x * y for x, y in zip(row, vector)) for row in matrix)
    return a, b, c


def _linear(colour: str) -> Triple:
    """Red, green, blue from 0 to 1, in proportion to light."""
    a, b, c = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _light(a), _light(b), _light(c)


def _light(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def seen(colour: str, vision: str) -> Triple:
    """Red, green, blue in proportion to light, as a reader with this vision sees the colour."""
    a, b, c = (min(1, max(0, x)) for x in _times(VISION[vision], _linear(colour)))
    return a, b, c


def _lab(light: Triple) -> Triple:
    def root(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    x, y, z = (root(one / white) for one, white in zip(_times(_XYZ, light), _D65))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(a: str, b: str, vision: str = "usual") -> float:
    """ΔE of two colours; 2.3 is just noticeable."""
    return dist(_lab(seen(a, vision)), _lab(seen(b, vision)))


def contrast(a: str, b: str) -> float:
    """The ratio of WCAG 2, from 1 to 21."""
    low, high = sorted(_times(_XYZ, _linear(one))[1] for one in (a, b))
    return (high + 0.05) / (low + 0.05)


def readable(ground: str) -> str:
    """Black or white, whichever is the better colour for text on ``ground``."""
    return max((WHITE, BLACK), key=lambda text: contrast(text, ground))
