# SPDX-License-Identifier: BSD-2-Clause
"""A second RPC stack, from the header tables of rpc.md alone: client and server in Python.

It is the simplest thing that is right: one channel, everything repeated on a timer. It shares no
code with the firmware and knows nothing of its structures.
"""

import heapq
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

MY_IP, KERNEL_IP = bytes([10, 0, 0, 2]), bytes([10, 0, 0, 1])
MY_MAC, KERNEL_MAC = bytes.fromhex("08002b000002"), bytes.fromhex("08002b000001")
BLAST_PROTOCOL, BIDCTL_PROTOCOL = 101, 205
BLAST, BID, CHAN = struct.Struct(">IIIHBBQ"), struct.Struct(">III"), struct.Struct(">HBBIII")
MSELECT, BIDCTL = struct.Struct(">II"), struct.Struct(">HHIIII")
SEND, NACK, RETRANSMIT = 1, 2, 3
QUERY, RESPONSE, BCAST = 1, 2, 4
FROM_CLIENT, USER_MSG, ACK_REQUESTED, NEGATIVE_ACK = 1, 2, 4, 8
PROCEDURE, OK = 1002, 1
FRAGMENT = 1456
MS = 175_000  # ticks


def checksum(data: bytes) -> int:
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


@dataclass
class Collecting:
    """A long message of the kernel's."""

    count: int
    parts: dict[int, bytes] = field(default_factory=dict)


class Peer:
    """10.0.0.2. ``send(frame)`` puts a frame on the wire; ``now`` is the virtual time in ticks."""

    def __init__(self, send: Callable[[bytes], None], boot: int) -> None:
        self.send, self.boot, self.now = send, boot, 0
        self.kernel_boot = 0
        self.tag = 0x5A000000
        self.ident = self.sequence = 0
        self.timers: list[tuple[int, int, Callable[[], None]]] = []
        self.timer_count = 0
        self.kept: dict[int, list[bytes]] = {}
        self.collecting: dict[int, Collecting] = {}
        self.completed: set[int] = set()
        self.served: dict[int, tuple[int, bytes]] = {}  # channel: sequence, reply
        self.executed = 0
        self.call_sequence, self.waiting, self.request, self.reply = 0, False, b"", b""

    # time

    def after(self, ms: float, action: Callable[[], None]) -> None:
        self.timer_count += 1
        heapq.heappush(self.timers, (self.now + int(ms * MS), self.timer_count, action))

    def next_timer(self) -> int | None:
        return self.timers[0][0] if self.timers else None

    def advance(self, now: int) -> None:
        while self.timers and self.timers[0][0] <= now:
            self.now, _, action = heapq.heappop(self.timers)
            action()
        self.now = now

    # IP and below

    def push_ip(self, protocol: int, data: bytes) -> None:
        self.ident += 1
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(data), self.ident, 0, 30, protocol, 0)
        head += MY_IP + KERNEL_IP
        head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
        self.send((KERNEL_MAC + MY_MAC + b"\x08\x00" + head + data).ljust(60, b"\0"))

    def frame(self, raw: bytes) -> None:
        assert raw[6:14] == KERNEL_MAC + b"\x08\x00" and raw[14] == 0x45
        assert checksum(raw[14:34]) == 0
        data = raw[34 : 14 + struct.unpack_from(">H", raw, 16)[0]]
        if raw[23] == BIDCTL_PROTOCOL:
            self.bidctl(data)
        else:
            assert raw[23] == BLAST_PROTOCOL
            self.blast(data)

    # BIDCTL

    def push_bidctl(self, flags: int, request_tag: int, reply_tag: int) -> None:
        words = (self.boot, self.kernel_boot, request_tag, reply_tag)
        check = checksum(BIDCTL.pack(flags, 0, *words))
        self.push_ip(BIDCTL_PROTOCOL, BIDCTL.pack(flags, check, *words))

    def ask(self) -> None:
        """Until the kernel's boot id is known."""
        if not self.kernel_boot:
            self.push_bidctl(QUERY, self.tag, 0)
            self.after(2000, self.ask)

    def bidctl(self, data: bytes) -> None:
        assert len(data) == BIDCTL.size and checksum(data) == 0
        flags, _, source, destination, request_tag, reply_tag = BIDCTL.unpack(data)
        if flags & RESPONSE:
            assert destination == self.boot
            if reply_tag == self.tag:
                self.kernel_boot = source
        if flags & QUERY:
            if not self.kernel_boot:
                self.kernel_boot = source
            self.push_bidctl(RESPONSE, 0, request_tag)

    # BLAST

    def push_blast(self, data: bytes) -> None:
        if len(data) <= FRAGMENT:
            self.push_ip(BLAST_PROTOCOL, BLAST.pack(21, 0, len(data), 0, SEND, 0, 0) + data)
            return
        self.sequence += 1
        sequence = self.sequence
        self.kept[sequence] = [data[i : i + FRAGMENT] for i in range(0, len(data), FRAGMENT)]
        self.after(60_000, lambda: self.kept.pop(sequence, None))
        self.push_parts(sequence, range(len(self.kept[sequence])), SEND)

    def push_parts(self, sequence: int, which, op: int) -> None:
        parts = self.kept[sequence]
        for n in which:
            header = BLAST.pack(21, sequence, len(parts[n]), len(parts), op, 0, 1 << n)
            self.push_ip(BLAST_PROTOCOL, header + parts[n])

    def blast(self, data: bytes) -> None:
        upper, sequence, size, count, op, zero, mask = BLAST.unpack_from(data)
        data = data[BLAST.size :]
        assert upper == 21 and zero == 0 and size == len(data)
        if sequence == 0:
            assert (count, op, mask) == (0, SEND, 0)
            self.bid(data)
        elif op == NACK:
            if sequence in self.kept:
                missing = [n for n in range(count) if not mask >> n & 1]
                self.push_parts(sequence, missing, RETRANSMIT)
        elif sequence not in self.completed:
            assert op in (SEND, RETRANSMIT) and 1 < count <= 64 and mask.bit_count() == 1
            if sequence not in self.collecting:
                self.collecting[sequence] = Collecting(count)
                self.after(300, lambda: self.nack(sequence, 10))
            message = self.collecting[sequence]
            assert message.count == count
            message.parts[mask.bit_length() - 1] = data
            if len(message.parts) == count:
                del self.collecting[sequence]
                self.completed.add(sequence)
                self.bid(b"".join(message.parts[n] for n in range(count)))

    def nack(self, sequence: int, tries: int) -> None:
        if message := self.collecting.get(sequence):
            if not tries:
                del self.collecting[sequence]
                return
            mask = sum(1 << n for n in message.parts)
            self.push_ip(BLAST_PROTOCOL, BLAST.pack(21, sequence, 0, message.count, NACK, 0, mask))
            self.after(300, lambda: self.nack(sequence, tries - 1))

    # BID

    def push_bid(self, data: bytes) -> None:
        self.push_blast(BID.pack(self.boot, self.kernel_boot, 13) + data)

    def bid(self, data: bytes) -> None:
        source, destination, upper = BID.unpack_from(data)
        assert upper == 13
        if destination == self.boot and source == self.kernel_boot and len(data) > BID.size:
            self.chan(data[BID.size :])

    # CHAN and MSELECT

    def push_chan(self, channel: int, flags: int, sequence: int, data: bytes = b"") -> None:
        self.push_bid(CHAN.pack(channel, 0, flags, 20, sequence, len(data)) + data)

    def chan(self, data: bytes) -> None:
        channel, zero, flags, upper, sequence, size = CHAN.unpack_from(data)
        data = data[CHAN.size :]
        assert zero == 0 and upper == 20 and size == len(data)
        if flags & FROM_CLIENT:
            self.serve(channel, flags, sequence, data)
        elif self.waiting and sequence == self.call_sequence:
            self.answered(flags, data)
        elif flags & ACK_REQUESTED:
            self.push_chan(channel, FROM_CLIENT, self.call_sequence + 1)

    def serve(self, channel: int, flags: int, sequence: int, data: bytes) -> None:
        """Echo. What is not newer than the last request is never executed."""
        last, reply = self.served.get(channel, (0, b""))
        if sequence > last and flags & USER_MSG:
            procedure, status = MSELECT.unpack_from(data)
            assert (procedure, status) == (PROCEDURE, 0)
            reply = MSELECT.pack(procedure, OK) + data[MSELECT.size :]
            self.served[channel] = (sequence, reply)
            self.executed += 1
            self.push_chan(channel, USER_MSG, sequence, reply)
        elif sequence == last and flags & (USER_MSG | ACK_REQUESTED | NEGATIVE_ACK):
            self.push_chan(channel, USER_MSG, sequence, reply)
        elif sequence > last and flags & ACK_REQUESTED:
            self.push_chan(channel, NEGATIVE_ACK, sequence)

    def call(self, data: bytes) -> None:
        """Begin a call; ``waiting`` falls when ``reply`` is there."""
        self.call_sequence += 1
        self.waiting = True
        self.request = MSELECT.pack(PROCEDURE, 0) + data
        self.again(self.call_sequence, FROM_CLIENT | USER_MSG)

    def again(self, sequence: int, flags: int) -> None:
        if not self.waiting or sequence != self.call_sequence:
            return
        if self.kernel_boot:
            self.push_chan(1, flags, sequence, self.request)
            flags |= ACK_REQUESTED
        self.after(3000, lambda: self.again(sequence, flags))

    def answered(self, flags: int, data: bytes) -> None:
        if flags & NEGATIVE_ACK:
            self.push_chan(1, FROM_CLIENT | USER_MSG, self.call_sequence, self.request)
        elif flags & USER_MSG:
            procedure, status = MSELECT.unpack_from(data)
            assert (procedure, status) == (PROCEDURE, OK)
            self.reply, self.waiting = data[MSELECT.size :], False
        elif flags & ACK_REQUESTED:
            self.push_chan(1, FROM_CLIENT | NEGATIVE_ACK, self.call_sequence)
