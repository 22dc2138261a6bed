# SPDX-License-Identifier: BSD-2-Clause
"""Folders of found paths: for which runs they are, and what is refused."""

import shutil
from pathlib import Path

import pytest

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.firmware import images, path_inline
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec

UDPECHO = str(ROOT / "examples" / "udpecho" / "udpecho.graph")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """TCP's path by hand, as if it had been found."""
    shutil.copy(path_inline.PATHS / "tcp.toml", tmp_path)
    return str(tmp_path)


def test_a_found_path_is_taken(folder: str) -> None:
    spec = RunSpec(variant="pin", path=folder)
    spec.check()
    assert f"--path {folder}" in spec.command()
    machine = profile.load(spec.machine)
    by_hand, found = (images.plan(machine, "pin", "tcp", path=path) for path in ("", folder))
    assert by_hand.folder.name == "dec3000-600-pin-tcp"
    assert found.folder.name.startswith("dec3000-600-pin-tcp.found-"), "a folder of its own"
    texts = (plan.files[plan.folder / "path.c"] for plan in (by_hand, found))
    one, other = (text.replace(str(path_inline.PATHS), folder) for text in texts)
    assert one.splitlines()[1:] == other.splitlines()[1:]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"variant": "std"}, "variant std inlines no path. One that does: pin"),
        ({"variant": "all"}, "variant all copies functions in an order"),
        ({"variant": "pin", "stack": "rpc"}, "has none of rpc"),
        ({"variant": "pin", "stack": UDPECHO}, "has none of udpecho"),
        ({"variant": "pin", "path": "/nowhere"}, "no such folder. ./mcpi path find makes one"),
        ({"variant": "pin", "stack": UDPECHO, "path": ""}, "path find --stack .*udpecho.graph"),
    ],
)
def test_refused(folder: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        RunSpec(**{"path": folder} | given).check()


def test_a_server_without_a_path_is_refused(folder: str) -> None:
    shutil.copy(path_inline.PATHS / "rpc-client.toml", folder)
    RunSpec(variant="pin", stack="rpc", path=folder).check()  # its server is ALL
    with pytest.raises(UserError, match="has none of rpc"):
        RunSpec(variant="pin", peer_variant="pin", stack="rpc", path=folder).check()
