# SPDX-License-Identifier: BSD-2-Clause
"""Sources of a program of one's own: in C and in C++."""
