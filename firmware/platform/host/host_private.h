/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "platform/host/host.h"

/* platform.c */
void host_raise_network(int level); /* the network interrupt line */
void host_frame_sent(void);	    /* by wire.c */

/* context.c: between the harness and the kernel */
void host_enter_kernel(void);
void host_leave_kernel(void);
void host_make_kernel(int (*entry)(void));
