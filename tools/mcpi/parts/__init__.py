# SPDX-License-Identifier: BSD-2-Clause
"""Parts of the hardware as files for a design of somebody else's."""
