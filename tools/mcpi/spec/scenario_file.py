# SPDX-License-Identifier: BSD-2-Clause
"""Scenario files, TOML (docs/how-to/scenario.md): from the text to the spec."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.spec.numbers import SIDES
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.scenario_spec import LEAST, Link, Node, ScenarioSpec, Switch
from mcpi.spec.watching import FILES

SWITCH = "switch"  # its name, if the file names no switch
TOP = {"seed": int, "max_ticks": int, "machine": str, "set": dict}
TOP |= {"node": dict, "switch": dict, "link": list}
OF_NODE = {"machine": str, "set": dict, "peer": str, "ends": bool}
OF_PROGRAM = {"program": (str, list), "measure": list, "arguments": list, "stdin": str}
OF_PROGRAM |= {"files": list, "define": list, "optimise": str}
OF_STACK = {"stack": str, "variant": str, "role": str, "round_trips": int, "warmup": int}
OF_SWITCH = {"latency_us": (int, float), "queue": int}
OF_LINK = {"between": list, "delay_ns": (int, float), "faults": dict}
# Elements of lists; of a list that is not here: text.
ELEMENTS = {"arguments": (str, int, float), "link": dict}
OWN = (".toml", ".graph")  # a machine or a graph of one's own, by its path


def read(file: Path, seed: int | None = None, max_ticks: int | None = None) -> ScenarioSpec:
    """The spec that a file gives; ``seed`` and ``max_ticks`` go before the file's. UserError for
    what the file should not have, with the place."""
    try:
        text = tomllib.loads(file.read_text())
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: {error}.") from None
    _check(file, "the file", text, TOP)
    node = lambda name, given: _node(file, name, given, text)  # noqa: E731
    nodes = _each(file, text, "node", node)
    switches = _each(file, text, "switch", lambda name, given: _switch(file, name, given))
    if "link" in text:
        links = tuple(_link(file, given) for given in text["link"])
    else:
        switches, links = _around(file, nodes, switches)
    more = {"seed": seed if seed is not None else text.get("seed")}
    more |= {"max_ticks": max_ticks if max_ticks is not None else text.get("max_ticks")}
    more = {key: value for key, value in more.items() if value is not None}
    return ScenarioSpec(str(file), nodes, switches, links, **more)


def _around(
    file: Path, nodes: tuple[Node, ...], switches: tuple[Switch, ...]
) -> tuple[tuple[Switch, ...], tuple[Link, ...]]:
    """Links of a file that gives none: two nodes without a switch have a cable, others a switch."""
    if len(switches) > 1:
        raise UserError(f"{file}: with several switches, [[link]] says what is linked.")
    if len(nodes) == LEAST and not switches:
        return (), (Link((nodes[0].name, nodes[1].name)),)
    switches = switches or (Switch(SWITCH),)
    return switches, tuple(Link((node.name, switches[0].name)) for node in nodes)


def _each(file: Path, text: dict, key: str, make: Callable[[str, dict], object]) -> tuple:
    for name, given in text.get(key, {}).items():
        if not isinstance(given, dict):
            raise UserError(f"{file}: [{key}.NAME] is wanted, and {name} has no name.")
    return tuple(make(name, given) for name, given in text.get(key, {}).items())


def _node(file: Path, name: str, given: dict, text: dict) -> Node:
    where = f"[node.{name}]"
    kinds = [kind for kind in ("program", "stack") if kind in given]
    if len(kinds) != 1:
        raise UserError(f"{file}: {where} wants program = FILE, or stack = NAME.")
    _check(file, where, given, OF_NODE | (OF_PROGRAM if kinds == ["program"] else OF_STACK))
    machine = given.get("machine", text.get("machine", RunSpec.machine))
    fields = {"machine": _own(file.parent, machine)}
    settings = text.get("set", {}) | given.get("set", {})
    fields["settings"] = {key: _setting(value) for key, value in settings.items()}
    own = {"peer": given.get("peer", ""), "ends": given.get("ends", True)}
    if kinds == ["stack"]:
        role = given.get("role", "client")
        if role not in SIDES:
            raise UserError(f"{file}: {where}: role = {role!r}: {' or '.join(SIDES)} is wanted.")
        fields |= {"stack": _own(file.parent, given["stack"])}
        fields |= _of(given, ("variant", "round_trips", "warmup"))
        # The spec has both sides; each node is of its own variant.
        fields |= {"peer_variant": given.get("variant", RunSpec.variant)}
        return Node(name, RunSpec(**fields), role, **own)
    program, home = given["program"], file.parent
    paths = [program] if isinstance(program, str) else program
    fields |= {"sources": _paths(home, paths), "files": _paths(home, given.get("files", []))}
    fields |= {
        "measure": tuple(given.get("measure", ())),
        "defines": tuple(given.get("define", ())),
    }
    fields |= {"arguments": tuple(map(str, given.get("arguments", ())))}
    if "stdin" in given:
        fields["stdin"] = str(home / given["stdin"])
    return Node(name, ProgramSpec(**fields, **_of(given, ("optimise",))), **own)


def _switch(file: Path, name: str, given: dict) -> Switch:
    _check(file, f"[switch.{name}]", given, OF_SWITCH)
    return Switch(name, **given)


def _link(file: Path, given: dict) -> Link:
    _check(file, "[[link]]", given, OF_LINK)
    between = tuple(given.get("between", ()))
    if len(between) != 2:
        raise UserError(f"{file}: [[link]] wants between = [NAME, NAME].")
    faults = {}
    for end, wanted in given.get("faults", {}).items():
        if not isinstance(wanted, dict):
            raise UserError(f"{file}: [[link]]: faults.{end} = {{ lose = 0.01 }} is wanted.")
        files = {key: file.parent / str(wanted[key]) for key in FILES if key in wanted}
        faults[end] = {key: str(value) for key, value in (wanted | files).items()}
    return Link(between, given.get("delay_ns", Link.delay_ns), faults)


def _check(file: Path, where: str, given: dict, wanted: dict) -> None:
    """UserError for a key that is not wanted, or whose value has another type."""
    for key, value in given.items():
        if key not in wanted:
            raise UserError(
                f"{file}: {where} has no {key}. There are: {', '.join(wanted)}."
                f"{nearest(key, list(wanted))}"
            )
        kinds = wanted[key] if isinstance(wanted[key], tuple) else (wanted[key],)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise UserError(f"{file}: {where}: {key} = {value!r}: {names} is wanted.")
        element = ELEMENTS.get(key, str)
        if isinstance(value, list) and not all(isinstance(one, element) for one in value):
            raise UserError(f"{file}: {where}: {key} = {value!r}: an element has another type.")


def _of(given: dict, names: tuple[str, ...]) -> dict:
    return {name: given[name] for name in names if name in given}


def _paths(home: Path, names: list[str]) -> tuple[str, ...]:
    return tuple(str(home / name) for name in names)


def _own(home: Path, name: str) -> str:
    """The path of a machine or a graph of one's own, which is relative to the file; or the name."""
    return str(home / name) if name.endswith(OWN) else name


def _setting(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
