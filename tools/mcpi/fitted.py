# SPDX-License-Identifier: BSD-2-Clause
"""Which constant is fitted, and what a result says of it; ``mcpi.calibrate`` finds it."""

from mcpi.machine import Machine

KEY = "core.taken_penalty"


def nearest(target: float, icpi: dict[int, float]) -> int:
    """The penalty whose iCPI is nearest to ``target``; of two equally near the smaller."""
    return min(icpi, key=lambda penalty: (round(abs(icpi[penalty] - target), 6), penalty))


def status(machine: Machine) -> dict[str, dict]:
    """Each fitted constant: its value, and where the value came from."""
    value, about = machine.parameters[KEY], machine.calibration.get(KEY)
    if about is None:
        said = "not yet fitted"
    elif value == nearest(about["wanted"], {int(p): icpi for p, icpi in about["icpi"].items()}):
        said = f"fitted: STD TCP/IP's iCPI {about['found']:.2f}, the paper's {about['wanted']:.2f}"
    else:
        said = "not the fitted value"
    return {KEY: {"value": value, "status": said}}
