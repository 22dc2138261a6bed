# SPDX-License-Identifier: BSD-2-Clause
"""Workers: of this machine, of a Dask scheduler elsewhere, or of Slurm. Dask feeds them.

Workers are programs of their own, so that a script needs no ``if __name__ == "__main__"``. One that
dies is started again, and what it was at is given to another.
"""

import contextlib
import json
import logging
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mcpi.api import frames
from mcpi.api.sweeping.point import makers
from mcpi.base.errors import RunError, UserError
from mcpi.base.repo import BUILD, ROOT

if TYPE_CHECKING:
    from distributed import Client

LOCAL, SLURM = "local", "slurm"
SECONDS = 60  # until a scheduler and its workers are there
ANSWERS = 10  # seconds in which something must listen at the address of a scheduler
MEMORY = "2GB"  # a worker of Slurm asks for, unless Dask's own configuration says otherwise
# A run whose worker dies so often is at fault itself.
DEATHS = 5
# Variables that workers elsewhere need as we have them.
OURS = {"PATH", "PYTHONPATH", "VERILATOR_ROOT", "MCPI_HOME", "MCPI_ENV", "MCPI_KEPT"}
# Anybody who reaches a worker or a scheduler runs code as us. Dask listens on every interface
# unless given an address, for its pages also with --no-dashboard.
HERE = "127.0.0.1"
IDLE = 300  # seconds after which a scheduler ends whose client is gone


def check(name: str) -> None:
    """UserError unless it is local, slurm or the address of a scheduler."""
    host, _, port = name.removeprefix("tcp://").removeprefix("tls://").rpartition(":")
    if name not in (LOCAL, SLURM) and not (host and port.isdigit()):
        raise UserError(
            f"--cluster {name}: local, slurm, or the address of a Dask scheduler is wanted, as "
            "tcp://HOST:8786."
        )


@contextlib.contextmanager
def opened(name: str, workers: int) -> Iterator["Client"]:
    """A client of the cluster, which sees this checkout. RunError if it does not."""
    check(name)
    dask, distributed = frames.needed("dask"), frames.needed("distributed")
    for loud in ("distributed", "distributed.client", "asyncio", "tornado"):
        logging.getLogger(loud).setLevel(logging.CRITICAL)
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": DEATHS,
            "distributed.comm.timeouts.connect": SECONDS,
        }
    )
    with contextlib.ExitStack() as stack:
        if name == LOCAL:
            made = stack.enter_context(_local(workers))
        elif name == SLURM:
            made = stack.enter_context(_slurm(workers))
        else:
            _reach(name)
            made = name
        try:
            client = stack.enter_context(distributed.Client(made, timeout=SECONDS))
        except OSError as error:
            raise RunError(_unanswered(name, error)) from None
        if name != LOCAL:
            _sees_us(client, name)
        yield client


@contextlib.contextmanager
def _local(workers: int) -> Iterator[str]:
    """A scheduler and workers of this machine, in sessions of their own: ^C is ours alone. Gives
    the scheduler's address. What they say goes to build/dask/."""
    place = BUILD / "dask"
    place.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        # Workers have all their files in it, those of runs that do not end too.
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(dir=place, ignore_cleanup_errors=True)
        )
        file, log = Path(folder, "scheduler.json"), stack.enter_context(open(place / "log", "ab"))
        python = [sys.executable, "-m"]
        common = ["--host", HERE, "--no-dashboard", "--dashboard-address", f"{HERE}:0"]
        common += ["--scheduler-file", str(file)]
        scheduler = [*python, "distributed.cli.dask_scheduler", "--port", "0", *common]
        scheduler += ["--idle-timeout", f"{IDLE}s"]
        worker = [*python, "distributed.cli.dask_worker", *common, "--nthreads", "1"]
        worker += ["--nworkers", str(workers), "--memory-limit", "0"]
        worker += ["--local-directory", folder, "--death-timeout", str(SECONDS)]
        more = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(DEATHS), "TMPDIR": folder}
        how = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "cwd": folder}
        how |= {"start_new_session": True, "env": {**_environment(), **more}}
        for words in (scheduler, worker):
            child = subprocess.Popen(words, **how)
            stack.callback(_end, child)
        yield _address(file, child, place / "log")


def _address(file: Path, child: subprocess.Popen, log: Path) -> str:
    """Address of the scheduler, as soon as ``file`` has it. RunError if ``child`` ends or is too
    late."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and child.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            return json.loads(file.read_text())["address"]
        time.sleep(0.05)
    raise RunError(f"Dask's scheduler did not start; {log} says why.")


def _end(child: subprocess.Popen) -> None:
    """With all that it has started."""
    for number, wait in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, number)
            child.wait(wait)


def _environment() -> dict[str, str]:
    """Ours, in which Python finds this package from any folder."""
    path = [str(ROOT / "tools"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def _slurm(workers: int):
    """A Slurm cluster with one core for each worker; queue, account and the like are in Dask's
    configuration. Workers elsewhere reach the scheduler; its pages are for this machine alone."""
    own = frames.needed("dask").config.get("jobqueue.slurm.scheduler-options", None) or {}
    cluster = frames.needed("dask_jobqueue").SLURMCluster(
        scheduler_options={"dashboard_address": f"{HERE}:0", **own},
        cores=1,
        processes=1,
        memory=frames.needed("dask").config.get("jobqueue.slurm.memory", None) or MEMORY,
        python=sys.executable,
        job_script_prologue=[
            f"export {key}={shlex.quote(value)}"
            for key, value in _environment().items()
            if key in OURS
        ],
        log_directory=str(BUILD / "dask"),
        local_directory=str(BUILD / "dask"),
    )
    cluster.scale(jobs=workers)
    return cluster


def _reach(address: str) -> None:
    """RunError unless something listens there, within ``ANSWERS`` seconds."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    until = time.monotonic() + ANSWERS
    while True:
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWERS).close()
            return
        except OSError as error:
            if time.monotonic() > until or isinstance(error, socket.gaierror):
                raise RunError(_unanswered(address, error)) from None
        time.sleep(0.5)


def _unanswered(name: str, error: OSError) -> str:
    why = error.strerror or str(error)
    return (
        f"--cluster {name}: no scheduler answers: {why}. Start one: "
        "./mcpi python -m distributed.cli.dask_scheduler"
    )


def _sees_us(client: "Client", name: str) -> None:
    """Workers need the same checkout under the same path, as on a shared file system."""
    try:
        client.wait_for_workers(1, timeout=10 * SECONDS)
    except (TimeoutError, OSError):
        raise RunError(
            f"--cluster {name}: no worker came within {10 * SECONDS} s. Start one: ./mcpi python "
            "-m distributed.cli.dask_worker ADDRESS"
        ) from None
    for worker, digest in client.run(seen, str(ROOT)).items():
        if digest != makers():
            raise RunError(
                f"--cluster {name}: worker {worker} does not have this checkout as {ROOT}. Share "
                "the folder, and start its workers through ./mcpi python -m distributed.cli."
                "dask_worker."
            )


def seen(root: str) -> str:
    """On a worker: the digest of its programs, if they are those of ``root``."""
    return makers() if str(ROOT) == root else ""
