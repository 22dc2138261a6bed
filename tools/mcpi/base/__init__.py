# SPDX-License-Identifier: BSD-2-Clause
"""What every package needs: errors, locks, progress, ninja, the repository's folders."""
