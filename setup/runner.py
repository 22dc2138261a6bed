# SPDX-License-Identifier: BSD-2-Clause
"""Runs set-up steps as soon as what they need is there, and shows them with their time."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BEAT = 20  # seconds between two lines about the same step, where there is no terminal
# Words of clients when the network fails: apt-get; pip; Maven. Then certificates and proxies.
NETWORK = re.compile(
    r"Temporary failure (in name resolution|resolving)|Could not (resolve|connect|handshake)"
    r"|NewConnectionError|NameResolutionError|ConnectTimeoutError|Max retries exceeded"
    r"|Could not transfer artifact|UnknownHostException|Network is unreachable"
    r"|Connection (refused|timed out)|certificate verif|PKIX path|ProxyError|40[37] .*[Pp]roxy"
)
ADVICE = (
    "The network is the cause, or a proxy that is not set. Behind a proxy set http_proxy and\n"
    "    https_proxy, and for Maven MAVEN_OPTS or ~/.m2/settings.xml; then start again."
)
# Words of programs when the disk is full, or the user's share of it.
FULL = re.compile(r"No space left on device|Disk quota exceeded|File too large")
# Messages of apt-get, pip and Maven about a file whose digest is not the pinned digest.
OTHER = re.compile(r"Hash Sum mismatch|DO NOT MATCH THE HASHES|Checksum validation failed")
OTHER_ADVICE = (
    "A file came with other bytes than expected, and nothing of it is used.\n"
    "    The next start fetches it anew. If it happens again, the mirror or a proxy before it is\n"
    "    damaged: choose another by MCPI_DEBIAN_MIRROR (packages), PIP_INDEX_URL (wheels),\n"
    "    ~/.m2/settings.xml (jars)."
)


class Failed(Exception):
    """A step failed; the text ends with the last lines of its output."""


@dataclass
class Step:
    """``usual``: seconds on two idle cores. ``needs``: steps by name, those that are not in the
    plan are done. ``stamp``: a file of that name under ``done/`` says that it need not run again.
    """

    name: str
    action: Callable
    usual: int
    needs: tuple = ()
    stamp: str = ""


class Command:
    """The call with which a step's action runs commands; ``progress`` takes a call that returns how
    many megabytes are there, and of how many."""

    def __init__(self, runner: "Runner", step: str):
        self.runner, self.step = runner, step

    def __call__(self, *words, **options) -> None:
        self.runner.command(self.step, list(words), **options)

    def progress(self, measure: Callable) -> None:
        self.runner.measures[self.step] = measure


class Runner:
    """``plan``: the steps, in the order in which they are counted."""

    def __init__(self, plan: list, env: Path):
        self.plan, self.env = plan, env
        self.steps = {step.name: step for step in plan}
        self.state = {step.name: "waiting" for step in plan}
        self.began: dict = {}
        self.said: dict = {}  # when a line was last printed about a step
        self.seconds: dict = {}
        self.measures: dict = {}  # how far a step is, by a call
        self.error = None
        self.children: set = set()
        (env / "done").mkdir(parents=True, exist_ok=True)
        (env / "log").mkdir(exist_ok=True)

    def log(self, step: str) -> Path:
        return self.env / "log" / (step.replace(" ", "-") + ".txt")

    def command(self, step: str, words: list, **options) -> None:
        """Run a command for a step; its output goes into the step's log."""
        log = self.log(step)
        with open(log, "ab") as out:
            out.write(f"$ {' '.join(map(str, words))}\n".encode())
            out.flush()
            try:
                child = subprocess.Popen(
                    [str(w) for w in words],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    **options,
                )
            except OSError as error:
                raise Failed(f"{step}: {words[0]}: {error.strerror}") from None
            self.children.add(child)
            status = child.wait()
            self.children.discard(child)
        if status:
            lines = log.read_text(errors="replace").splitlines()
            tail = "\n    ".join(lines[-12:])
            text = f"{step}: failed with status {status}. The end of {log}:\n    {tail}"
            # apt-get update only warns; the package is then what cannot be found.
            started = max(n for n, line in enumerate(lines) if line.startswith("$ "))
            if self.network("\n".join(lines[started:])) or self.network(self.lists()):
                text += f"\n{ADVICE}"
            if OTHER.search("\n".join(lines[started:])):
                text += f"\n{OTHER_ADVICE}"
            raise Failed(text + self.room("\n".join(lines[started:])))

    def room(self, said: str) -> str:
        """Advice if ``said`` is about a full disk; else empty."""
        if not FULL.search(said):
            return ""
        return (
            f"\nThe disk is full: make room in {self.env.parent}, or set MCPI_HOME to a folder "
            "elsewhere.\n    The next start goes on from here."
        )

    def failed(self, step: str, error: Exception) -> Failed:
        """The failure for an error of a step's own Python."""
        if isinstance(error, Failed):
            return error
        if isinstance(error, OSError) and error.strerror:
            text = f"{error.filename or self.env}: {error.strerror}"
        else:
            known = isinstance(error, (OSError, RuntimeError, ValueError))
            text = str(error) if known else repr(error)
        return Failed(f"{step}: {text}{self.room(text)}")

    def network(self, text: str) -> bool:
        return bool(NETWORK.search(text))

    def lists(self) -> str:
        """Output of the package list's step in this start; empty if it did not run."""
        lists = self.log("package list")
        ran = "package list" in self.began and lists.exists()
        return lists.read_text(errors="replace").rpartition("\n$ ")[2] if ran else ""

    def run(self, where) -> dict:
        """Run everything; returns seconds by step."""
        try:
            while not self.error and any(s in ("waiting", "running") for s in self.state.values()):
                for step in self.plan:
                    ready = all(self.state.get(n, "done") == "done" for n in step.needs)
                    if self.state[step.name] == "waiting" and ready:
                        self.start(step, where)
                self.show()
                time.sleep(0.2)
        except KeyboardInterrupt:
            self.stop()
            raise
        if self.error:
            self.stop()
            raise self.error
        return self.seconds

    def start(self, step: Step, where) -> None:
        self.state[step.name] = "running"
        self.began[step.name] = self.said[step.name] = time.monotonic()
        if not sys.stderr.isatty():
            self.say(f"{self.title(step.name)}: begins, usually {step.usual} s")
        threading.Thread(target=self.perform, args=(step, where), daemon=True).start()

    def title(self, name: str) -> str:
        number = 1 + list(self.steps).index(name)
        return f"step {number} of {len(self.plan)}, {name}"

    def say(self, line: str) -> None:
        print(f"{self.clear()}  {line}", file=sys.stderr, flush=True)

    def perform(self, step: Step, where) -> None:
        try:
            step.action(where, Command(self, step.name))
            if step.stamp:
                (self.env / "done" / step.stamp).touch()
        except Exception as error:  # a thread: whatever it is, the main one reports it
            self.state[step.name] = "failed"
            self.error = self.error or self.failed(step.name, error)
            return
        took = time.monotonic() - self.began[step.name]
        self.seconds[step.name] = round(took, 1)
        self.say(f"{self.title(step.name)}: {took:.0f} s")
        self.state[step.name] = "done"

    def clear(self) -> str:
        return "\r\033[K" if sys.stderr.isatty() else ""

    def show(self) -> None:
        """A terminal: one line that changes. Else a line every 20 s about each step that runs."""
        now = time.monotonic()
        busy = {n: now - self.began[n] for n, state in self.state.items() if state == "running"}
        if sys.stderr.isatty():
            line = "; ".join(
                f"{self.title(n)}: {s:.0f} s of usually {self.steps[n].usual}{self.far(n)}"
                for n, s in busy.items()
            )
            width = shutil.get_terminal_size().columns - 5
            print(f"{self.clear()}  … {line[:width]}", end="", file=sys.stderr, flush=True)
            return
        for name, seconds in busy.items():
            if now - self.said[name] >= BEAT:
                self.said[name] = now
                usual = self.steps[name].usual
                how = f"{seconds:.0f} s of usually {usual} s{self.far(name)}"
                self.say(f"{self.title(name)}: {how}; {self.log(name)}")

    def far(self, name: str) -> str:
        """Megabytes that a step has fetched, of all that it fetches."""
        if name not in self.measures:
            return ""
        there, everything = self.measures[name]()
        return f", {there:.0f} of {everything:.0f} MB" if there < everything else ", unpacks"

    def stop(self) -> None:
        """End what still runs."""
        print(self.clear(), end="", file=sys.stderr)
        for child in list(self.children):
            try:
                os.killpg(child.pid, signal.SIGINT)
            except (ProcessLookupError, PermissionError):
                continue
        for child in list(self.children):
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
