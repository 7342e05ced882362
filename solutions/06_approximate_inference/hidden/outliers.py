"""Reference of task 2, student_t_site."""

import numpy as np

SEED = 602
TINY = 1e-30


def slope(y, g, scale, degrees):
    """∂ log p by an imaginary step."""
    residual = (y - g - 1j * TINY) / scale
    return (-0.5 * (degrees + 1) * np.log(1 + residual**2 / degrees)).imag / TINY


def answer(y, g, scale, degrees):
    """The curvature by differences of sixth order of the slope."""
    h = 0.02 * scale * np.sqrt(degrees + 1)
    f = {k: slope(y, g + k * h, scale, degrees) for k in (-3, -2, -1, 1, 2, 3)}
    bend = (45 * (f[1] - f[-1]) - 9 * (f[2] - f[-2]) + f[3] - f[-3]) / (60 * h)
    return -bend, slope(y, g, scale, degrees) - bend * g


def way(y, g, scale, degrees):
    yield "r = y − g", y - g
    yield "d s² + r²", degrees * scale**2 + (y - g) ** 2
    yield "slope ∂ log p", slope(y, g, scale, degrees)
