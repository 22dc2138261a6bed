# SPDX-License-Identifier: BSD-2-Clause
"""Write a ninja file, run it, follow its progress."""

import os
import re
import select
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import ccache, staging
from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

_STATUS = re.compile(r"\[(\d+)/(\d+)\] (.*)")
_SHOWN_LINES = 40


@dataclass(frozen=True)
class Edge:
    """A command that runs when an input or the command itself changed, or an output is missing.

    ``command`` is words, or a line for the shell. ``label`` is what the progress bar shows.
    """

    label: str
    command: Sequence[object] | str
    outputs: Sequence[Path]
    inputs: Sequence[Path] = ()
    depfile: Path | None = None


def write(path: Path, edges: Sequence[Edge]) -> None:
    """The ninja file of ``edges``; its log lies beside it."""
    staging.write(path, _file(path, edges))


def fresh(path: Path, edges: Sequence[Edge]) -> bool:
    """Return true if ``path`` was written for these edges and nothing in it is out of date. Run
    nothing."""
    if not path.is_file() or path.read_text() != _file(path, edges):
        return False
    words = ["ninja", "-n", "-f", str(path)]
    done = heard(words, cwd=ROOT)
    return done.returncode == 0 and "no work to do" in done.stdout


def _file(path: Path, edges: Sequence[Edge]) -> str:
    lines = [f"builddir = {_path(path.parent)}", "rule run"]
    lines += ["  command = $line", "  description = $label", "rule compile"]
    lines += ["  command = $line", "  description = $label", "  depfile = $dep", "  deps = gcc"]
    for edge in edges:
        line = edge.command
        if not isinstance(line, str):
            line = shlex.join(str(word) for word in line)
        outs, ins = (" ".join(map(_path, side)) for side in (edge.outputs, edge.inputs))
        lines.append(f"build {outs}: {'compile' if edge.depfile else 'run'} {ins}")
        lines += [f"  line = {_text(line)}", f"  label = {_text(edge.label)}"]
        if edge.depfile:
            lines.append(f"  dep = {_path(edge.depfile)}")
    return "\n".join(lines) + "\n"


def run(path: Path, jobs: int, progress: Callable[[int, int, str], None]) -> None:
    """Build everything in ``path``; ``progress(done, all, label)`` after each step.

    A failing step ends the build with a RunError that has its command and the start of its output.
    """
    words = ["ninja", "-f", str(path), "-j", str(jobs)]
    env = {**ccache.environment(), "NINJA_STATUS": "[%f/%t] "}
    with subprocess.Popen(
        words,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as child:
        try:
            said = _follow(_lines(child.stdout.fileno()), progress)
        except KeyboardInterrupt:
            # From a terminal ninja has it too; a second one does no harm. It ends its children
            # and takes away what they left half done.
            child.send_signal(signal.SIGINT)
            child.wait()
            raise
    if child.returncode:
        raise RunError(_failure(said))


def _lines(stream: int) -> Iterator[str]:
    """Lines as they come. No wait is long: an interrupt just before a read would wait it out."""
    rest = b""
    while True:
        if not select.select([stream], [], [], 0.5)[0]:
            continue
        if not (chunk := os.read(stream, 1 << 16)):
            break
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode(errors="replace") for line in lines)
    if rest:
        yield rest.decode(errors="replace")


def _follow(lines: Iterator[str], progress: Callable[[int, int, str], None]) -> list[str]:
    said = []
    for line in lines:
        if match := _STATUS.match(line):
            progress(int(match[1]), int(match[2]), match[3])
        said.append(line.rstrip())
    return said


def _failure(said: list[str]) -> str:
    """The first failed step: its command and what it said, cut to a readable length."""
    start = next((i for i, line in enumerate(said) if line.startswith("FAILED:")), None)
    if start is None:
        return "the build failed:\n  " + "\n  ".join(said[-_SHOWN_LINES:])
    end = next(
        (
            i
            for i in range(start + 1, len(said))
            if _STATUS.match(said[i]) or "ninja:" in said[i][:6]
        ),
        len(said),
    )
    command, output = said[start + 1], said[start + 2 : end]
    output = [line for line in output if line.strip()]
    if len(output) > _SHOWN_LINES:
        output = [*output[:_SHOWN_LINES], f"… {len(output) - _SHOWN_LINES} more lines"]
    what = said[start - 1] if start and _STATUS.match(said[start - 1]) else said[start]
    name = m[3] if (m := _STATUS.match(what)) else what
    return "\n  ".join([f"building failed: {name}", *output, f"the command was: {command}"])


def _path(path: Path) -> str:
    return re.sub(r"([ :$])", r"$\1", str(path))


def _text(text: str) -> str:
    return text.replace("$", "$$").replace("\n", " ")
