# SPDX-License-Identifier: BSD-2-Clause
"""``result.json``: where it came from, and its check against ``result.schema.json``."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from mcpi import fitted
from mcpi.errors import RunError
from mcpi.machine import Machine
from mcpi.paths import ROOT
from mcpi.record import Record

SCHEMA = Path(__file__).with_name("result.schema.json")
SUM_TOLERANCE = 1e-6  # ticks; means are fractions, the totals are exact


def check(result: dict) -> None:
    """RunError unless ``result`` obeys the schema and every path's owners sum to its ticks."""
    from jsonschema import Draft202012Validator

    errors = list(Draft202012Validator(json.loads(SCHEMA.read_text())).iter_errors(result))
    if errors:
        where = "/".join(map(str, errors[0].absolute_path)) or "the top"
        raise RunError(f"result.json breaks its schema at {where}: {errors[0].message}")
    for kind in ("steady", "cold"):
        for side, path in result.get(kind, {}).items():
            _check_sums(f"{kind}/{side}", path)


def _check_sums(where: str, path: dict) -> None:
    totals = path["totals"]
    if sum(totals["owners"].values()) != totals["ticks"]:
        raise RunError(f"{where}: the owners do not sum to the ticks")
    if abs(sum(path["owners"].values()) - path["ticks"]) > SUM_TOLERANCE:
        raise RunError(f"{where}: the owners' means do not sum to the mean ticks")


def provenance(place: Path, record: Record, machine: Machine, tools: dict[str, str]) -> dict:
    """Enough to run it again and to see whether it was the same."""
    commit, dirty = _commit()
    return {
        "commit": commit,
        "dirty": dirty,
        "command": record.command(),
        "machine": machine.name,
        "machine_digest": machine.digest,
        "settings": dict(sorted(record.settings.items())),
        "stack": record.stack,
        "variant": record.variant,
        "peer_variant": record.peer,
        "layout": record.layout,
        "engine": record.engine,
        "seed": record.seed,
        "warmup": record.warmup,
        "rtl_digest": json.loads((place / "Node.json").read_text())["rtl_digest"],
        "images": {
            p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(place.glob("*.elf"))
        },
        "tools": tools,
        "calibration": fitted.status(machine),
    } | changes(record)


def changes(record: Record) -> dict:
    """What makes the run another than stack, variant and machine say; usually nothing."""
    found = {"defines": list(record.defines), "wire": list(record.wire)}
    found["image"] = Path(record.image).name
    return {key: value for key, value in found.items() if value}


def _commit() -> tuple[str, bool]:
    if not shutil.which("git"):
        return "unknown", True

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    return git("rev-parse", "HEAD") or "unknown", bool(git("status", "--porcelain"))
