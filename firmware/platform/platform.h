/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine below the x-kernel; platform/alpha and platform/host implement it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Boot parameters, as in machines/memory-map.toml [boot_block]; the loader fills them in. */
struct boot_params {
	uint64_t magic, version;
	uint64_t role;		       /* 0 client, 1 server */
	uint64_t stack;		       /* 0 TCP/IP, 1 RPC */
	uint64_t mac, peer_mac;	       /* first wire byte lowest */
	uint64_t ip, peer_ip, netmask; /* host order */
	uint64_t round_trips, warmup;
	uint64_t seed;
	uint64_t ram_bytes, ticks_per_us, timer_hz;
};
const struct boot_params *plat_boot(void);

/* Interrupt priority levels, OSF/1 numbers: 0 lets all in, 7 holds all off.
 * plat_ipl_raise never lowers; both return the level before. */
enum { IPL_NONE = 0, IPL_NET = 3, IPL_CONSOLE = 4, IPL_CLOCK = 5, IPL_HIGH = 7 };
int plat_ipl_raise(int level);
int plat_ipl_set(int level);

/* Called at IPL_HIGH. Sleeps until an interrupt is pending, whatever the level; returns without
 * having taken it, so that lowering the level afterwards does. No wake-up can be lost. */
void plat_wait_for_interrupt(void);

/* Handlers run on the interrupted stack, at the source's level. */
void plat_on_timer(void (*handler)(void));   /* timer_hz times a second, at IPL_CLOCK */
void plat_on_network(void (*handler)(void)); /* level-triggered, at IPL_NET */

/* Ticks since reset; plat_boot()->ticks_per_us of them are a microsecond. */
uint64_t plat_ticks(void);

/* Stores before it are seen by the device before stores after it. */
void plat_memory_barrier(void);

void plat_putc(char c);		    /* console */
_Noreturn void plat_exit(int code); /* 0: this machine has done its work */

/* A thread's saved place: callee-saved registers on its own stack. plat_switch saves into *from and
 * goes on at `to`; a fresh stack enters entry(arg) on its first switch and must never return. */
typedef void *plat_context;
plat_context plat_context_make(void *stack, size_t bytes, void (*entry)(void *), void *arg);
void plat_switch(plat_context *from, plat_context to);

/* Virtual address of the memory shared with the network adapter and of its registers (alpha only:
 * the host platform has an in-memory wire in the driver's place). */
