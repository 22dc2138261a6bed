# SPDX-License-Identifier: BSD-2-Clause
"""The generated pages of the site: commands, parameters, counters, owners, instructions, registers
and the Python API, each from what the programs themselves read.
"""

import inspect
import re
import textwrap
import tomllib
from collections.abc import Iterable, Iterator

import typer.main

import mcpi
from mcpi import api
from mcpi.base.blocks import table
from mcpi.base.repo import MACHINES, ROOT
from mcpi.cli.main import app
from mcpi.isa import table as isa
from mcpi.machine import counters, profile
from verify.docgen.site.staging import as_page, escaped

MACHINE = "dec3000-600"
REGISTERS = (
    ("docs/data/registers.csv", "Registers that programs see", "docs/reference/memory-map.md"),
    ("docs/data/host-registers.csv", "Registers of the host link", "docs/reference/contracts.md"),
    ("docs/data/translation-registers.csv", "Translation", "docs/explanation/translation.md"),
    ("docs/sources/lance_bits.csv", "Bits of the LANCE", "docs/sources/lance.md"),
)


def pages() -> dict[str, str]:
    """The text of each page by its name below ``generated/``."""
    return {
        "commands.md": commands(),
        "parameters.md": parameters(),
        "owners.md": owners(),
        "counters.md": counters_page(),
        "instructions.md": instructions(),
        "registers.md": registers(),
        "python.rst": python(),
    }


def commands() -> str:
    """Each command: what it does, its examples, its options."""
    top = typer.main.get_command(app)
    found = "\n".join(_command(command, words) for command, words in walk(top, ()))
    return (
        f"# Commands\n\nThe help of each command of `./mcpi`, as the programs have it.\n\n{found}"
    )


def walk(command, words: tuple[str, ...]) -> Iterator[tuple[object, tuple[str, ...]]]:
    """The command with its words, and each command in it."""
    if words:
        yield command, words
    for name, inner in getattr(command, "commands", {}).items():
        yield from walk(inner, (*words, name))


def _command(command, words: tuple[str, ...]) -> str:
    context = command.make_context(" ".join(words), [], resilient_parsing=True)
    records = [
        p.get_help_record(context) for p in command.params if not getattr(p, "hidden", False)
    ]
    found = filter(None, records)
    rows = [(f"`{names}`".replace("|", "\\|"), escaped(said)) for names, said in found]
    options = table(("word", "meaning"), rows)
    return (
        f"{'#' * (len(words) + 1)} ./mcpi {' '.join(words)}\n\n{_help(command.help)}\n\n{options}\n"
    )


def _help(text: str) -> str:
    """Help as Markdown: blocks of indented lines are commands, and the line before them says so."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text or "")):
        if block.startswith(" "):
            block = f"```\n{textwrap.dedent(block)}\n```"
            if parts and parts[-1].endswith("\n```"):
                block, last = block.removeprefix("```"), parts.pop()
                block = last.removesuffix("```") + block
        elif block.startswith("[bold]"):
            block = re.sub(r"\[/?bold\]", "**", block)
        else:
            block = escaped(block)
        parts.append(block)
    return "\n\n".join(parts)


def parameters() -> str:
    """Each parameter of a machine, with its value on the paper's machine."""
    values = profile.load(MACHINE).parameters
    schema = tomllib.loads((MACHINES / "parameters.toml").read_text())
    sections: dict[str, list[tuple[str, ...]]] = {}
    for key, row in _leaves(schema, ""):
        value = f"`{values[key]}`" if key in values else "–"
        about = (f"`{key}`", _values(row), value, row["acts"], escaped(row["doc"]))
        sections.setdefault(key.partition(".")[0], []).append(about)
    head = ("parameter", "values", MACHINE, "acts on", "meaning")
    found = "\n".join(f"## {name}\n\n{table(head, rows)}\n" for name, rows in sections.items())
    return (
        "# Parameters of a machine\n\n`--set KEY=VALUE` changes a parameter. A value acts when the "
        "hardware is elaborated, when a run begins, when the firmware is compiled, or in the host "
        f"program. A dash: the machine {MACHINE} does not have the parameter.\n\n{found}"
    )


def _leaves(tables: dict, before: str) -> Iterator[tuple[str, dict]]:
    for name, inner in tables.items():
        key = f"{before}{name}"
        if "type" in inner and not isinstance(inner["type"], dict):
            yield key, inner
        else:
            yield from _leaves(inner, f"{key}.")


def _values(row: dict) -> str:
    """The values that a parameter may have, and their unit."""
    if "choices" in row:
        said = ", ".join(f"`{choice}`" for choice in row["choices"])
    elif "range" in row:
        said = " to ".join(str(bound) for bound in row["range"])
    else:
        said = {"bool": "`true`, `false`"}.get(row["type"], row["type"])
    only = f"; only {', '.join(map(str, row['only']))}" if "only" in row else ""
    return f"{said} {row.get('unit', '')}".strip() + only


def owners() -> str:
    """Each owner of ticks."""
    rows = (
        (f"`{row.plain}`", escaped(row.doc), escaped(row.short), escaped(row.when))
        for row in counters.table()
        if row.of == "owner"
    )
    made = table(("owner", "has a tick when", "in tables", "only if"), rows)
    return (
        "# Owners of ticks\n\nEach tick of a core has exactly one owner. The page on "
        "[counters](../docs/reference/counters.md) explains the rules, and the page on the "
        f"[processor](../docs/explanation/core.md) says what costs what.\n\n{made}\n"
    )


def counters_page() -> str:
    """Each counter that is no owner, in the order of the registers."""
    rows = (
        (f"`{row.name}`", escaped(row.doc), escaped(row.when), row.checks)
        for row in counters.table()
        if row.of != "owner"
    )
    made = table(("counter", "adds one for", "only if", "checked by"), rows)
    return (
        "# Counters of a node\n\nThe page on [counters](../docs/reference/counters.md) defines "
        f"windows and rules; [owners](owners.md) have a page too.\n\n{made}\n"
    )


def instructions() -> str:
    """Each instruction of the core."""
    found = isa.table()
    rows = []
    for row in isa.rows():
        group = found.groups[row.group]
        notes = [row.doc, f"{row.mode} mode" if row.mode else "", "mCPI's" if row.ours else ""]
        notes += ["traps on overflow"] if row.overflow else []
        said = "; ".join(filter(None, notes))
        about = (f"`{row.name}`", f"`{row.code}`", row.format, row.group, group.reads, group.writes)
        rows.append((*about, group.source, escaped(said)))
    head = ("name", "code", "format", "group", "reads", "writes", "source", "notes")
    return (
        "# Instructions\n\n`code` is the opcode, and after a dot the function, in hexadecimal. "
        "The page on the [processor](../docs/explanation/core.md) says what an instruction costs."
        f"\n\n{table(head, rows)}\n"
    )


def registers() -> str:
    """Each register: of the memory map, the host link, address translation, the LANCE."""
    parts = ["# Registers\n"]
    for path, title, page in REGISTERS:
        _, _, body = as_page(ROOT / path).partition("\n\n")
        parts.append(f"## {title}\n\n[This page](../{page}) explains them.\n\n{body}")
    return "\n".join(parts)


def python() -> str:
    """The names of ``mcpi`` and ``mcpi.api``, for Sphinx, which reads types and docstrings."""
    blocks = [_title("Python", "="), "The page :doc:`/docs/how-to/python` has examples.\n"]
    for module, names in (("mcpi", mcpi.__all__), ("mcpi.api", _further())):
        blocks.append(_title(module, "-"))
        blocks += [_object(module, name) for name in sorted(names)]
    return "\n".join(blocks)


def _title(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"


def _further() -> Iterable[str]:
    return set(api.__all__) - set(mcpi.__all__)


def _object(module: str, name: str) -> str:
    if inspect.isclass(getattr(api, name)):
        return f".. autoclass:: {module}.{name}\n   :members:\n   :undoc-members:\n"
    return f".. autofunction:: {module}.{name}\n"
