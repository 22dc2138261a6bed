# SPDX-License-Identifier: BSD-2-Clause
"""Where a round trip's time goes: client, controllers, wire, server."""

from mcpi.paper.cell import Column, Row, Table
from mcpi.paper.plan import STUDIED
from mcpi.paper.published import STACKS
from mcpi.paper.study import Study
from mcpi.paper.tables.common import cell


def _part(name: str):
    return lambda result: result["breakdown_us"][name]


def _controller(way: str):
    name = f"{way}_controller_and_wire"
    return lambda result: result["breakdown_us"][name] - result["wire_us"][way]


PARTS = {
    "client_send": ("client, down", _part("client_send")),
    "request_controller": ("controllers", _controller("request")),
    "request_wire": ("wire", lambda r: r["wire_us"]["request"]),
    "server": ("server", _part("server")),
    "reply_controller": ("controllers", _controller("reply")),
    "reply_wire": ("wire", lambda r: r["wire_us"]["reply"]),
    "client_receive": ("client, up", _part("client_receive")),
}


def table(study: Study) -> Table:
    columns = tuple(Column(f"{key}_us", f"{name}, µs", 1) for key, (name, _) in PARTS.items())
    rows = [
        Row(
            (title, variant.upper()),
            {f"{k}_us": cell(study, stack, variant, get) for k, (_, get) in PARTS.items()},
        )
        for stack, title in STACKS.items()
        for variant in STUDIED[stack]
    ]
    return Table(
        "round_trip_parts",
        "A round trip in parts",
        ("Stack", "Version"),
        columns,
        tuple(rows),
        (
            "Means of the first sample. Wire: first preamble bit at the sender to last bit at the "
            "receiver. Controllers: hand-over to first bit, last bit to network interrupt.",
        ),
    )
