# SPDX-License-Identifier: BSD-2-Clause
"""Resources that a machine may lack: the only reasons for which a test may be skipped.

A test calls the function of what it needs. A missing program is no reason: set-up brings it.
``./mcpi test`` counts a skip with any other reason as a failure.
"""

import os
import subprocess

TUN = "/dev/net/tun cannot be opened"
NETWORK_NAMESPACE = "network namespaces cannot be made"
BOARD = "no board is plugged in"
REASONS = (TUN, NETWORK_NAMESPACE, BOARD)


def _skip(reason: str) -> None:
    import pytest

    pytest.skip(reason)


def tun() -> None:
    """A tap device: a network of its own that this machine's Linux takes part in."""
    try:
        os.close(os.open("/dev/net/tun", os.O_RDWR))
    except OSError:
        _skip(TUN)


def network_namespace() -> None:
    """May this user make one? Root may, unless a container forbids it."""
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode:
        _skip(NETWORK_NAMESPACE)


def board(port: str | None) -> None:
    """A serial port with a board, if there is one."""
    if not port:
        _skip(BOARD)
