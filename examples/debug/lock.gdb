# SPDX-License-Identifier: BSD-2-Clause
# Core 3 comes to a lock that is taken. Which core has taken the lock?
set trace-commands on
tbreak mcpi_lock thread 4 if lock->taken
continue
watch -location lock->taken
reverse-continue
backtrace 2
