# SPDX-License-Identifier: BSD-2-Clause
"""Constants of a session, which the firmware lists (``OWN_RECORD`` of xkernel/own_code), and
values that are known by them."""

import struct
from dataclasses import dataclass
from enum import IntEnum

from mcpi.base.errors import UserError
from mcpi.firmware.clone.program import Program

SESSION = 0  # the object that everything is reached from
_RECORD = struct.Struct("<6I")


class Kind(IntEnum):
    """Kinds of a patch, ``enum own_code_kind`` of the firmware; also of a constant, but BRANCH."""

    ADDRESS, SMALL, CALL, BRANCH, NOT_ZERO, INSIDE = range(1, 7)


@dataclass(frozen=True)
class Constant:
    """A field: what its value is; of ADDRESS and INSIDE the object there; of INSIDE its distance
    from the field's object."""

    kind: Kind
    bytes: int
    target: int
    distance: int


@dataclass(frozen=True)
class Known:
    """A register's value: the session's address, loads at ``steps``, and ``add`` more. An address
    (kind ADDRESS) lies ``inside`` bytes behind the beginning of ``object``. Other kinds are a
    field's value: ``add`` is then the field's place behind the last step."""

    kind: Kind
    steps: tuple[int, ...] = ()
    add: int = 0
    object: int = SESSION
    inside: int = 0

    def moved(self, by: int) -> "Known":
        return Known(self.kind, self.steps, self.add + by, self.object, self.inside + by)

    def loaded(self, constant: Constant, displacement: int) -> "Known":
        """The value of a field so far from this address."""
        at = self.add + displacement
        if constant.kind == Kind.INSIDE:
            begin = self.add - self.inside + constant.distance
            return Known(Kind.ADDRESS, self.steps, begin, constant.target)
        if constant.kind in (Kind.ADDRESS, Kind.CALL):
            return Known(constant.kind, (*self.steps, at), 0, constant.target)
        return Known(constant.kind, self.steps, at)


class Constants:
    """All of an image, by object and offset."""

    def __init__(self, program: Program) -> None:
        self.rows: dict[tuple[int, int], Constant] = {}
        for kind, of, offset, size, target, distance in _RECORD.iter_unpack(program.records()):
            row = Constant(Kind(kind), size, target, distance)
            if self.rows.setdefault((of, offset), row) != row:
                raise UserError(f"the constant at {offset} of object {of} is listed twice.")
        if not self.rows:
            raise UserError(f"{program.path}: it lists no constants, so no code can have them.")

    def at(self, value: Known | None, displacement: int, size: int) -> Constant | None:
        """The constant that a load of ``size`` bytes brings, if it brings any."""
        if value is None or value.kind != Kind.ADDRESS:
            return None
        row = self.rows.get((value.object, value.inside + displacement))
        return row if row and row.bytes == size else None

    def overlaps(self, value: Known | None, displacement: int, size: int) -> bool:
        """Return true if a store there changes a constant."""
        if value is None or value.kind != Kind.ADDRESS:
            return False
        first = value.inside + displacement
        return any(
            of == value.object and first < offset + row.bytes and offset < first + size
            for (of, offset), row in self.rows.items()
        )
