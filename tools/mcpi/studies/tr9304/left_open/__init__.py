# SPDX-License-Identifier: BSD-2-Clause
"""Tables of what the report leaves open, a module for each experiment."""
