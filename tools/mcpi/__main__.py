# SPDX-License-Identifier: BSD-2-Clause
"""``python -m mcpi``."""

from mcpi.cli.main import main

main()
