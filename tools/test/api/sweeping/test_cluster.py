# SPDX-License-Identifier: BSD-2-Clause
"""``--cluster slurm`` on a Slurm of one node, made for the test with ports and keys of its own."""

import contextlib
import getpass
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import mcpi
from mcpi.base import environment, run_store
from mcpi.base.process import heard

CONF = """
ClusterName=one
SlurmctldHost={host}
AuthType=auth/munge
PluginDir={plugins}
AuthInfo=socket={place}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName={host} CPUs={cores} RealMemory=6000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Its folder. Ends all of its daemons."""
    for name in ("state", "spool"):
        (tmp_path / name).mkdir()
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(socket.create_server(("", 0))) for _ in range(2)]
        ports = [port.getsockname()[1] for port in ports]
    host, cores = socket.gethostname().partition(".")[0], len(os.sched_getaffinity(0))
    plugins = environment.tree() / "usr/lib/x86_64-linux-gnu/slurm-wlm"
    content = {
        "plugins": plugins,
        "host": host,
        "place": tmp_path,
        "user": getpass.getuser(),
        "ports": ports,
    }
    (tmp_path / "slurm.conf").write_text(CONF.format(**content, cores=cores))
    monkeypatch.setenv("SLURM_CONF", str(tmp_path / "slurm.conf"))
    files = {"socket": "munge.socket", "pid-file": "munge.pid", "log-file": "munge.log"}
    files |= {"key-file": "munge.key", "seed-file": "munge.seed"}
    heard(["mungekey", "--create", f"--keyfile={tmp_path}/munge.key"], check=True)
    words = [f"--{option}={tmp_path / name}" for option, name in files.items()]
    daemons = []
    try:
        for command in (["munged", "-F", "--force", *words], ["slurmctld", "-D"], ["slurmd", "-D"]):
            log = stack.enter_context(open(tmp_path / f"{command[0]}.out", "wb"))
            daemons.append(subprocess.Popen(command, stdout=log, stderr=log))
            time.sleep(1)
        until = time.monotonic() + 60
        while "idle" not in heard(["sinfo", "--noheader"]).stdout:
            assert time.monotonic() < until, heard(["sinfo"])
            time.sleep(0.5)
        yield tmp_path
    finally:
        for daemon in reversed(daemons):
            daemon.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.wait(20)
            daemon.kill()
        stack.close()


@pytest.mark.long
def test_slurm_runs_a_sweep(slurm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep runs as jobs of one core, which end with it; the rows are those of this machine's
    workers."""
    monkeypatch.setattr(run_store, "KEPT", slurm / "kept")
    monkeypatch.setenv("MCPI_KEPT", str(slurm / "kept"))
    given = {"variant": ["std", "all"], "round_trips": 2, "warmup": 2}
    there = mcpi.sweep(**given, seeds=3, cluster="slurm", jobs=2)
    assert there.ran == 6
    until = time.monotonic() + 60
    while heard(["squeue", "--noheader"]).stdout and time.monotonic() < until:
        time.sleep(0.5)
    assert not heard(["squeue", "--noheader"]).stdout
    monkeypatch.setattr(run_store, "KEPT", slurm / "again")
    monkeypatch.setenv("MCPI_KEPT", str(slurm / "again"))
    here = mcpi.sweep(**given, seeds=3, jobs=1)
    assert here.ran == 6 and here.frame.equals(there.frame)
