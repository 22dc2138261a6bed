# SPDX-License-Identifier: BSD-2-Clause
"""The host's side of the link to a guest that prints without end: it stays in command."""

import struct

import pytest

from mcpi.base.errors import RunError
from mcpi.hardware.hostlink import FROM_GUEST, PING, READ, WRITE, HostLink, crc

LENGTHS = {WRITE: 11, READ: 3}
ENDLESS = 2_000_000  # bytes: more than any serial line holds while a request is under way


class Printing:
    """A node after host-link.md, whose guest has a byte whenever the node has none to send.

    ``lost``: so many of the host's bytes do not arrive. ``silent``: it answers nothing.
    """

    path = "the test's port"

    def __init__(self, lost: int = 0, silent: bool = False) -> None:
        self.registers: dict[int, int] = {}
        self.taken, self.said, self.read_bytes = bytearray(), bytearray(), 0
        self.lost, self.silent = lost, silent

    def write(self, data: bytes) -> None:
        dropped = min(self.lost, len(data))
        self.lost -= dropped
        self.taken += data[dropped:]
        while self.taken and not self.silent and self._serve():
            self._print()

    def _serve(self) -> bool:
        opcode = self.taken[0]
        size = LENGTHS.get(opcode, 1) + (4 if opcode in LENGTHS else 0)
        if len(self.taken) < size:
            return False
        request, self.taken = bytes(self.taken[:size]), self.taken[size:]
        if opcode == PING:
            self.said += b"\x01mCPI\x02"
        elif opcode not in LENGTHS or crc(request[:-4]) != request[-4:]:
            self.said += b"\xff"
        elif opcode == WRITE:
            number, value = struct.unpack("<HQ", request[1:11])
            self.registers[number] = value
            self.said += bytes([WRITE])
        else:
            value = self.registers.get(int.from_bytes(request[1:3], "little"), 0)
            reply = struct.pack("<BQ", READ, value)
            self.said += reply + crc(reply)
        return True

    def _print(self) -> None:
        self.said += bytes([FROM_GUEST]) + b"x"

    def read(self, count: int, timeout: float) -> bytes:
        while len(self.said) < count:
            self._print()
        found, self.said = bytes(self.said[:count]), self.said[count:]
        self.read_bytes += count
        assert self.read_bytes < ENDLESS, "it listens to the guest for ever"
        return found


def test_registers_of_a_printing_guest():
    port = Printing()
    link = HostLink(port)
    link.ping()
    link.write_all({0x123: 5})
    link.poll()
    assert port.registers == {0x123: 5} and set(link.console) == {ord("x")}
    assert not link.retries


@pytest.mark.parametrize("lost", [1, 7, 15])
def test_a_request_that_lost_bytes_is_said_again(lost):
    """The guest's bytes are no answer, and no quiet comes that could be awaited."""
    port = Printing(lost=lost)
    link = HostLink(port, patience=0.02)
    link.write(0x123, 5)
    assert port.registers == {0x123: 5} and link.retries
    assert link.read(0x123) == 5


def test_a_node_that_only_prints_is_given_up():
    link = HostLink(Printing(silent=True), patience=0.001)
    with pytest.raises(RunError, match="write of register 0x123.*the guest prints"):
        link.write(0x123, 5)
