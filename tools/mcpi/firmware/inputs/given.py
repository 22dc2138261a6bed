# SPDX-License-Identifier: BSD-2-Clause
"""A program's inputs, as a part of its image: behind all else, so that no address moves for them
(section ``.inputs`` of boot/link.ld)."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

MACRO = "-DMCPI_INPUTS=1"  # of the runtime's main: firmware/runtime/arguments.h
NAME = "program"  # argv[0]


@dataclass(frozen=True)
class Given:
    """``arguments``: behind the program's name; ``stdin``: a file of the host, or ""; ``files``:
    files of the host, which the program opens by these names."""

    arguments: tuple[str, ...] = ()
    stdin: str = ""
    files: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.arguments or self.stdin or self.files)

    @property
    def paths(self) -> list[Path]:
        return [Path(name).resolve() for name in ((self.stdin,) if self.stdin else ()) + self.files]

    def digest(self) -> str:
        """Digest of names and contents."""
        parts = [repr((self.arguments, bool(self.stdin), self.files)).encode()]
        parts += [hashlib.sha256(path.read_bytes()).digest() for path in self.paths]
        return hashlib.sha256(b"".join(parts)).hexdigest()

    def assembly(self) -> str:
        """The source of the image's part."""
        words = (NAME, *self.arguments)
        names = ("", *self.files) if self.stdin else self.files
        lines = ['\t.section .inputs, "aw", @progbits', "\t.balign 8"]
        lines += ["\t.globl mcpi_argument_count", "mcpi_argument_count:", f"\t.quad {len(words)}"]
        lines += ["\t.globl mcpi_arguments", "mcpi_arguments:"]
        lines += [*(f"\t.quad argument_{n}" for n in range(len(words))), "\t.quad 0"]
        lines += ["\t.globl mcpi_given_files", "mcpi_given_files:"]
        lines += [f"\t.quad name_{n}, from_{n}, to_{n}" for n in range(len(names))]
        lines += ["\t.quad 0, 0, 0"]
        lines += [f"argument_{n}:\t.asciz {_quoted(word)}" for n, word in enumerate(words)]
        lines += [f"name_{n}:\t.asciz {_quoted(name)}" for n, name in enumerate(names)]
        for n, path in enumerate(self.paths):
            lines += ["\t.balign 8", f"from_{n}:\t.incbin {_quoted(str(path))}", f"to_{n}:"]
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """``text`` as a string of the assembler's."""
    bytes_ = text.encode(errors="surrogateescape")
    plain = (chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in bytes_)
    return '"' + "".join(plain) + '"'
