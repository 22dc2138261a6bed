# SPDX-License-Identifier: BSD-2-Clause
"""Benches that tests of several blocks share."""
