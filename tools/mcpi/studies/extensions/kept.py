# SPDX-License-Identifier: BSD-2-Clause
"""What a study has made besides its runs, kept until something differs that it was made of."""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from mcpi.base import staging
from mcpi.firmware import images
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec


def found(file: Path, key: str, make: Callable[[], dict]) -> dict:
    """What ``file`` has of this key, or what ``make`` makes and is kept there."""
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
