# SPDX-License-Identifier: BSD-2-Clause
# Which core took the IP identifier before that of core 3's first packet?
set trace-commands on
tbreak ip_push thread 4
continue
print ((struct ip *)session->protocol->state)->ident
watch -location ((struct ip *)session->protocol->state)->ident
reverse-continue
backtrace -frame-arguments none 4
