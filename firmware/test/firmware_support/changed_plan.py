# SPDX-License-Identifier: BSD-2-Clause
"""The plan of an image with a mistake in one of its sources."""

import re
from dataclasses import replace
from pathlib import Path

from firmware_support.faults import Fault

from mcpi.base.ninja import Edge
from mcpi.firmware.images import Plan


def changed(plan: Plan, fault: Fault) -> Plan:
    """The plan with the fault in one source, in a folder called by its name."""
    source = fault.file
    folder = plan.folder.with_name(f"{plan.folder.name}-{fault.folder}")
    copy = folder / source.name
    [step] = [s for s in plan.steps if source in s.inputs and s.depfile]
    [target] = step.outputs
    moved = {str(source): copy, str(target): folder / target.name}
    moved |= {str(step.depfile): folder / step.depfile.name}
    steps = [_moved(s, plan.folder, folder, moved) for s in plan.steps]
    return replace(
        plan,
        folder=folder,
        files={_place(p, plan.folder, folder): t for p, t in plan.files.items()}
        | {copy: fault.text()},
        steps=tuple(steps),
    )


def _place(path: Path, old: Path, new: Path) -> Path:
    return new / path.relative_to(old) if path.is_relative_to(old) else path


def _moved(step: Edge, old: Path, new: Path, moved: dict[str, Path]) -> Edge:
    def word(text: str) -> str:
        for a, b in moved.items():
            text = text.replace(a, str(b))
        for before in ("-I", "-L"):
            text = re.sub(rf"{before}{re.escape(str(old))}(?!\S)", f"{before}{new}", text)
        return text.replace(f"{old}/", f"{new}/")

    def path(p: Path) -> Path:
        return moved.get(str(p), _place(p, old, new))

    line = step.command if isinstance(step.command, str) else [str(w) for w in step.command]
    return Edge(
        step.label,
        word(line) if isinstance(line, str) else [word(w) for w in line],
        [path(p) for p in step.outputs],
        [path(p) for p in step.inputs],
        path(step.depfile) if step.depfile else None,
    )
