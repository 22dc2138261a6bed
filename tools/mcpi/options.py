# SPDX-License-Identifier: BSD-2-Clause
"""Which options of a command do not go together: what would be ignored is refused."""

from dataclasses import dataclass

import typer

from mcpi.errors import UserError
from mcpi.record import BOARD, MODEL, RTL


@dataclass(frozen=True)
class Rule:
    """``options`` have no effect when option ``when`` has one of ``values``, or (no values) is
    given at all. Options are parameters of the command's function; ``why`` is for people."""

    options: tuple[str, ...]
    when: str
    values: tuple[str, ...]
    why: str


def _rule(options: str, when: str, values: tuple[str, ...], why: str) -> Rule:
    return Rule(tuple(options.split()), when, values, why)


PORTS = _rule("port baud", "engine", (RTL, MODEL), "only boards have serial ports")
RUN = (
    PORTS,
    _rule("cold", "engine", (BOARD,), "a board has no cold run yet (docs/boards.md)"),
    _rule("lockstep", "engine", (BOARD,), "no model runs beside a board"),
    _rule("tick_log trace wire", "engine", (BOARD, MODEL), "only a simulation knows it"),
    _rule(
        "round_trips warmup samples",
        "engine",
        (MODEL,),
        "it always predicts the same short recording (docs/model.md)",
    ),
    _rule("image cold lockstep", "engine", (MODEL,), "it predicts from a recording"),
    _rule("variant peer_variant layout define", "image", (), "the image is built already"),
)
PAPER = (
    PORTS,
    _rule("shuffles jobs", "engine", (BOARD,), "two boards run the usual link orders, in turn"),
    _rule(
        "round_trips samples",
        "engine",
        (MODEL,),
        "it always predicts the same short recording (docs/model.md)",
    ),
    _rule("docs", "engine", (BOARD, MODEL), "the tables of docs/ are the simulator's"),
)
LOAD = (_rule("machine set_", "bitstream", (), "the file is built already"),)
EMBED = (_rule("peer_variant", "node", ("client",), "it is the server's"),)
REPORT = (
    _rule("counters blocks", "lance", (), "it is LANCE-IP alone"),
    _rule("counters device seeds jobs", "blocks", (), "nothing is placed"),
)


def check(context: typer.Context, rules: tuple[Rule, ...]) -> None:
    """UserError for an option on the command line that the others make ineffective."""
    words = {p.name: _shown(p, context.params[p.name]) for p in context.command.params}
    given = {name for name in words if context.get_parameter_source(name).name == "COMMANDLINE"}
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


def _shown(parameter, value: object) -> str:
    """The option as it was typed: --no-lockstep where the value is the second of a pair."""
    off = parameter.secondary_opts and value is False
    return (parameter.secondary_opts if off else parameter.opts)[0]
