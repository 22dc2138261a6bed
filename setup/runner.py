# SPDX-License-Identifier: BSD-2-Clause
"""Runs set-up steps as soon as what they need is there, and shows them with their time."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class Failed(Exception):
    """A step failed; the text ends with the last lines of its output."""


@dataclass
class Step:
    """``stamp``: a file of that name under ``done/`` says that the step need not run again."""

    name: str
    action: Callable
    needs: tuple = ()
    stamp: str = ""


class Runner:
    def __init__(self, plan: list, env: Path):
        self.plan, self.env = plan, env
        self.state = {step.name: "waiting" for step in plan}
        self.began: dict = {}
        self.seconds: dict = {}
        self.error = None
        self.children: set = set()
        (env / "done").mkdir(parents=True, exist_ok=True)
        (env / "log").mkdir(exist_ok=True)

    def command(self, step: str, words: list, **options) -> None:
        """Run a command for a step; its output goes into the step's log."""
        log = self.env / "log" / (step.replace(" ", "-") + ".txt")
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
            tail = log.read_text(errors="replace").splitlines()[-12:]
            raise Failed(
                f"{step}: failed with status {status}. The end of {log}:\n    "
                + "\n    ".join(tail)
            )

    def run(self, where) -> dict:
        """Run everything; returns seconds by step."""
        try:
            while not self.error and any(s in ("waiting", "running") for s in self.state.values()):
                for step in self.plan:
                    ready = all(self.state[n] == "done" for n in step.needs)
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
        if step.stamp and (self.env / "done" / step.stamp).exists():
            self.state[step.name] = "done"
            return
        self.state[step.name] = "running"
        self.began[step.name] = time.monotonic()
        threading.Thread(target=self.perform, args=(step, where), daemon=True).start()

    def perform(self, step: Step, where) -> None:
        try:
            step.action(where, lambda *words, **o: self.command(step.name, list(words), **o))
            if step.stamp:
                (self.env / "done" / step.stamp).touch()
        except Exception as error:  # a thread: whatever it is, the main one reports it
            self.state[step.name] = "failed"
            self.error = self.error or (error if isinstance(error, Failed) else Failed(repr(error)))
            return
        took = time.monotonic() - self.began[step.name]
        self.seconds[step.name] = round(took, 1)
        print(f"{self.clear()}  {step.name:<16} {took:6.1f} s", file=sys.stderr, flush=True)
        self.state[step.name] = "done"

    def clear(self) -> str:
        return "\r\033[K" if sys.stderr.isatty() else ""

    def show(self) -> None:
        if sys.stderr.isatty():
            now = time.monotonic()
            busy = [
                f"{n} {now - self.began[n]:.0f} s" for n, s in self.state.items() if s == "running"
            ]
            print(f"{self.clear()}  … {', '.join(busy)}", end="", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """End what still runs; apt-get finishes the package it is at."""
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
