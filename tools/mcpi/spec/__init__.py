# SPDX-License-Identifier: BSD-2-Clause
"""What a run is: its record, the simulator runs it is made of, what a node is given."""
