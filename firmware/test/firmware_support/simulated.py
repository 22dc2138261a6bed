# SPDX-License-Identifier: BSD-2-Clause
"""Two nodes with images of the firmware, on the exact engine."""

from collections.abc import Sequence
from pathlib import Path

from mcpi.base.process import heard
from mcpi.build import models
from mcpi.firmware import images
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine


def silent(machine: Machine) -> Plan:
    """An image for a node that takes no part."""
    return images.build(images.plan(machine, "std", "hello"))


def run(
    machine: Machine, made: Sequence[Plan], folder: Path, *options: object, **boot: int
) -> None:
    """Both until they have ended; files in ``folder``. ``boot``: fields of the boot blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "machine.json").write_text(machine.to_json())
    words = [models.build("mcpi-exact"), "run", "--out", folder, "--node-json", "/dev/null"]
    words += ["--machine", folder / "machine.json", *options]
    for node, plan in enumerate(made):
        items = [f"pal={plan.pal}", f"image={plan.image}"]
        items += [f"boot.{field}={value}" for field, value in boot.items()]
        words += [word for item in items for word in ("--node", f"{node}:{item}")]
    done = heard(words, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
