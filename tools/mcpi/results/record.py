# SPDX-License-Identifier: BSD-2-Clause
"""``result.json``: made, read, written; every record goes through its types."""

import json
from pathlib import Path

import msgspec

from mcpi.base.errors import RunError
from mcpi.results.types import SCHEMA, Result


def of(fields: dict) -> Result:
    """The result that ``told`` holds. RunError names the field that is missing, unknown or of
    another type or range, and owners that do not sum to their ticks."""
    try:
        return msgspec.convert({"schema": SCHEMA} | fields, Result)
    except msgspec.ValidationError as error:
        raise RunError(f"result.json: {error}") from None


def read(path: Path) -> Result:
    """A record of this schema. RunError for a file of another one, or that is no record."""
    try:
        fields = json.loads(path.read_bytes())
    except ValueError:
        raise RunError(f"{path}: is no JSON; was it cut short?") from None
    schema = fields.get("schema") if isinstance(fields, dict) else None
    if schema != SCHEMA:
        raise RunError(f"{path}: schema {schema}; only {SCHEMA} can be read here.")
    return of(fields)


def plain(result: Result) -> dict:
    """Convert to dictionaries, lists, numbers and texts, without fields that were not measured."""
    return msgspec.to_builtins(result)


def text(result: Result) -> str:
    """The file."""
    return json.dumps(plain(result), indent=1) + "\n"


def schema() -> dict:
    """JSON Schema 2020-12 of the file."""
    return msgspec.json.schema(Result)
