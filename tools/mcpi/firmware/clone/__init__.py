# SPDX-License-Identifier: BSD-2-Clause
"""Cloning: which functions are copied at boot, where to, and what must change (cloning.md).

``order`` and ``layout`` decide, ``program`` reads the linked image, ``fixes`` finds what must
change, ``table`` writes it for ``firmware/clone``; ``python -m mcpi.firmware.clone`` is the
build's step.
"""
