# SPDX-License-Identifier: BSD-2-Clause
"""Two nodes and what starts them, for what else is in this folder."""

import subprocess
from pathlib import Path

from mcpi.build import graph, models
from mcpi.spec.run_spec import RTL, RunSpec


def usual() -> graph.Built:
    """Simulator and firmware of the usual spec."""
    return graph.build(RunSpec(engine=RTL))


def words(
    built: graph.Built,
    folder: Path,
    pal: Path,
    image: Path,
    nodes=(0, 1),
    mode: str = "run",
    **boot: object,
) -> list[str]:
    """The simulator, what it needs, and for each node its files and its boot block's fields."""
    description = folder / "machine.json"
    description.write_text(RunSpec().check().to_json())
    found = [built.simulator, mode, "--machine", description, "--node-json", built.node_json]
    items = [f"pal={pal}", f"image={image}", *(f"boot.{k}={v}" for k, v in boot.items())]
    found += [word for node in nodes for item in items for word in ("--node", f"{node}:{item}")]
    return [str(word) for word in found]


def run(built: graph.Built, folder: Path, pal: Path, image: Path, **boot: object) -> None:
    """On the exact engine; its files land in ``folder``."""
    on_exact = [models.build("mcpi-exact"), *words(built, folder, pal, image, **boot)[1:]]
    subprocess.run([*on_exact, "--out", folder], check=True, capture_output=True)
