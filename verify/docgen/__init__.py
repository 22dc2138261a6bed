# SPDX-License-Identifier: BSD-2-Clause
"""Pages and transcripts made from what runs."""
