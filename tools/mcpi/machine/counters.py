# SPDX-License-Identifier: BSD-2-Clause
"""``machines/counters.toml``: each counter, owner and cause, checked against the bundles of rtl/.

``Machine.to_json`` has the rows of a machine for Scala and C++, ``cpp_counters`` those of all
machines for C++; benches and tools take names and order from here.
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from mcpi.base.errors import UserError, nearest
from mcpi.base.repo import MACHINES, ROOT
from mcpi.machine import acting

FILE = MACHINES / "counters.toml"
OWNER, CAUSE = "owner.", "cause."
Values = Mapping[str, acting.Value]  # parameters of a machine
#: By file below rtl/ the bundles that have events, and what is in them.
BUNDLES = dict.fromkeys(
    ("CoreEvents", "CoherentEvents", "TranslationEvents"), "counters/RetirePort.scala"
) | {
    "MemoryEvents": "memory/MemoryConfig.scala",
    "PrivateCacheEvents": "memory/coherent/PrivateCache.scala",
    "SlotEvents": "counters/Banks.scala",
    "MemoryKind": "bus/MemoryBus.scala",
}
OF = {"core": "CoreEvents", "memory": "MemoryEvents", "slots": "SlotEvents", "owner": "CoreEvents"}
CHECKS = ("recount", "predict", "translation")


class Counter(Struct, frozen=True, forbid_unknown_fields=True):
    """A row; the comment of the file defines the fields."""

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$")]
    of: Literal["core", "memory", "slots", "owner", "cause", "clock", "verdict", "window"]
    doc: str
    event: str = ""
    private: str | None = None
    when: Annotated[str, Meta(pattern=rf"^({acting.CONDITION})?$")] = ""
    skips: bool = False
    glides: bool = True
    causes: bool = False
    checks: Annotated[str, Meta(pattern=rf"^(({'|'.join(CHECKS)})( |$))*$")] = ""
    log: int = 0
    short: str = ""
    group: str = ""
    column: str = ""

    @property
    def plain(self) -> str:
        """The name, of an owner or a cause without that word."""
        return self.name.removeprefix(OWNER).removeprefix(CAUSE)

    @property
    def identifier(self) -> str:
        """``bcacheReplacementMisses`` of ``bcache.replacement_misses``."""
        first, *words = re.split(r"[._]", self.plain)
        return first + "".join(word.capitalize() for word in words)

    @property
    def is_event(self) -> bool:
        """True of a row that models count as an event of a tick."""
        return self.of in ("core", "memory", "slots", "verdict")

    def check(self) -> None:
        """Raise ValueError for fields that do not go together, or an event without a field."""
        for kind in ("owner", "cause"):
            if self.name.startswith(f"{kind}.") != (self.of == kind):
                raise ValueError(f'of = "{self.of}": \'{kind}.…\' and of = "{kind}" go together')
        if self.of in ("core", "slots", "memory") and not (self.event or self.private):
            raise ValueError("the field 'event' is missing")
        if self.log and not self.is_event:
            raise ValueError(f'log: of = "{self.of}" is no event of a tick')
        if self.of not in OF and self.event:
            raise ValueError(f'event: of = "{self.of}" has no bundle with events')
        for text, bundle in ((self.event, OF.get(self.of)), (self.private, "PrivateCacheEvents")):
            for word in (text or "").split():
                if word not in (there := bundle_fields(bundle)):
                    hint = nearest(word, sorted(there))
                    raise ValueError(
                        f"'{word}' is no event: {bundle} of rtl/{BUNDLES[bundle]} has no such "
                        f"field.{hint}"
                    )


def table(path: Path | None = None) -> tuple[Counter, ...]:
    """All rows in the order of their registers. UserError for a row that is wrong."""
    path = path or FILE
    return _table(path, path.read_text())


def of_machine(values: Values) -> list[Counter]:
    """The rows of a machine."""
    return [row for row in table() if not row.when or acting.holds(row.when, values)]


def to_json(values: Values) -> list[dict]:
    """Rows of a machine, with the fields that its hardware and models need."""
    fields = ("name", "of", "event", "private", "skips", "causes")
    rows = (
        {key: getattr(row, key) for key in fields} | ({} if row.glides else {"glides": False})
        for row in of_machine(values)
    )
    return [{key: value for key, value in row.items() if value is not None} for row in rows]


def names(rows: Iterable[Counter]) -> Iterator[str]:
    """Names of registers, in order: each owner with causes has a register for each cause."""
    rows = list(rows)
    causes = [row.plain for row in rows if row.of == "cause"]
    for row in rows:
        if row.of != "cause":
            yield row.name
        elif row.plain == causes[0]:
            yield from (f"{CAUSE}{r.plain}.{cause}" for r in rows if r.causes for cause in causes)


def common(of: str) -> list[Counter]:
    """The rows of a kind that every machine has."""
    return [row for row in table() if row.of == of and not row.when]


def owners() -> dict[str, Counter]:
    """The owners that every machine has, by name without ``owner.``, in order."""
    return {row.plain: row for row in common("owner")}


def owners_by(field: str) -> dict[str, tuple[str, ...]]:
    """The same by their ``group`` or ``column``, as far as they have one."""
    found: dict[str, tuple[str, ...]] = {}
    for name, row in owners().items():
        if value := getattr(row, field):
            found[value] = (*found.get(value, ()), name)
    return found


@functools.cache
def _table(path: Path, text: str) -> tuple[Counter, ...]:
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        twice = re.match(r"Cannot declare \('(.+)',\) twice", str(error))
        said = f"'{twice[1]}' has two rows; one is wanted." if twice else f"not TOML: {error}"
        raise UserError(f"{path}: {said}") from None
    rows = []
    for name, row in read.items():
        try:
            rows.append(msgspec.convert({"name": name} | row, Counter))
            rows[-1].check()
        except (TypeError, ValueError) as error:  # msgspec's errors are ValueErrors
            raise UserError(f"{path}: '{name}': {error}. Its comment defines the fields.") from None
    for what in ("identifier", "log"):
        seen: dict[object, str] = {}
        for row in rows:
            key = getattr(row, what) and (getattr(row, what), what == "log" or row.of)
            if key and (other := seen.setdefault(key, row.name)) != row.name:
                raise UserError(f"{path}: '{other}' and '{row.name}' have the same {what}.")
    return tuple(rows)


@functools.cache
def bundle_fields(bundle: str) -> frozenset[str]:
    """``iMiss``, ``translation.fault``; ``kind.write`` for each value of ``MemoryKind``."""
    text = (ROOT / "rtl" / BUNDLES[bundle]).read_text()
    body = re.search(rf"(?:case class|object) {bundle}\b.*?\{{\n(.*?)\n\}}", text, re.S)[1]
    found: set[str] = set()
    for declared, made in re.findall(r"^  val ([\w, ]+?) = (.*)$", body, re.M):
        if inner := re.search(rf"\b({'|'.join(BUNDLES)})\(", made):
            found |= {f"{declared}.{name}" for name in bundle_fields(inner[1])}
        else:
            found |= set(declared.split(", "))
    return frozenset(found)
