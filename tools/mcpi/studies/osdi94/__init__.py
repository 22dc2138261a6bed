# SPDX-License-Identifier: BSD-2-Clause
"""OSDI'94: the parallel x-kernel on one to eight coherent processors."""
