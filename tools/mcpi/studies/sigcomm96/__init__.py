# SPDX-License-Identifier: BSD-2-Clause
"""Analysis of Techniques to Improve Protocol Processing Latency, SIGCOMM'96."""
