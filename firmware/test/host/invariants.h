/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that hold for every connection whenever the machine sleeps, whatever it was sent. */
#pragma once

/* For host_watch: walks all of TCP's connections; a violation ends the process with 1 and a
 * message. It changes nothing but who hears of a user's controls first (right_edge.h). A machine
 * without TCP has nothing to violate. */
void tcp_invariants(void);

/* For a stack whose connections are not the x-kernel's: shows them as such (test/bsd). */
void connections_refresh(void);
