# SPDX-License-Identifier: BSD-2-Clause
"""Compose: protocol graphs as data (``firmware/graphs``) into the C table that starts them.

A ``*.graph`` file has one protocol per line: its name, then the protocols below it, which must
stand above it in the file. ``ip=253`` gives the number that the protocol has in the header of that
lower one. ``numbers.table``, and a stack's own table beside its graph, give those of the protocols
that several graphs have.
Run as ``python -m mcpi.firmware.protocol_graph --out graph_table.c tcp.graph [rpc.graph ...]``.
"""

import argparse
import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE

GRAPHS = FIRMWARE / "graphs"  # graphs_in changes it
NUMBERS = GRAPHS / "numbers.table"
GRAPH = ".graph"
MAX_DOWN = 4  # XOBJ_DOWN in firmware/xkernel/upi.h
NAME = re.compile(r"[a-z][a-z0-9_]*$")

Graph = list[tuple[str, list[str]]]


def stacks() -> list[str]:
    """The protocol stacks there are: ``firmware/graphs/*.graph``."""
    return sorted(path.stem for path in GRAPHS.glob("*.graph"))


def is_own(stack: str) -> bool:
    """Return true if a stack is a user's own graph, a file, and not one of ``stacks``."""
    return stack.endswith(GRAPH)


def file_of(stack: str) -> Path:
    """The graph of a stack; UserError if there is none."""
    file = Path(stack).resolve() if is_own(stack) else GRAPHS / f"{stack}{GRAPH}"
    if not file.is_file():
        said = f"{stack}: no such file" if is_own(stack) else f"no stack '{stack}'"
        raise UserError(f"{said}. There are: {', '.join(stacks())}, or the file of a graph.")
    return file


def name_of(stack: str) -> str:
    """Name of a stack in folder names. The name of a user's own graph has a digest of its path."""
    if not is_own(stack):
        return stack
    file = Path(stack).resolve()
    return f"{file.stem}.{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"


@contextmanager
def graphs_in(folder: Path) -> Iterator[None]:
    """Within it, stacks are the graphs of another folder, in the measured ones' places."""
    global GRAPHS
    measured, GRAPHS = GRAPHS, folder
    try:
        yield
    finally:
        GRAPHS = measured


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Words of each line that has any, with its number; ``#`` starts a comment."""
    text = path.read_text().splitlines()
    words = [(n, line.split("#")[0].split()) for n, line in enumerate(text, 1)]
    return [(n, w) for n, w in words if w]


def read_graph(path: Path) -> Graph:
    """(protocol, protocols below) in the order of initialisation."""
    graph: Graph = []
    known: set[str] = set()
    for number, (name, *words) in _lines(path):
        below = [word.partition("=")[0] for word in words]
        where = f"{path.name}:{number}"
        for word in (name, *below):
            if not NAME.match(word):
                raise UserError(f"{where}: '{word}' is not a protocol's name")
        if name in known:
            raise UserError(f"{where}: '{name}' is there twice")
        for lower in below:
            if lower not in known:
                raise UserError(f"{where}: '{lower}' must stand above '{name}'")
        if len(below) > MAX_DOWN:
            raise UserError(f"{where}: '{name}' has more than {MAX_DOWN} protocols below it")
        known.add(name)
        graph.append((name, below))
    if not graph:
        raise UserError(f"{path.name}: no protocol in it")
    return graph


def read_numbers(path: Path) -> list[tuple[str, str, int]]:
    """(lower, upper, number)."""
    numbers = []
    for number, words in _lines(path):
        try:
            lower, upper, value = words
            numbers.append((lower, upper, int(value, 0)))
        except ValueError:
            raise UserError(f"{path.name}:{number}: expected: lower upper number") from None
    return numbers


def numbers_of(graphs: Iterable[Path]) -> list[tuple[str, str, int]]:
    """``numbers.table``, the table beside a graph's file where there is one, and the graph's."""
    files = list(graphs)
    own = [path for file in files if (path := file.with_suffix(".table")).is_file()]
    found = [n for path in [NUMBERS, *own] for n in read_numbers(path)]
    return found + [n for file in files for n in _numbers_in(file)]


def _numbers_in(graph: Path) -> Iterator[tuple[str, str, int]]:
    """The numbers that a graph's file gives."""
    for number, (name, *words) in _lines(graph):
        for lower, given, value in (word.partition("=") for word in words):
            try:
                if given:
                    yield lower, name, int(value, 0)
            except ValueError:
                where = f"{graph.name}:{number}"
                raise UserError(f"{where}: {lower}={value}: expected a number") from None


def compose(graphs: dict[str, Graph], numbers: list[tuple[str, str, int]]) -> str:
    """The C source of the graph table."""
    names = sorted({name for graph in graphs.values() for name, _ in graph})
    out = [
        "/* SPDX-License-Identifier: BSD-2-Clause */",
        "/* Made by tools/mcpi/firmware/protocol_graph.py of firmware/graphs; do not edit. */",
        '#include "xkernel/graph.h"',
        "",
    ]
    out += [f"int {name}_init(struct xobj *self);" for name in names]
    for title, graph in graphs.items():
        out += ["", f"static struct xobj {', '.join(f'{title}_{name}' for name, _ in graph)};"]
        out += [f"static const struct graph_node {title}_nodes[] = {{"]
        for name, below in graph:
            down = ", ".join(f"&{title}_{lower}" for lower in below) or "NULL"
            out += [f'\t{{ "{name}", {name}_init, &{title}_{name}, {{ {down} }} }},']
        out += ["};"]
    out += ["", "const struct graph graph_table[] = {"]
    out += [f'\t{{ "{title}", {title}_nodes, {len(graph)} }},' for title, graph in graphs.items()]
    out += ["};", f"const size_t graph_count = {len(graphs)};", ""]
    out += ["const struct graph_number graph_numbers[] = {"]
    out += [f'\t{{ "{lower}", "{upper}", {value:#x} }},' for lower, upper, value in numbers]
    out += ["};", f"const size_t graph_numbers_count = {len(numbers)};", ""]
    return "\n".join(out)


def compose_files(files: list[Path], out: Path) -> None:
    """Read graph files (named after the stack) and write the C table to ``out``."""
    graphs = {file.stem: read_graph(file) for file in files}
    text = compose(graphs, numbers_of(files))
    if not out.is_file() or out.read_text() != text:  # by its time ninja knows whether it changed
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Protocol graphs to a C table.")
    parser.add_argument("graphs", nargs="*", default=["tcp.graph"])
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    compose_files([GRAPHS / name for name in arguments.graphs], arguments.out)


if __name__ == "__main__":
    main()
