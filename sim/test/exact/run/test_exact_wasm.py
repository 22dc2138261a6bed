# SPDX-License-Identifier: BSD-2-Clause
"""The exact engine compiled to WebAssembly, under node, leaves the files of the native program.

So nothing in it needs threads, maps of memory, or a machine of one byte order or word size.
"""

import pytest
from sim_support.pairs import images, words
from sim_support.simulators import machine_json, run, simulate

from mcpi.build import models
from mcpi.results import folders


@pytest.mark.long
@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_the_same_bytes_under_node(stack, tmp_path):
    built, machine = images(stack), machine_json(tmp_path)
    native = models.build("mcpi-exact")
    options = [*words(stack, 1), "--cold", "--tick-log", "0"]
    done = simulate(built, tmp_path / "native", machine, *options, program=native)
    assert done.returncode == 0, done.stderr
    said = (arg for arg in done.args[1:])
    here = [str(arg).replace(str(tmp_path / "native"), str(tmp_path / "node")) for arg in said]
    run("node", "--no-experimental-fetch", models.build(models.WASM), *here)
    assert not folders.differences(tmp_path / "native", tmp_path / "node")
    assert (tmp_path / "node" / "counters.json").exists()
