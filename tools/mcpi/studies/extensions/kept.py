# SPDX-License-Identifier: BSD-2-Clause
"""Results of a study besides its runs, kept until something that they were made of differs."""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from mcpi.base import staging
from mcpi.firmware import images
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec


def found(file: Path, key: str, make: Callable[[], dict]) -> dict:
    """Return the results in ``file`` if they have this key; or make them, and keep them there."""
    if file.is_file() and (there := json.loads(file.read_text()))["key"] == key:
        return there["found"]
    file.unlink(missing_ok=True)
    made = make()
    staging.write(file, json.dumps({"key": key, "found": made}, sort_keys=True))
    return made


def key(specs: Iterable[RunSpec], *more: bytes) -> str:
    """A digest of both machines' images of the specs, of the machine, and of more."""
    parts = list(more)
    for spec in specs:
        machine = spec.check()
        parts += [machine.to_json().encode(), repr(spec).encode()]
        for variant, role in zip((spec.variant, spec.peer), SIDES, strict=True):
            plan = images.plan(machine, variant, spec.stack, role=role)
            parts.append(images.build(plan).image.read_bytes())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
