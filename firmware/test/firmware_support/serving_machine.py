# SPDX-License-Identifier: BSD-2-Clause
"""The simulated machine (Verilog and all) with other hosts on its wire: ``mcpi-sim serve``.

It speaks the lines of solo.c, so that what talks to the host build talks to it too.
"""

import json
from functools import cache
from pathlib import Path

from firmware_support.host_build import OUT

from mcpi.base import staging
from mcpi.build import graph
from mcpi.build.graph import Built
from mcpi.firmware import images, interop
from mcpi.machine import profile
from mcpi.spec.numbers import STACKS
from mcpi.spec.run_spec import RTL, RunSpec


@cache
def simulator() -> Built:
    return graph.build(RunSpec(engine=RTL))


def command(plan: images.Plan, stack: str = "tcp", **boot: int) -> list[str]:
    """The simulator's words for an image; ``boot``: fields of the boot block."""
    built = simulator()
    description = OUT / "outside" / "machine.json"
    staging.write(description, profile.load("dec3000-600").to_json())
    words = [built.simulator, "serve", "--machine", description]
    words += ["--node-json", built.node_json]
    for item in (f"pal={plan.pal}", f"image={plan.image}", f"boot.stack={STACKS[stack]}"):
        words += ["--node", f"0:{item}"]
    for name, value in boot.items():
        words += ["--node", f"0:boot.{name}={value}"]
    return [str(w) for w in words]


def tap_command() -> Path:
    """For simulated_tap.py: a file with the words, the image that other hosts talk to."""
    plan = images.build(interop.plan(profile.load("dec3000-600")))
    file = OUT / "outside" / "command.json"
    staging.write(file, json.dumps(command(plan, role=1)))
    return file
