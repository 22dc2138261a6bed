# SPDX-License-Identifier: BSD-2-Clause
"""What carries a run out: the simulator, boards, the model. Each fills a run's folder."""
