# SPDX-License-Identifier: BSD-2-Clause
"""Where a result came from: enough to run it again and to see whether it was the same."""

import hashlib
import json
import shutil
from pathlib import Path

from mcpi.base import doctor
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.machine import calibrated
from mcpi.machine.profile import Machine
from mcpi.spec import watching
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec


def of(place: Path, spec: Spec, machine: Machine) -> dict:
    """``provenance`` of the run in the folder ``place``."""
    found = _common(place, spec, machine)
    if isinstance(spec, RunSpec):
        of_a_stack = {
            "stack": spec.stack,
            "variant": spec.variant,
            "peer_variant": spec.peer,
            "layout": spec.layout,
            "warmup": spec.warmup,
        }
        return found | of_a_stack | changes(spec)
    defines = {"defines": list(spec.defines)} if spec.defines else {}
    return found | {"program": spec.program} | defines


def _common(place: Path, spec: Spec, machine: Machine) -> dict:
    commit, dirty = commit_of_checkout()
    return (
        {
            "commit": commit,
            "dirty": dirty,
            "command": spec.command(),
            "machine": machine.name,
            "machine_digest": machine.digest,
            "settings": dict(sorted(spec.settings.items())),
            "engine": spec.engine,
            "seed": spec.seed,
            "images": {
                p.name: hashlib.sha256(p.read_bytes()).hexdigest()
                for p in sorted(place.glob("*.elf"))
            },
            "tools": doctor.tools(),
            "calibration": calibrated.status(machine),
        }
        | ({"translation": "tlb"} if machine.translates else {})
        | _hardware(place)
    )


def _hardware(place: Path) -> dict:
    """The Verilog that ran; none for an engine that has none."""
    node = place / "Node.json"
    return {"rtl_digest": json.loads(node.read_text())["rtl_digest"]} if node.exists() else {}


def changes(spec: RunSpec) -> dict:
    """Changes of the run besides stack, variant and machine; usually empty."""
    found = {"defines": list(spec.defines), "wire": watching.recorded_faults(spec)}
    found |= {"image": Path(spec.image).name, "path": spec.path}
    return {key: value for key, value in found.items() if value}


def commit_of_checkout() -> tuple[str, bool]:
    """The commit, and whether files were changed since."""
    if not shutil.which("git"):
        return "unknown", True

    done = heard(["git", "status", "--porcelain=v2", "--branch"], cwd=ROOT)
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    heads = [line.split()[2] for line in lines if line.startswith("# branch.oid ")]
    dirty = any(not line.startswith("#") for line in lines)
    return next((head for head in heads if head != "(initial)"), "unknown"), dirty
