# SPDX-License-Identifier: BSD-2-Clause
"""``result.json``: made, read, written; every record goes through its types."""

import json
from pathlib import Path

import msgspec

from mcpi.base.errors import RunError
from mcpi.results.types import SCHEMA, Result

READABLE = (1, SCHEMA)


def of(told: dict) -> Result:
    """The result that ``told`` holds. RunError names the field that is missing, unknown or of
    another type or range, and owners that do not sum to their ticks."""
    try:
        return msgspec.convert({"schema": SCHEMA} | told, Result)
    except msgspec.ValidationError as error:
        raise RunError(f"result.json: {error}") from None


def read(path: Path) -> Result:
    """A record of this schema or an earlier one. RunError if it is none."""
    try:
        told = json.loads(path.read_bytes())
    except ValueError:
        raise RunError(f"{path}: is no JSON; was it cut short?") from None
    return of(upgraded(told))


def upgraded(told: dict) -> dict:
    """A record in today's schema. 1 to 2: parts were added, none was changed."""
    schema = told.get("schema") if isinstance(told, dict) else None
    if schema not in READABLE:
        raise RunError(f"result.json: schema {schema}; {READABLE[0]} to {SCHEMA} can be read here.")
    return told | {"schema": SCHEMA}


def plain(result: Result) -> dict:
    """Convert to dictionaries, lists, numbers and texts, without fields that were not measured."""
    return msgspec.to_builtins(result)


def text(result: Result) -> str:
    """The file."""
    return json.dumps(plain(result), indent=1) + "\n"


def schema() -> dict:
    """JSON Schema 2020-12 of the file."""
    return msgspec.json.schema(Result)
