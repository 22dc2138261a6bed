# SPDX-License-Identifier: BSD-2-Clause
"""What a program of one's own is given: arguments, a standard input, files."""
