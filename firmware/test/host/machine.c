/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/machine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(void)
{
	fprintf(stderr, "%s\n", dlerror());
	exit(2);
}

void *machine_symbol(const struct loaded *m, const char *name)
{
	void *s = dlsym(m->library, name);

	if (!s)
		fail();
	return s;
}

void machine_load(struct loaded *m, const char *path)
{
	void (*watch)(void (*)(void)), (*invariants)(void);

	m->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!m->library)
		fail();
	*(void **)&m->start = machine_symbol(m, "host_start");
	*(void **)&m->entry = machine_symbol(m, "kernel_main");
	*(void **)&m->run = machine_symbol(m, "host_run");
	*(void **)&m->now = machine_symbol(m, "host_now");
	*(void **)&m->deliver = machine_symbol(m, "host_deliver");
	*(void **)&m->take = machine_symbol(m, "host_take");
	*(void **)&m->exit_code = machine_symbol(m, "host_exit_code");
	*(void **)&m->console = machine_symbol(m, "host_console");
	*(void **)&m->fail_allocations = machine_symbol(m, "host_fail_allocations");
	*(void **)&m->blocks_in_use = machine_symbol(m, "host_blocks_in_use");
	*(void **)&watch = machine_symbol(m, "host_watch");
	*(void **)&invariants = machine_symbol(m, "tcp_invariants");
	watch(invariants);
}

struct boot_params machine_boot(uint64_t role)
{
	static const uint64_t mac[2] = { 0x0100002b0008, 0x0200002b0008 };

	return (struct boot_params){
		.magic = 0x6d435049626f6f74,
		.version = 1,
		.role = role,
		.mac = mac[role],
		.peer_mac = mac[1 - role],
		.ip = 0x0a000001 + role,
		.peer_ip = 0x0a000002 - role,
		.netmask = 0xffffff00,
		.ram_bytes = 64 << 20,
		.ticks_per_us = 175,
		.timer_hz = 1024,
	};
}
