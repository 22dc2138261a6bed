# SPDX-License-Identifier: BSD-2-Clause
"""From C and a variant's recipe to the edges that build an ELF image."""
