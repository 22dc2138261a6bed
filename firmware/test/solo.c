/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine, driven line by line, for peers written in other languages.
 *
 * usage: solo MACHINE.so ROLE STACK ROUND_TRIPS SEED
 * in:  `d HEX` a frame arrives now; `r TICKS` virtual time passes until then, or until a frame is
 *      sent. out, after `r`: any `f TICKS HEX`, then `t TICKS EXIT_CODE` (-1: it works). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/host/host.h"

static void *symbol(void *library, const char *name)
{
	void *s = library ? dlsym(library, name) : NULL;

	if (!s) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	return s;
}

static size_t from_hex(const char *text, uint8_t *to, size_t max)
{
	size_t n = 0;
	unsigned byte;

	for (; n < max && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		to[n] = (uint8_t)byte;
	return n;
}

int main(int argc, char **argv)
{
	static char line[4096];
	static struct host_frame f;
	struct boot_params b = {
		.version = 1,
		.mac = 0x0100002b0008,
		.peer_mac = 0x0200002b0008,
		.ip = 0x0a000001,
		.peer_ip = 0x0a000002,
		.netmask = 0xffffff00,
		.ticks_per_us = 175,
		.timer_hz = 1024,
	};
	void *library;
	void (*start)(const struct boot_params *, int (*)(void));
	uint64_t (*run)(uint64_t, int);
	void (*deliver)(const void *, size_t);
	int (*take)(struct host_frame *), (*exit_code)(void);

	if (argc != 6)
		return 2;
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	*(void **)&start = symbol(library, "host_start");
	*(void **)&run = symbol(library, "host_run");
	*(void **)&deliver = symbol(library, "host_deliver");
	*(void **)&take = symbol(library, "host_take");
	*(void **)&exit_code = symbol(library, "host_exit_code");
	b.role = strtoull(argv[2], NULL, 0);
	b.stack = strtoull(argv[3], NULL, 0);
	b.round_trips = strtoull(argv[4], NULL, 0);
	b.seed = strtoull(argv[5], NULL, 0);
	start(&b, (int (*)(void))symbol(library, "kernel_main"));
	while (fgets(line, sizeof line, stdin)) {
		if (line[0] == 'd') {
			f.bytes = from_hex(line + 2, f.data, sizeof f.data);
			deliver(f.data, f.bytes);
			continue;
		}
		uint64_t now = run(strtoull(line + 2, NULL, 0), 1);

		while (take(&f)) {
			printf("f %llu ", (unsigned long long)f.time);
			for (size_t i = 0; i < f.bytes; i++)
				printf("%02x", f.data[i]);
			printf("\n");
		}
		printf("t %llu %d\n", (unsigned long long)now, exit_code());
		fflush(stdout);
	}
	return 0;
}
