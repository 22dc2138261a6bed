# SPDX-License-Identifier: BSD-2-Clause
"""Status and source of every value of the machine files: ``machines/sources.toml``."""

import tomllib
from dataclasses import dataclass

from mcpi.base.repo import MACHINES, ROOT

FILE = "sources"
STATUS = ("read", "recalled", "fitted", "chosen")


@dataclass(frozen=True)
class Fact:
    """``status`` is one of STATUS, ``source`` says from where."""

    value: str
    status: str
    source: str


@dataclass(frozen=True)
class Fixed(Fact):
    """A value that no machine file gives. ``file`` has it, in the words ``text``."""

    file: str
    text: str

    def there(self) -> bool:
        path = ROOT / self.file
        return path.is_file() and self.text in " ".join(path.read_text().split())


def _read(name: str) -> dict:
    return tomllib.loads((MACHINES / f"{name}.toml").read_text())


def _flat(sections: dict) -> dict[str, object]:
    """``{"clock.ticks_per_us": 175}`` from a file's sections."""
    return {
        f"{section}.{key}": value
        for section, keys in sections.items()
        if isinstance(keys, dict) and section != "calibration"
        for key, value in keys.items()
    }


def _formatted(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _split(line: str) -> tuple[str, str]:
    status, colon, source = line.partition(": ")
    return (status, source) if colon else ("", line)


def of(machine: str) -> dict[str, Fact]:
    """The facts of each value that the machine's own file gives, in the file's order, after those
    that ``parameters.toml`` gives to a machine that extends no other. A value without a line has an
    empty status."""
    lines, given = _flat(_read(FILE).get(machine, {})), _read(machine)
    facts = {
        key: Fact(_formatted(value), *_split(str(lines.get(key, ""))))
        for key, value in _flat(given).items()
    }
    if "extends" in given:
        return facts
    usual = {key: row for key, row in _flat(_read("parameters")).items() if "value" in row}
    return {
        key: Fact(_formatted(row["value"]), *_split(row.get("source", "")))
        for key, row in usual.items()
    } | facts


def fixed() -> dict[str, Fixed]:
    """The facts that are in the hardware alone, by name."""
    return {
        name: Fixed(row["value"], *_split(row["source"]), row["file"], row["text"])
        for name, row in _read(FILE)["fixed"].items()
    }


def slips(machines: list[str]) -> list[str]:
    """Sentences about values without a status, lines without a value, and files without a text."""
    found, sources = [], _read(FILE)
    for machine in machines:
        facts = of(machine)
        for key, fact in facts.items():
            if fact.status not in STATUS or not fact.source:
                found.append(
                    f"machines/sources.toml: [{machine}] {key}: write where its value comes from, "
                    f'as "read: …"; the first word is one of {", ".join(STATUS)}.'
                )
        for key in _flat(sources.get(machine, {})):
            if key not in facts:
                found.append(
                    f"machines/sources.toml: [{machine}] {key}: {machine}.toml has it not."
                )
    found += [
        f"machines/sources.toml: [{name}]: no such machine."
        for name in sources
        if name not in (*machines, "fixed")
    ]
    for name, fact in fixed().items():
        if fact.status not in STATUS:
            found.append(f"machines/sources.toml: [fixed] {name}: no status.")
        if not fact.there():
            found.append(f"machines/sources.toml: [fixed] {name}: {fact.file} has no such text.")
    return found
