# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes in generated Verilog, each keyed by the cell that it changes, all in one simulator.

A list is a CSV file, a mistake a line: ``module``, ``signal``, ``change``, ``reason`` (its name),
and what the list's own test wants to know (``tests``, ``proof``, ``depth``, ``settings``).

``signal`` names a driver: every assignment to it, or with ``#2`` the second in the module;
``if:signal#2`` is the innermost condition under which that one happens, ``instance.port`` what a
pin is connected to. Several, separated by blanks, change alike, in each module named. ``change``
says what the driver does instead:

- ``invert``, ``0``, ``1``; ``hold``: a register keeps its value;
- ``term -> value``: the operand (a signal or a constant) or operator ``term`` of its expression is
  ``value``, each of them, or with ``term#2`` the second; ``(3) -> value``: the operand in the third
  brackets is. Several changes are separated by ``;``.
- anything else is an expression, in which ``$`` is the right one.

A wire that SpinalHDL names after a line of the source is called by its number in the file
(``unnumbered``). Every change is put behind the environment variable MCPI_MUTANT, which holds a
mistake's number, from 1. The simulator reads it when the model is made.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.build import graph

VARIABLE = "MCPI_MUTANT"
SPDX = "# SPDX-License-Identifier: BSD-2-Clause\n"
_ASSIGNMENT = re.compile(
    r"^[ \t]*(?:[\w']+[ \t]*:[ \t]*)?(?:assign |wire +(?:signed +)?(?:\[[^]]*\] *)?)?"
    r"(\w+)(?:\[[^;=]*\])? *(?:<=|=) *([^;]*);",
    re.M,
)
_IF = re.compile(r"\bif *\(")
_STEP = re.compile(r"\b(begin|end|case|endcase)\b")
_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d*'s?[hbdo][\w]+|\d+|[<>=!]==?|<<<|>>>|<<|>>|&&|\|\||\S")
_PIN = r"^ *\w+ {} \(\n[^;]*?\.{} *\(([^()]*)\)"
_NUMBERED = re.compile(r"\b((?:_zz_)?when_\w+?)_l(\d+)")
_PLACE = re.compile(r"(if:)?([\w.]+)(?:#(\d+))?$")
_TERM = re.compile(r"(.+?)(?:#(\d+))?$")


@dataclass(frozen=True)
class Mutant:
    """A mistake: ``change`` at the driver of ``signal`` of ``module``. ``reason``: what it is;
    ``tests``: who is to find it, if the test of all mutants asks others; ``settings``: of the
    machine whose Verilog has it; ``proof``: which must fail, of so many ticks (``depth``)."""

    module: str
    signal: str
    change: str
    reason: str = ""
    tests: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    proof: str = ""
    depth: int = 0

    @property
    def title(self) -> str:
        """Name of the mistake: its reason, or else what it changes."""
        return self.reason or f"{self.module}, {self.signal}: {self.change}"


def load(path: Path) -> list[Mutant]:
    """Read a list."""
    lines = path.read_text().removeprefix(SPDX).splitlines()
    return [_read(row) for row in csv.DictReader(lines)]


def _read(row: dict[str, str]) -> Mutant:
    tests = tuple(row.pop("tests", "").split(";"))
    settings = dict(pair.split("=") for pair in row.pop("settings", "").split())
    depth = int(row.pop("depth", "0"))
    return Mutant(**row, tests=tests if tests[0] else (), settings=settings, depth=depth)


@dataclass(frozen=True)
class _Driver:
    """An assignment: the span of its expression, and that of the condition around it."""

    signal: str
    start: int
    end: int
    condition: tuple[int, int] | None


def _drivers(module: str) -> list[_Driver]:
    """Assignments of a module's text, in its order."""
    conditions = _conditions(module)
    found = []
    for match in _ASSIGNMENT.finditer(module):
        around = [span for block, span in conditions if block[0] < match.start() < block[1]]
        found.append(_Driver(match[1], *match.span(2), around[-1] if around else None))
    return found


def _conditions(module: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Blocks under an ``if``, by their span, with the span of the condition; outer ones first."""
    found = []
    for match in _IF.finditer(module):
        start = end = match.end()
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(module[end], 0)
            end += 1
        depth, last = 0, end
        for step in _STEP.finditer(module, end):
            depth += 1 if step[1] in ("begin", "case") else -1
            last = step.end()
            if not depth:
                break
        found.append(((end, last), (start, end - 1)))
    return found


def _pin(module: str, name: str) -> list[_Driver]:
    """Connections of the pin ``instance.port``, at most one."""
    instance, _, port = name.partition(".")
    found = re.finditer(_PIN.format(instance, port), module, re.M) if port else ()
    return [_Driver(name, *match.span(1), None) for match in found]


def changed(expression: str, change: str, signal: str = "") -> str:
    """The expression that ``change`` makes of ``expression``; ValueError if it has no such term."""
    if change == "invert":
        return f"(! ({expression}))" if _is_bit(expression) else f"(~ ({expression}))"
    if change in ("0", "1"):
        return f"1'b{change}"
    if change == "hold":
        return signal
    if "->" not in change:
        return change.replace("$", f"({expression})")
    for one in change.split(";"):
        term, _, value = (part.strip() for part in one.partition("->"))
        expression = _replaced(expression, term, value)
    return expression


def _is_bit(expression: str) -> bool:
    return bool(re.search(r"&&|\|\||!|==", expression))


def _replaced(expression: str, term: str, value: str) -> str:
    if match := re.fullmatch(r"\((\d+)\)", term):
        start, end = _brackets(expression, int(match[1]))
        new = f"1'b{value}" if value in ("0", "1") else value.replace("$", expression[start:end])
        return f"{expression[:start]}({new}){expression[end:]}"
    name, nth = _TERM.fullmatch(term).groups()
    spans = [m.span() for m in _TOKEN.finditer(expression) if m[0] == name]
    if nth:
        spans = spans[int(nth) - 1 : int(nth)]
    if not spans:
        raise ValueError(f"its expression has no {term}")
    new = value.replace("$", name)
    if new in ("0", "1"):
        new = f"1'b{new}"
    elif not re.fullmatch(r"[\w'$]+|[^\w\s()]+", new):
        new = f"({new})"
    for start, end in reversed(spans):
        expression = expression[:start] + new + expression[end:]
    return expression


def _brackets(expression: str, number: int) -> tuple[int, int]:
    """Span of the ``number``-th pair of round brackets, counted where they open."""
    opens = [n for n, sign in enumerate(expression) if sign == "("]
    if number > len(opens):
        raise ValueError(f"its expression has {len(opens)} pairs of brackets, not {number}")
    start = end = opens[number - 1]
    depth = 0
    while True:
        depth += {"(": 1, ")": -1}.get(expression[end], 0)
        end += 1
        if not depth:
            return start, end


def _edits(module: str, mutant: Mutant) -> dict[tuple[int, int], str]:
    """Spans of a module's text and what the mistake makes of each; ValueError if nothing fits."""
    drivers = _drivers(module)
    edits = {}
    for place in mutant.signal.split():
        if not (match := _PLACE.fullmatch(place)):
            raise ValueError(f"{place} is no place: signal, signal#2 or if:signal#2")
        of = [d for d in drivers if d.signal == match[2]] or _pin(module, match[2])
        if match[3]:
            of = of[int(match[3]) - 1 : int(match[3])]
        if not of:
            raise ValueError(f"there is no driver {place}")
        for driver in of:
            span = driver.condition if match[1] else (driver.start, driver.end)
            if span is None:
                raise ValueError(f"{place} is assigned without a condition")
            old = module[slice(*span)]
            new = changed(old, mutant.change, driver.signal)
            if _TOKEN.findall(new) == _TOKEN.findall(old):
                raise ValueError(f"{place} stays what it is")
            edits[span] = new
    return edits


def _spans(verilog: str, mutant: Mutant) -> dict[tuple[int, int], str]:
    """Spans of the Verilog and what the mistake makes of each; UserError if it does not fit."""
    found = {}
    for name in mutant.module.split():
        match = re.search(rf"^module {name}\b.*?^endmodule", verilog, re.M | re.S)
        if not match:
            raise UserError(f"'{mutant.title}': there is no module {name}")
        try:
            for (start, end), new in _edits(match[0], mutant).items():
                found[match.start() + start, match.start() + end] = new
        except ValueError as error:
            raise UserError(f"'{mutant.title}': module {name}: {error}") from None
    return found


def faulty(verilog: str, mutant: Mutant) -> str:
    """Verilog with this mistake alone, for good. UserError if it does not fit."""
    verilog = unnumbered(verilog)
    for (start, end), new in sorted(_spans(verilog, mutant).items(), reverse=True):
        verilog = verilog[:start] + new + verilog[end:]
    return verilog


def mutated(verilog: str, mistakes: Sequence[Mutant], top: str) -> str:
    """Verilog with all mistakes, and the number that chooses. UserError names one that does not
    fit."""
    verilog = unnumbered(verilog)
    changes: dict[tuple[int, int], str] = {}
    for number, mistake in enumerate(mistakes, 1):
        for span, new in _spans(verilog, mistake).items():
            right = changes.get(span, verilog[slice(*span)])
            changes[span] = f"(({top}.mutant == {number}) ? ({new}) : ({right}))"
    for (start, end), new in sorted(changes.items(), reverse=True):
        verilog = verilog[:start] + new + verilog[end:]
    return switched(verilog, top)


def planted(source: Path, mistakes: Sequence[Mutant], folder: Path | None = None) -> Path:
    """Path of an elaborated top with all mistakes, its machine.json next to it: in ``folder``, or
    else in a folder next to ``source``."""
    path = (folder or source.parent / "mutants") / source.name
    graph.write(path.with_name("machine.json"), source.with_name("machine.json").read_text())
    graph.write(path, mutated(source.read_text(), mistakes, source.stem))
    return path


def switched(verilog: str, top: str) -> str:
    """Verilog with the number that chooses, ``mutant`` of the module ``top``."""
    switch = (
        f'\n  integer mutant = $c32("(getenv(\\"{VARIABLE}\\") ? '
        f'atoi(getenv(\\"{VARIABLE}\\")) : 0)");\n\nendmodule'
    )
    found = re.search(rf"^module {top} ?\(.*?^endmodule", verilog, re.M | re.S)
    return verilog[: found.end() - len("endmodule")] + switch + verilog[found.end() :]


def unnumbered(verilog: str) -> str:
    """SpinalHDL names a wire after its line of the Scala source; here it is the n-th of its file,
    so that a comment above it chooses no other mutants."""
    found: dict[str, list[str]] = {}
    for wire, line in _NUMBERED.findall(verilog):
        if line not in found.setdefault(wire, []):
            found[wire].append(line)
    for lines in found.values():
        lines.sort(key=int)

    def nth(match: re.Match) -> str:
        return f"{match[1]}_n{found[match[1]].index(match[2])}"

    plain = re.sub(r" // \w+\.scala:L\d+$", "", verilog, flags=re.M)
    return _NUMBERED.sub(nth, plain)
