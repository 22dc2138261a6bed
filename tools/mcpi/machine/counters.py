# SPDX-License-Identifier: BSD-2-Clause
"""``machines/counters.toml``: each counter, owner and cause, checked against the bundles of rtl/.

``Machine.to_json`` has the rows of a machine for Scala and C++, ``cpp_counters`` those of all
machines for C++; benches and tools take names and order from here.
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.base.repo import MACHINES, ROOT
from mcpi.machine import acting

FILE = MACHINES / "counters.toml"
OWNER, CAUSE = "owner.", "cause."
CORE, MEMORY, SLOTS, PRIVATE = "CoreEvents", "MemoryEvents", "SlotEvents", "PrivateCacheEvents"
#: Bundles that have events, and what is in them, by the file that declares it.
BUNDLES = dict.fromkeys((CORE, "CoherentEvents", "TranslationEvents"), "counters/RetirePort.scala")
BUNDLES |= {
    MEMORY: "memory/MemoryConfig.scala",
    PRIVATE: "memory/coherent/PrivateCache.scala",
    SLOTS: "counters/Banks.scala",
    "MemoryKind": "bus/MemoryBus.scala",
}
OF = {"core": CORE, "memory": MEMORY, "slots": SLOTS, "owner": CORE}
OF |= dict.fromkeys(("cause", "clock", "verdict", "window"), "")
CHECKS = ("recount", "predict", "translation")


@dataclass(frozen=True)
class Counter:
    """A row; the comment of the file defines the fields."""

    name: str
    of: str
    doc: str
    event: str = ""
    private: str | None = None
    when: str = ""
    skips: bool = False
    causes: bool = False
    checks: str = ""
    log: int = 0
    short: str = ""
    group: str = ""
    column: str = ""

    @property
    def identifier(self) -> str:
        """``bcacheReplacementMisses`` of ``bcache.replacement_misses``; of an owner without
        ``owner.``"""
        first, *words = re.split(r"[._]", self.name.removeprefix(OWNER).removeprefix(CAUSE))
        return first + "".join(word.capitalize() for word in words)

    @property
    def is_event(self) -> bool:
        """Whether models count it as an event of a tick."""
        return self.of in ("core", "memory", "slots", "verdict")

    def exists(self, values: Mapping[str, acting.Value]) -> bool:
        """Whether a machine with these parameters has it."""
        return not self.when or acting.holds(self.when, values)


def table(path: Path | None = None) -> tuple[Counter, ...]:
    """All rows in the order of their registers. UserError for a row that is wrong."""
    path = path or FILE
    return _table(path, path.read_text())


def of_machine(values: Mapping[str, acting.Value]) -> list[Counter]:
    """The rows of a machine with these parameters."""
    return [row for row in table() if row.exists(values)]


def to_json(values: Mapping[str, acting.Value]) -> list[dict]:
    """What the machine's hardware is made from, and the models' counters."""
    rows = [
        {key: getattr(row, key) for key in ("name", "of", "event", "private", "skips", "causes")}
        for row in of_machine(values)
    ]
    return [{key: value for key, value in row.items() if value is not None} for row in rows]


def expanded(rows: Iterable[Counter]) -> Iterator[str]:
    """Names of registers, in order: each owner with causes has a register for each cause."""
    all_ = list(rows)
    causes = [row.name.removeprefix(CAUSE) for row in all_ if row.of == "cause"]
    caused = [row.name.removeprefix(OWNER) for row in all_ if row.causes]
    for row in all_:
        if row.of != "cause":
            yield row.name
        elif row.name == CAUSE + causes[0]:
            yield from (f"{CAUSE}{owner}.{cause}" for owner in caused for cause in causes)


def common(of: str) -> list[Counter]:
    """The rows of a kind that every machine has."""
    return [row for row in table() if row.of == of and not row.when]


def owners() -> dict[str, Counter]:
    """The owners that every machine has, by name without ``owner.``, in order."""
    return {row.name.removeprefix(OWNER): row for row in common("owner")}


def owners_by(field: str) -> dict[str, tuple[str, ...]]:
    """Owners that every machine has by the value of ``group`` or ``column``, without those that
    have none."""
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
        if twice := re.match(r"Cannot declare \('(.+)',\) twice", str(error)):
            raise UserError(f"{path}: '{twice[1]}' has two rows; one is wanted.") from None
        raise UserError(f"{path}: not a TOML file: {error}") from None
    rows = tuple(_row(path, name, row) for name, row in read.items())
    for what in ("identifier", "log"):
        seen: dict[object, str] = {}
        for row in rows:
            key = (row.of, getattr(row, what)) if what == "identifier" else getattr(row, what)
            if key and (other := seen.setdefault(key, row.name)) != row.name:
                raise UserError(f"{path}: '{other}' and '{row.name}' have the same {what}.")
    return rows


def _row(path: Path, name: str, row: object) -> Counter:
    def wrong(said: str) -> UserError:
        return UserError(f"{path}: '{name}': {said}")

    if not isinstance(row, dict):
        raise wrong(f'a row ["{name}"] with its fields is wanted, not {row!r}.')
    known = {field.name: field.type for field in fields(Counter)}
    for key, value in row.items():
        if key not in known or key == "name":
            raise wrong(f"unknown field '{key}'.{nearest(key, sorted(known))}")
        wanted = {"log": int, "skips": bool, "causes": bool}.get(key, str)
        if type(value) is not wanted:
            raise wrong(f"{key} = {value!r}: a {wanted.__name__} is wanted.")
    for key in ("of", "doc"):
        if key not in row:
            raise wrong(f"the field '{key}' is missing.")
    found = Counter(name, **row)
    if found.of not in OF:
        raise wrong(f'of = "{found.of}": one of {", ".join(sorted(OF))} is wanted.')
    if not re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?", name):
        raise wrong("a name has one or two words of small letters, digits and _, with a dot.")
    for prefix, kind in ((OWNER, "owner"), (CAUSE, "cause")):
        if name.startswith(prefix) != (found.of == kind):
            raise wrong(f'of = "{found.of}": of = "{kind}" and \'{prefix}…\' go together.')
    if found.when and not acting.is_condition(found.when):
        raise wrong(f'when = "{found.when}": KEY = VALUE, !=, > or <= is wanted.')
    if odd := [check for check in found.checks.split() if check not in CHECKS]:
        raise wrong(f"checks: '{odd[0]}': {', '.join(CHECKS)} are wanted.")
    if found.log and not found.is_event:
        raise wrong(f'log: of = "{found.of}" is no event of a tick.')
    _check_events(found, wrong)
    return found


def _check_events(row: Counter, wrong) -> None:
    """Each word of ``event`` and ``private`` is a field of its bundle."""
    if row.of in ("core", "slots") and not row.event:
        raise wrong("the field 'event' is missing.")
    if row.of == "memory" and not (row.event or row.private):
        raise wrong("the field 'event' or 'private' is missing.")
    if not OF[row.of] and (row.event or row.private is not None):
        raise wrong(f'event: of = "{row.of}" has no bundle with events.')
    for text, bundle in ((row.event, OF[row.of]), (row.private or "", PRIVATE)):
        there = bundle_fields(bundle) if text else frozenset()
        for word in text.split():
            if word not in there:
                raise wrong(
                    f"'{word}' is no event: {bundle} of rtl/{BUNDLES[bundle]} has no such "
                    f"field.{nearest(word, sorted(there))}"
                )


@functools.cache
def bundle_fields(bundle: str) -> frozenset[str]:
    """``iMiss``, ``translation.fault``; ``kind.write`` for each value of ``MemoryKind``."""
    text = (ROOT / "rtl" / BUNDLES[bundle]).read_text()
    found = re.search(rf"(?:case class|object) {bundle}\b.*?\{{\n(.*?)\n\}}", text, re.S)
    if not found:
        raise UserError(f"rtl/{BUNDLES[bundle]} has no {bundle}.")
    names = set()
    for declared, made in re.findall(r"^  val (?:Seq\()?([\w, ]+?)\)? =(.*)$", found[1], re.M):
        inner = re.search(rf"\b({'|'.join(BUNDLES)})\(", made)
        names |= set() if inner else set(declared.split(", "))
        if inner:
            names |= {f"{declared}.{name}" for name in bundle_fields(inner[1])}
    return frozenset(names)
