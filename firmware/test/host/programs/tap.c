/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine on a tap device, in real time times SPEED, so that the host's own network code can
 * talk to it. On the way, PERCENT of the frames are lost, as many repeated, as many overtaken by
 * the next.
 *
 * usage: tap MACHINE.so DEVICE SPEED PERCENT SEED     (ends when standard input does) */
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "test/host/machine.h"

static uint64_t state, percent, lost, most_blocks;

static int chance(void)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % 100 < percent;
}

static int open_tap(const char *name)
{
	struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK);

	strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
	if (tap < 0 || ioctl(tap, TUNSETIFF, &request) < 0) {
		perror("tap");
		exit(2);
	}
	return tap;
}

static uint64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

struct lane {			/* one direction */
	struct host_frame held; /* overtaken by the next */
	int holds, tap;
	void (*deliver)(const void *, size_t); /* or NULL: to the tap */
};

static void arrive(struct lane *l, const struct host_frame *f)
{
	if (l->deliver)
		l->deliver(f->data, f->bytes);
	else if (write(l->tap, f->data, f->bytes) < 0)
		lost++; /* the device is down */
}

static void carry(struct lane *l, const struct host_frame *f)
{
	if (chance()) {
		lost++;
		return;
	}
	if (!l->holds && chance()) {
		l->held = *f;
		l->holds = 1;
		return;
	}
	arrive(l, f);
	if (chance())
		arrive(l, f);
	if (l->holds) {
		arrive(l, &l->held);
		l->holds = 0;
	}
}

int main(int argc, char **argv)
{
	static struct lane in, out;
	static struct host_frame f;
	struct boot_params b = machine_boot(0);
	struct loaded machine;
	ssize_t n;

	if (argc != 6)
		return 2;
	machine_load(&machine, argv[1]);
	in.deliver = machine.deliver;
	out.tap = open_tap(argv[2]);
	uint64_t speed = strtoull(argv[3], NULL, 0);
	percent = strtoull(argv[4], NULL, 0);
	state = b.seed = strtoull(argv[5], NULL, 0);
	b.role = 1;
	machine.start(&b, machine.entry);
	printf("ready\n");
	fflush(stdout);
	uint64_t began = microseconds();
	for (;;) {
		struct pollfd wait[2] = { { out.tap, POLLIN, 0 }, { 0, POLLIN, 0 } };
		char end[64];

		poll(wait, 2, 1);
		if (wait[1].revents && read(0, end, sizeof end) <= 0)
			break;
		machine.run((microseconds() - began) * speed * b.ticks_per_us, 0);
		while ((n = read(out.tap, f.data, sizeof f.data)) > 0) {
			f.bytes = (size_t)n;
			carry(&in, &f);
			machine.run((microseconds() - began) * speed * b.ticks_per_us, 0);
		}
		while (machine.take(&f))
			carry(&out, &f);
		if (machine.blocks_in_use() > most_blocks)
			most_blocks = machine.blocks_in_use();
	}
	printf("lost %llu\nblocks of memory at most %llu\n", (unsigned long long)lost,
	       (unsigned long long)most_blocks);
	return 0;
}
