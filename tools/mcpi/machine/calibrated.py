# SPDX-License-Identifier: BSD-2-Clause
"""Which constant is fitted (``studies.sigcomm96.calibrate``), and what a result says of it."""

from mcpi.machine.profile import Machine

KEY = "core.taken_penalty"


def nearest(target: float, icpi: dict[int, float]) -> int:
    """The penalty whose iCPI is nearest to ``target``; of two equally near the smaller."""
    return min(icpi, key=lambda penalty: (round(abs(icpi[penalty] - target), 6), penalty))


def status(machine: Machine) -> dict[str, dict]:
    """Each fitted constant: its value, and where the value came from."""
    value, about = machine.parameters[KEY], machine.calibration.get(KEY)
    if about is None:
        return {KEY: {"value": value, "status": "not yet fitted"}}
    if value != nearest(about["wanted"], {int(p): icpi for p, icpi in about["icpi"].items()}):
        return {KEY: {"value": value, "status": "not the fitted value"}}
    how = f"STD TCP/IP's iCPI {about['found']:.2f}, the paper's {about['wanted']:.2f}"
    if machine.calibrated == machine.name:
        return {KEY: {"value": value, "status": "fitted", "how": how}}
    return {KEY: {"value": value, "status": "inherited", "how": f"{machine.calibrated}, {how}"}}


def words(calibration: dict[str, dict]) -> list[str]:
    """``status`` for people."""
    return [
        f"{name} = {constant['value']}, {constant['status']}"
        + (f": {constant['how']}" if "how" in constant else "")
        for name, constant in calibration.items()
    ]
