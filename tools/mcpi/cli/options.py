# SPDX-License-Identifier: BSD-2-Clause
"""Options that several commands have, which of them go together (an option that
would be ignored is refused), the spec that they give, and names of an earlier
release."""

import dataclasses
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import UserError, nearest
from mcpi.spec import run_spec
from mcpi.spec.numbers import SIDES
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

MACHINE = RunSpec.machine
Machine = Annotated[str, typer.Option(help="A file of machines/, by name, or the path of a .toml.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one machine parameter; repeatable."),
]
Stack = Annotated[
    str, typer.Option(help="Protocol stack, or the file of a graph.", metavar="tcp|rpc|bsd|FILE")
]
Variant = Annotated[
    str, typer.Option(help="A recipe of firmware/variants/: how the stack is compiled.")
]
PeerVariant = Annotated[
    str, typer.Option(metavar="VARIANT", help="The server's variant. \\[tcp: the same; rpc: all]")
]
Defines = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Change one firmware switch; repeatable."),
]
RoundTrips = Annotated[int, typer.Option(min=1, help="Measured round trips.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of sequence numbers, identifiers, phases.")]
Ports = Annotated[
    list[str] | None,
    typer.Option(metavar="PORT", help="Engine board: a serial port; twice, the client's first."),
]
Baud = Annotated[
    int,
    typer.Option(min=0, max=10**8, help="Engine board: baud rate of both ports; 0: 115200."),
]
Port = Annotated[str, typer.Option(metavar="PORT", help="The board's serial port.")]
OwnBaud = Annotated[
    int, typer.Option(min=0, max=10**8, help="Baud rate, as in board.toml; 0: 115200.")
]
Cores = Annotated[int | None, typer.Option(min=1, help="Runs side by side. \\[all cores]")]
Placements = Annotated[int, typer.Option(min=1, help="Placements that run side by side.")]
Json = Annotated[bool, typer.Option("--json", help="Print only the record (JSON) on stdout.")]
Measure = Annotated[
    list[str] | None,
    typer.Option(metavar="FUNCTION", help="A function of the program to measure; repeatable."),
]
CoresOf = Annotated[
    int, typer.Option(metavar="N", help="Run on the first N cores; 0 stands for all.")
]
Core = Annotated[int, typer.Option(metavar="K", help="The core whose measured places are shown.")]
Side = Annotated[
    str,
    typer.Option(
        metavar="client|server", help="Side whose path is shown.", callback=lambda word: _side(word)
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        metavar="exact|rtl",
        help="The engine; both give the same result.",
        callback=lambda word: _engine(word),
    ),
]
Out = Annotated[
    Path | None, typer.Option(help="Where the files go; else a new folder in results/.")
]

DUPLEX = "link.duplex"


def share(what: str) -> object:
    """An option whose value is a share of the frames that both sides send."""
    return typer.Option(metavar="SHARE", help=what)


# Options whose fields have another name: they are repeatable.
FIELDS = {"set_": "settings", "define": "defines", "port": "ports", "file": "files"}


@dataclass(frozen=True)
class Rule:
    """``options`` have no effect when option ``when`` has one of ``values``, or (no values) is
    given at all. Options are parameters of the command's function; ``why`` is for people."""

    options: tuple[str, ...]
    when: str
    values: tuple[str, ...]
    why: str

    @classmethod
    def of(cls, options: str, when: str, why: str, values: Sequence[str] = ()) -> "Rule":
        return cls(tuple(options.split()), when, tuple(values), why)


_RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
RUN, PAPER, BASELINE, PROFILE, EXEC, WHATIF, TRACE, LOAD, SIMULATE, EMBED, REPORT = (
    tuple(Rule.of(**row) for row in _RULES[command])
    for command in "run paper baseline profile exec whatif trace load simulate embed report".split()
)


def _fields(context: typer.Context, kind: type) -> dict[str, object]:
    """Fields of a spec that the options of a command give, by name."""
    there = {field.name for field in dataclasses.fields(kind)}
    given = {FIELDS.get(name, name): value for name, value in context.params.items()}
    given = {name: v for name, v in given.items() if name in there and v is not None}
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return given | {"settings": settings(context.params.get("set_"))}


def spec(context: typer.Context, **more: object) -> RunSpec:
    """The run that the options say; ``more`` is laid over them."""
    given = _fields(context, RunSpec) | more
    if context.params.get("half_duplex"):
        if DUPLEX in given["settings"]:
            raise UserError(f"--half-duplex is --set {DUPLEX}=half; give one of them.")
        given["settings"][DUPLEX] = "half"
    return RunSpec(**given)


def program(context: typer.Context, sources: list[str], **more: object) -> ProgramSpec:
    """The same of a program of one's own."""
    arguments = tuple(context.obj or ())  # behind --
    given = {"sources": tuple(sources), "arguments": arguments}
    return ProgramSpec(**_fields(context, ProgramSpec) | given | more)


def settings(set_: list[str] | None) -> dict[str, str]:
    """The values of ``--set``."""
    return run_spec.settings(set_ or [])


def filled(words: list[str]) -> list[str]:
    """The words; UserError for an empty one, as "$A" is: it would count as not given."""
    for before, word in zip(["mcpi", *words], words, strict=False):
        option, equals, value = word.partition("=")
        if not word or (equals and not value and option.startswith("-")):
            raise UserError(f"{option or before}: nothing is given after it.")
    return words


def check(context: typer.Context, rules: tuple[Rule, ...]) -> None:
    """UserError for an option on the command line that the others make ineffective."""
    words, given = _words(context)
    for rule in rules:
        value = context.params[rule.when]
        if not (value in rule.values if rule.values else rule.when in given):
            continue
        for name in rule.options:
            if name in given:
                raise UserError(
                    f"{words[name]} has no effect with {words[rule.when]}"
                    f"{f' {value}' if rule.values else ''}: {rule.why}. Leave it out."
                )


def no_effect(context: typer.Context, names: str, why: str) -> None:
    """UserError if one of these options is on the command line."""
    words, given = _words(context)
    for name in names.split():
        if name in given:
            raise UserError(f"{words[name]} has no effect: {why}. Leave it out.")


def writable(*files: Path | None) -> None:
    """UserError for a file that a command is to write at its end, and could not."""
    for file in files:
        if not file:
            continue
        folder = file.resolve().parent
        if not folder.is_dir():
            raise UserError(f"{file}: its folder is not there.")
        if file.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise UserError(f"{file}: a file in a folder that you may write to is wanted.")


def one_of(option: str, given: str, there: tuple[str, ...]) -> None:
    """UserError for a word that is none of those, with the nearest."""
    if given not in there:
        raise UserError(f"{option} {given}: {', '.join(there)} are known.{nearest(given, there)}")


def _side(given: str) -> str:
    one_of("--side", given, tuple(SIDES))
    return given


def _engine(given: str) -> str:
    one_of("--engine", given, (EXACT, RTL))
    return given


def given(context: typer.Context, name: str) -> bool:
    """Return true if an option is on the command line."""
    return context.get_parameter_source(name).name == "COMMANDLINE"


def any_given(context: typer.Context, *names: str) -> bool:
    """True if one of these options is on the command line."""
    return any(given(context, name) for name in names)


def _words(context: typer.Context) -> tuple[dict[str, str], set[str]]:
    """Every option as it is typed, and which of them are on the command line."""
    words = {p.name: _spelling(p, context.params[p.name]) for p in context.command.params}
    return words, {name for name in words if given(context, name)}


def _spelling(parameter, value: object) -> str:
    """The option as it was typed: --no-lockstep where the value is the second of a pair."""
    off = parameter.secondary_opts and value is False
    return (parameter.secondary_opts if off else parameter.opts)[0]
