# SPDX-License-Identifier: BSD-2-Clause
"""Parts of ``mcpi-cable``."""

import subprocess

from mcpi.build import models


def test_pins_of_a_board():
    subprocess.run([models.build("unit_pins")], check=True)
