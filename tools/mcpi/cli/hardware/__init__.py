# SPDX-License-Identifier: BSD-2-Clause
"""Commands about the hardware: boards, parts, benches."""
