# SPDX-License-Identifier: BSD-2-Clause
"""Which files of the checkout a test reads, so that its pass is kept until one of them changes."""
