# SPDX-License-Identifier: BSD-2-Clause
"""Parts that every package needs: errors, locks, progress, ninja, the repository's folders."""
