# SPDX-License-Identifier: BSD-2-Clause
"""Many runs at once: the plan of experiments, what is kept, repeats on the RTL, boards."""
