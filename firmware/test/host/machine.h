/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine as a library with globals of its own (host_build.py), for programs that load one or
 * two of them. */
#pragma once

#include "platform/host/host.h"

struct loaded {
	void *library;
	void (*start)(const struct boot_params *, int (*)(void));
	int (*entry)(void);
	uint64_t (*run)(uint64_t, int);
	uint64_t (*now)(void);
	void (*deliver)(const void *, size_t);
	int (*take)(struct host_frame *);
	int (*exit_code)(void);
	const char *(*console)(void);
	void (*fail_allocations)(uint64_t, uint64_t);
	uint64_t (*blocks_in_use)(void);
};

/* These end the program with a message if there is no such library or symbol. */
void machine_load(struct loaded *m, const char *path);
void *machine_symbol(const struct loaded *m, const char *name);

/* Boot parameters of 10.0.0.1 (role 0) or 10.0.0.2 (role 1) on the same wire, no round trips. */
struct boot_params machine_boot(uint64_t role);
