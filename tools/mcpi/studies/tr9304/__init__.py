# SPDX-License-Identifier: BSD-2-Clause
"""TR 93-04: UDP receive, caches and TLBs (docs/explanation/tr9304.md)."""
