# SPDX-License-Identifier: BSD-2-Clause
"""Contents of a page: the engine as WebAssembly, and runs as words and files."""

import base64
import gzip
import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.build import models

HERE = Path(__file__).parent / "html"
PAGE = ("packed.js", "elf.js", "recorded.js", "machines.js")  # scripts of the page, in their order
WORKER = ("engine.js", "worker.js")  # scripts of a Worker, after the compiler's
STRIP = "alpha-linux-gnu-strip"


def packed(data: bytes) -> str:
    """Base64 of gzip: what ``packed.js`` unpacks."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()


def scripts() -> str:
    """The text of the page's scripts."""
    return "".join((HERE / name).read_text() for name in PAGE)


def engine() -> dict[str, str]:
    """``script``, the text of a Worker, and ``program``, the WebAssembly; built if they changed."""
    made = models.build(models.WASM)
    text = made.read_text() + "".join((HERE / name).read_text() for name in WORKER)
    return {"script": text, "program": packed(made.with_suffix(".wasm").read_bytes())}


@dataclass
class Carried:
    """Runs for a page. A file that several runs read is carried once."""

    files: dict[str, str] = field(default_factory=dict)  # packed, by digest

    def run(self, place: Path, words: Sequence[str], wanted: Sequence[str]) -> dict:
        """A request of the page, with digests in the place of bytes. ``words``: the engine's, whose
        paths are relative to ``place``; ``wanted``: paths that the page reads. The line that
        repeats the run, which may name a folder of this computer, is left out."""
        words = list(words)
        if "--reproduce" in words:
            at = words.index("--reproduce")
            del words[at : at + 2]
        inputs = sorted({_named(word) for word in words if _is_input(place, _named(word))})
        return {
            "words": words,
            "files": {path: self.file(place / path) for path in inputs},
            "wanted": list(wanted),
        }

    def file(self, path: Path) -> str:
        """Carry a file, an ELF file without its debug information; returns its digest."""
        data = path.read_bytes() if path.suffix != ".elf" else _stripped(path)
        digest = hashlib.sha256(data).hexdigest()[:16]
        self.files.setdefault(digest, packed(data))
        return digest


def _named(word: str) -> str:
    """The path that a word of the command line names, if it names any."""
    return str(Path(word.rpartition("=")[2]))


def _is_input(place: Path, name: str) -> bool:
    """True for a file of the run's folder that the engine reads."""
    return Path(name).suffix in (".json", ".elf", ".csv", ".txt") and (place / name).is_file()


def _stripped(path: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / path.name
        done = subprocess.run([STRIP, "-g", "-o", out, path], capture_output=True, check=False)
        if done.returncode:
            raise RunError(f"{STRIP} {path.name}: {done.stderr.decode().strip()}")
        return out.read_bytes()
