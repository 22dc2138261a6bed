# SPDX-License-Identifier: BSD-2-Clause
"""Machine profiles: ``machines/*.toml`` checked against ``machines/parameters.toml``.

A resolved machine is a JSON document that Scala, the simulator and the tools read::

    {"name", "parameters": {"icache.size": 8192, ...}, "elaborate_digest", "digest", "memory_map",
     "run_parameters": [keys in the order of their host registers],
     "further_parameters": [those of them with host registers of their own, if there are any],
     "register_ranges": {key: [least, most a host register may hold, as it holds it]},
     "choices": {key: [a choice's names; a host register holds the position among them]},
     "counters": [a row of ``machines/counters.toml`` for each that the machine has],
     "instructions": {codes of ``machines/instructions.toml``}}
"""

import copy
import functools
import hashlib
import json
import math
import re
import tomllib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.base.repo import MACHINES
from mcpi.isa import table
from mcpi.machine import acting, caches, coherence, counters

Value = int | bool | str
# 16KB, 16kb, 16k, 16KiB: all are 16,384 bytes.
_SIZE = re.compile(r"([0-9]{1,40})\s*(?:([kmg])(?:i?b)?|b)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_NOT_MACHINES = {"counters", "instructions", "parameters", "memory-map", "sources"}
CONTROLLER = "lance.profile = am7990"  # the condition of the controller's own times


@dataclass(frozen=True)
class Machine:
    """Every parameter with its value; sizes in bytes, times in the unit the name ends with.

    ``calibration``: how fitted parameters were found (``mcpi.machine.calibrated``), by the machine
    ``calibrated``: this one, or one that it extends; it changes no machine.
    """

    name: str
    parameters: dict[str, Value]
    acts: dict[str, str]
    memory_map: dict
    choices: dict[str, list[str]]
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    most_ticks: dict[str, int] = field(default_factory=dict)
    calibration: dict[str, dict] = field(default_factory=dict)
    calibrated: str = ""
    further: frozenset[str] = frozenset()  # parameters with ``when``
    acts_if: dict[str, list[str]] = field(default_factory=dict)
    source: str = field(default="", compare=False)  # the name or file that ``load`` was given
    settings: dict[str, str] = field(default_factory=dict, compare=False)  # laid over it

    @property
    def ideal(self) -> "Machine":
        """This machine with memory that costs nothing; none with ``dcache.policy = back`` is."""
        return replace(self, parameters={**self.parameters, "memory.ideal": True})

    @cached_property
    def plain(self) -> "Machine":
        """This machine without settings."""
        return load(self.source) if self.settings else self

    @cached_property
    def shaped(self) -> "Machine":
        """This machine with the settings alone that shape the Verilog, so that all values of the
        others share it; itself, if it cannot be without the others."""
        found = {k: v for k, v in self.settings.items() if self.acts[k] == "elaborate"}
        try:
            return self if found == self.settings else load(self.source, found)
        except UserError:
            return self

    @property
    def shape(self) -> dict[str, str]:
        """The settings of ``shaped``."""
        return self.shaped.settings

    def selected(self, acts: str) -> dict[str, Value]:
        """The parameters that act at ``elaborate``, ``run``, ``firmware`` or ``host``."""
        return {k: v for k, v in self.parameters.items() if self.acts[k] == acts}

    def check_acts(self, settings: dict[str, str], **facts: str) -> None:
        """UserError for one of a user's ``settings`` that changes nothing of this machine, which
        has them (``mcpi.machine.acting``). ``facts``: ``engine``, ``code``, as far as known."""
        acting.check(settings, self.acts_if, self.parameters, facts)

    def ticks(self, key: str) -> int:
        """A parameter in nanoseconds as whole ticks, rounded to nearest (as Machine.scala)."""
        return self._ticks(self.parameters[key])

    def _ticks(self, nanoseconds: int) -> int:
        return int(nanoseconds * self.parameters["clock.ticks_per_us"] / 1000 + 0.5)

    def register_range(self, key: str) -> tuple[int, int]:
        """Least and most that the host register of a run-time parameter may hold: ticks of a time,
        a choice's position, else the parameter's unit."""
        if key in self.choices:
            return 0, len(self.choices[key]) - 1
        if key not in self.ranges:
            return 0, 1
        least, most = self.ranges[key]
        if not key.endswith("_ns"):
            return least, most
        return self._ticks(least), min(self._ticks(most), self.most_ticks[key])

    @property
    def ticks_per_us(self) -> int:
        return self.parameters["clock.ticks_per_us"]

    @property
    def nibble_ticks(self) -> int:
        """Ticks of four bits on the wire."""
        return 4 * self.ticks_per_us // self.parameters["link.mbps"]

    @property
    def real_time(self) -> bool:
        """On a board a virtual microsecond is a real one (docs/reference/boards.md, Real time)."""
        return "clock.real_time" in self.parameters

    @property
    def translates(self) -> bool:
        """Addresses are translated (docs/explanation/translation.md)."""
        return self.parameters["core.translation"] != "none"

    @property
    def coherent(self) -> bool:
        """Private b-caches on a snooping bus (docs/explanation/multiprocessor.md)."""
        return "bcache.private" in self.parameters

    @property
    def registers(self) -> list[str]:
        """The parameters with a host register; hardware without TLBs has none of theirs."""
        runs = [key for key, acts in self.acts.items() if acts == "run"]
        return [key for key in runs if self.translates or not key.startswith("tlb.")]

    @property
    def elaborate_digest(self) -> str:
        return _digest(self.selected("elaborate"), self.memory_map)

    @property
    def digest(self) -> str:
        return _digest(self.parameters, self.memory_map)

    def to_json(self) -> str:
        """The resolved machine; the same parameters give the same bytes."""
        runs = self.registers
        further = [key for key in runs if key in self.further]
        return json.dumps(
            ({"further_parameters": further} if further else {})
            | {
                "name": self.name,
                "parameters": self.parameters,
                "elaborate_digest": self.elaborate_digest,
                "digest": self.digest,
                "run_parameters": runs,
                "register_ranges": {key: self.register_range(key) for key in runs},
                "choices": self.choices,
                "counters": counters.to_json(self.parameters),
                "instructions": table.to_json(),
                "memory_map": self.memory_map,
            },
            indent=1,
            sort_keys=True,
        )


def _digest(*parts: dict) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def names() -> list[str]:
    """The machine profiles there are."""
    return sorted(p.stem for p in MACHINES.glob("*.toml") if p.stem not in _NOT_MACHINES)


def load(name: str, settings: dict[str, str] | None = None) -> Machine:
    """Read profile ``name`` (or a path to a ``.toml``) and lay ``key=value`` settings over it."""
    schema = _schema()
    path = _path(name)
    given, calibration, calibrated = _given(path)
    for key, text in (settings or {}).items():
        if key not in schema:
            raise UserError(f"--set {key}: no such parameter. {_nearest(key, schema)}")
        given[key] = _from_text(key, schema[key], text)
    if unknown := sorted(set(given) - set(schema)):
        raise UserError(f"{path}: unknown parameter {unknown[0]}. {_nearest(unknown[0], schema)}")
    where = dict.fromkeys(settings or {}, "--set")
    values = _applied(path, schema, given, where)
    coherence.check(values, lambda key: str(where.get(key, path)))
    caches.check(values, lambda key: str(where.get(key, path)))
    if values["dcache.policy"] == "back" and values["memory.ideal"]:
        raise UserError(
            f"{where.get('memory.ideal', path)}: memory.ideal = on: not with dcache.policy = back, "
            "whose only effect is ticks."
        )
    if "lance.classifier" in values and values["lance.wiring"] == "pmad":
        raise UserError(
            f"{where.get('lance.classifier', path)}: lance.classifier = on: its entries are "
            "registers of the IOASIC. Set lance.wiring=ioasic or lance.wiring=dense."
        )
    if values["lance.profile"] == "ideal":
        values |= dict.fromkeys(controller_times(), 0)
    elif values["link.mbps"] > 10:
        raise UserError(
            f"{where.get('link.mbps', path)}: link.mbps = {values['link.mbps']}: the Am7990's own "
            "times are of 10 Mb/s, and its rings do not keep up with more. "
            "Add --set lance.profile=ideal."
        )
    mhz, mbps = values["clock.ticks_per_us"], values["link.mbps"]
    if not values.get("bcache.private") and (4 * mhz % mbps or 4 * mhz < 2 * mbps):
        named = next((key for key in ("clock.ticks_per_us", "link.mbps") if key in where), "")
        raise UserError(
            f"{where.get(named, path)}: clock.ticks_per_us = {mhz}: at link.mbps = {mbps} four "
            f"bits take {4 * mhz / mbps:g} ticks, and two or more, a whole number, are wanted. "
            f"Take a multiple of {mbps // math.gcd(4, mbps)}."
        )
    counters.table()  # a wrong row is refused before anything is built
    table.table()
    rows = {key: row for key, row in schema.items() if key in values}
    acts = {key: row["acts"] for key, row in schema.items() if key in values or key in where}
    choices = {key: row["choices"] for key, row in rows.items() if "choices" in row}
    ranges = {key: tuple(row["range"]) for key, row in rows.items() if "range" in row}
    most = {key: row["most_ticks"] for key, row in rows.items() if "most_ticks" in row}
    memory_map = _mapped(_read(MACHINES / "memory-map.toml"), values)
    found = Machine(
        path.stem,
        values,
        acts,
        memory_map,
        choices,
        ranges,
        most,
        calibration,
        calibrated,
        frozenset(key for key, row in rows.items() if "when" in row),
        {key: row["acts_if"] for key, row in schema.items() if "acts_if" in row},
        name,
        dict(settings or {}),
    )
    for key, limit in most.items():
        if found.ticks(key) > limit:
            given_by = where.get(key, where.get("clock.ticks_per_us", path))
            raise UserError(
                f"{given_by}: {key} = {values[key]}: {found.ticks(key)} ticks at "
                f"clock.ticks_per_us = {values['clock.ticks_per_us']}; its register holds "
                f"at most {limit}."
            )
    return found


def controller_times() -> list[str]:
    """The controller's own times, which ``lance.profile = "ideal"`` sets to zero."""
    return [k for k, row in _schema().items() if CONTROLLER in row.get("acts_if", ())]


def _schema() -> dict[str, dict]:
    """Every parameter, by its key."""
    return _flatten(_read(MACHINES / "parameters.toml"), depth=2)


def _applied(path: Path, schema: dict, given: dict, where: dict[str, str]) -> dict[str, Value]:
    """The checked values of the parameters that this machine has, by ``when`` and ``unless``."""

    def on(key: str) -> bool:
        above = schema[key].get("when", key)
        return given.get(key) is True and (above == key or on(above))

    def has(key: str) -> bool:
        row = schema[key]
        return ("when" not in row or on(row["when"])) and not (
            "unless" in row and on(row["unless"])
        )

    def lacks(key: str) -> str:
        row = schema[key]
        return f"{row['when']} = on" if "when" in row else f"{row['unless']} = off"

    switches = {row[w] for row in schema.values() for w in ("when", "unless") if w in row}
    own = _flatten(_read(path), depth=2)
    values = {}
    for key in sorted(schema):
        if key in given:
            value = _checked(where.get(key, path), key, schema[key], given[key])
        elif has(key) or key in switches and schema[key].get("when", key) == key:
            raise UserError(_missing(key, schema[key], path, where))
        if has(key):
            values[key] = value
        elif schema[key].get("when") == key:
            pass  # a switch that is off
        elif key in where or key in own and not switches & set(where):
            raise UserError(f"{where.get(key, path)}: {key}: only with {lacks(key)}.")
    return values


def _missing(key: str, row: dict, path: Path, where: dict[str, str]) -> str:
    """A parameter that nobody gives: the machine's file is short of it, or a setting wants it."""
    what = f"parameter {key} is missing ({row['doc']})"
    switch = row.get("when")
    if switch not in where:
        return f"{path}: {what}"
    values = "on or off" if row["type"] == "bool" else ", ".join(row.get("choices", []))
    if "range" in row:
        values = " to ".join(_size(n) if row["type"] == "size" else str(n) for n in row["range"])
    return f"--set {switch}=on: {what}. Add --set {key}=VALUE, of {values}."


def _mapped(memory_map: dict, values: dict[str, Value]) -> dict:
    """The memory map of a machine with these parameters: a row's ``when`` is one of them."""
    return {
        section: {
            name: {key: value for key, value in row.items() if key != "when"}
            for name, row in rows.items()
            if "when" not in row or values.get(row["when"])
        }
        for section, rows in memory_map.items()
    }


def _path(name: str) -> Path:
    path = Path(name) if name.endswith(".toml") else MACHINES / f"{name}.toml"
    if not path.is_file():
        there, hint = ", ".join(names()), nearest(name, names())
        raise UserError(f"no machine '{name}'. There are: {there}.{hint}")
    return path


def _given(path: Path, seen: tuple[Path, ...] = ()) -> tuple[dict, dict, str]:
    """Values of a file laid over those that it ``extends``, the nearest calibration, and its
    machine."""
    profile = _read(path)
    base, calibration = profile.pop("extends", None), profile.pop("calibration", {})
    own = _flatten(profile, depth=2)
    if base is None:
        usual = {key: row["value"] for key, row in _schema().items() if "value" in row}
        return usual | own, calibration, path.stem
    if not isinstance(base, str) or _path(base) in (path, *seen):
        raise UserError(f"{path}: extends = {base!r}: another machine is wanted.")
    given, older, calibrated = _given(_path(base), (path, *seen))
    return given | own, *((calibration, path.stem) if calibration else (older, calibrated))


def _read(path: Path) -> dict:
    try:
        return copy.deepcopy(_parsed(path.read_text()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None


@functools.cache
def _parsed(text: str) -> dict:
    return tomllib.loads(text)


def _flatten(table: dict, depth: int) -> dict:
    flat = {}
    for key, value in table.items():
        if depth > 1 and isinstance(value, dict):
            flat |= {f"{key}.{k}": v for k, v in _flatten(value, depth - 1).items()}
        else:
            flat[key] = value
    return flat


def _nearest(key: str, schema: dict) -> str:
    import difflib

    close = difflib.get_close_matches(key, schema, n=3, cutoff=0.4)
    return (
        f"Did you mean {' or '.join(close)}?" if close else f"See {MACHINES.name}/parameters.toml."
    )


def _from_text(key: str, row: dict, text: str) -> Value:
    """A value as typed after ``--set key=``."""
    if row["type"] == "int":
        try:
            return int(text, 0)
        except ValueError:
            raise UserError(f"--set {key}={text}: a whole number is wanted.") from None
    if row["type"] == "bool":
        words = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
        if text.lower() not in words:
            raise UserError(f"--set {key}={text}: on or off is wanted.")
        return words[text.lower()]
    return text


def _size(bytes_: int) -> str:
    """8KB of 8192."""
    for unit in "MK":
        if bytes_ and bytes_ % _UNITS[unit] == 0:
            return f"{bytes_ // _UNITS[unit]}{unit}B"
    return f"{bytes_}B"


def _checked(where: Path | str, key: str, row: dict, value: object) -> Value:
    if row["type"] == "size":
        match = _SIZE.fullmatch(str(value).strip())
        if not match or isinstance(value, bool):
            low, high = map(_size, row["range"])
            raise UserError(
                f"{where}: {key} = {value!r}: a size from {low} to {high} is wanted, "
                "in B, KB or MB of 1024 (kb, KiB and k are the same)."
            )
        value = int(match[1]) * _UNITS[(match[2] or "").upper()]
    wanted = {"size": int, "int": int, "bool": bool, "choice": str}[row["type"]]
    if type(value) is not wanted:
        raise UserError(f"{where}: {key} = {value!r}: a {row['type']} is wanted.")
    if "choices" in row and value not in row["choices"]:
        raise UserError(
            f"{where}: {key} = {value!r}: one of {', '.join(row['choices'])} is wanted."
        )
    if "range" in row and not row["range"][0] <= value <= row["range"][1]:
        low, high = row["range"]
        texts = (_size(n) if row["type"] == "size" else str(n) for n in (value, low, high))
        text = "{}: outside {} to {}".format(*texts)
        unit = f" {row['unit']}" if "unit" in row else ""
        raise UserError(f"{where}: {key} = {text}{unit} ({row['doc']})")
    if row.get("rule") == "power_of_two" and value & (value - 1):
        raise UserError(f"{where}: {key} = {value}: not a power of two ({row['doc']})")
    if "only" in row and value not in row["only"]:
        raise UserError(
            f"{where}: {key} = {value}: only {' and '.join(map(str, row['only']))} "
            f"can be had yet ({row['doc']})"
        )
    return value
