# SPDX-License-Identifier: BSD-2-Clause
"""Where a round trip's time goes: client, controllers, wire, server."""

from mcpi.studies.sigcomm96.tables.common import cell, each, made
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get


def _part(name: str) -> Get:
    return lambda result: result["breakdown_us"][name]


def _wire(way: str) -> Get:
    return lambda result: result["wire_us"][way]


def _controller(way: str) -> Get:
    name = f"{way}_controller_and_wire"
    return lambda result: result["breakdown_us"][name] - result["wire_us"][way]


PARTS = {
    "client_send_us": _part("client_send"),
    "request_controller_us": _controller("request"),
    "request_wire_us": _wire("request"),
    "server_us": _part("server"),
    "reply_controller_us": _controller("reply"),
    "reply_wire_us": _wire("reply"),
    "client_receive_us": _part("client_receive"),
}


def table(study: Measured) -> Table:
    return made(
        "round_trip_parts",
        each(lambda stack, v: {k: cell(study, stack, v, get) for k, get in PARTS.items()}),
    )
