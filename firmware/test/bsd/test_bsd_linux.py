# SPDX-License-Identifier: BSD-2-Clause
"""Linux's TCP against the production stack, which stands below the services; over a tap device."""

import pytest
from firmware_support.host_build import bsd_machines, program
from firmware_support.linux import linux

from verify import test_requirements


@pytest.fixture(autouse=True, scope="module")
def tap_in_a_namespace() -> None:
    test_requirements.tun()
    test_requirements.network_namespace()


def against_linux(task: str, percent: int = 0, seed: int = 1) -> str:
    machine = (program("tap"), bsd_machines("services")[0])
    return linux(task, percent, seed, machine, arp=False)


TASKS = ["echo", "unread", "discard", "chargen", "crowd", "closed", "time_wait", "netcat"]


@pytest.mark.parametrize("task", TASKS)
def test_linux(task: str) -> None:
    against_linux(task)


@pytest.mark.parametrize("task", ["echo", "chargen", "netcat"])
def test_linux_with_losses(task: str) -> None:
    """5 % lost, 5 % repeated, 5 % overtaken."""
    assert "lost 0" not in against_linux(task, percent=5, seed=2)
