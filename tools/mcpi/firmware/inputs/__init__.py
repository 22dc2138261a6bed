# SPDX-License-Identifier: BSD-2-Clause
"""Inputs of a program of one's own: arguments, a standard input, files."""
