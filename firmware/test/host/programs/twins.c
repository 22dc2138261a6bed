/* SPDX-License-Identifier: BSD-2-Clause */
/* Two machines that get the same frames, one with general functions and one with a path, must do
 * the same: send the same frames and count the same.
 *
 * usage: twins PEER.so GENERAL.so PATH.so ROLE STACK WARM RANDOM SEED VARIABLE...
 * The machines under test have ROLE, the peer the other. Behind WARM frames of a real exchange the
 * next frame is changed: in each bit, and then RANDOM times at random, each time with all machines
 * as they were. Prints a line for each difference, and the numbers of frames. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/host/machine.h"

enum { DIFFERS = 42, DIED }; /* status of a process that tries a frame */
enum { STEP = 60 * 175, MAX_STEPS = 100000, BATCH = 250, SHOWN = 20 };
enum { TYPE = 13, ETHER = 14, PROTOCOL = 23, LEAST = 60, REACHED = 110 };

static struct loaded peer, twin[2];
static struct host_frame next;
static char **variables;
static uint64_t now, seed;

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % below;
}

static void start(struct loaded *m, const char *file, char **argv, uint64_t role)
{
	struct boot_params boot = machine_boot(role);

	boot.stack = strtoull(argv[5], NULL, 0);
	boot.warmup = 1;
	boot.round_trips = 1000000;
	boot.seed = 7;
	machine_load(m, file);
	m->start(&boot, m->entry);
}

/* Both have sent the same frame, or none: 1 if they have sent one. */
static int same_frame(struct host_frame *sent)
{
	struct host_frame other;
	int one = twin[0].take(sent), two = twin[1].take(&other);

	if (one != two || (one && (sent->bytes != other.bytes ||
				   memcmp(sent->data, other.data, sent->bytes) != 0)))
		return -1;
	return one;
}

static size_t size_of(void *variable)
{
	const ElfW(Sym) * symbol;
	Dl_info about;

	dladdr1(variable, &about, (void **)&symbol, RTLD_DL_SYMENT);
	return symbol->st_size;
}

/* The name of what they count differently. NULL: nothing. */
static const char *counted_differently(void)
{
	for (char **name = variables; *name; name++) {
		void *one = machine_symbol(&twin[0], *name);

		if (memcmp(one, machine_symbol(&twin[1], *name), size_of(one)) != 0)
			return *name;
	}
	return twin[0].blocks_in_use() == twin[1].blocks_in_use() ? NULL : "blocks in use";
}

/* The name of what the twins do differently after the frame. NULL: they agree. */
static const char *difference(const uint8_t *frame, size_t bytes)
{
	struct host_frame sent;
	int same;

	now += STEP;
	for (int i = 0; i < 2; i++) {
		twin[i].deliver(frame, bytes);
		twin[i].run(now, 0);
	}
	while ((same = same_frame(&sent)) > 0)
		;
	return same < 0 ? "frames" : counted_differently();
}

static uint32_t sum(const uint8_t *at, size_t bytes)
{
	uint32_t s = 0;

	for (size_t i = 0; i < bytes; i++)
		s += i & 1 ? at[i] : at[i] << 8;
	return s;
}

static void put_sum(uint8_t *at, uint32_t s)
{
	s = (s & 0xffff) + (s >> 16);
	s = ~(s + (s >> 16));
	at[0] = (uint8_t)(s >> 8);
	at[1] = (uint8_t)s;
}

/* Where a protocol above IP has its checksum, and whether IP's addresses are in it. */
static const struct {
	uint8_t protocol, at, least, pseudo;
} sums[] = { { 1, 2, 8, 0 }, { 6, 16, 20, 1 }, { 17, 6, 8, 1 } };

/* Makes the checksums right, so that the frame comes further. */
static void mend(uint8_t *frame, size_t bytes)
{
	uint8_t *ip = frame + ETHER;
	size_t header = (ip[0] & 15) * 4, total = (size_t)ip[2] << 8 | ip[3];

	if (header < 20 || total < header || total > bytes - ETHER)
		return;
	ip[10] = ip[11] = 0;
	put_sum(ip + 10, sum(ip, header));
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		size_t left = total - header;
		uint32_t s = sums[i].pseudo ? sum(ip + 12, 8) + ip[9] + (uint32_t)left : 0;

		if (ip[9] != sums[i].protocol || left < sums[i].least)
			continue;
		memset(ip + header + sums[i].at, 0, 2);
		put_sum(ip + header + sums[i].at, s + sum(ip + header, left));
	}
}

static size_t at_random(uint8_t *frame)
{
	static const uint8_t protocols[] = { 1, 6, 17, 101, 205, 254 };
	size_t bytes = next.bytes;

	memcpy(frame, next.data, bytes);
	if (!draw(8)) { /* noise behind the stations */
		bytes = LEAST + draw(200);
		for (size_t i = draw(2) ? ETHER : 0; i < bytes; i++)
			frame[i] = (uint8_t)draw(256);
	}
	for (uint64_t changes = draw(4) + 1; changes; changes--)
		frame[draw(bytes < REACHED ? bytes : REACHED)] ^=
		    (uint8_t)(draw(2) ? 1u << draw(8) : draw(256));
	if (!draw(4))
		frame[PROTOCOL] = protocols[draw(sizeof protocols)];
	if (!draw(8))
		frame[TYPE] = (uint8_t)(frame[TYPE] ^ 6); /* ARP's, of IP's */
	if (draw(4))
		mend(frame, bytes);
	return bytes;
}

/* In a process of its own, so that the machines stay as they are. Returns 1 if they differed. */
static int tried(uint64_t number, int bits)
{
	pid_t child = fork();
	int status;

	if (!child) {
		uint8_t frame[sizeof next.data];
		const char *what = NULL;
		size_t bytes = next.bytes;

		if (bits) {
			memcpy(frame, next.data, bytes);
			frame[number / 8] ^= (uint8_t)(1 << number % 8);
			if (!(what = difference(frame, bytes)))
				_exit(0);
			printf("differs bit %llu %s\n", (unsigned long long)number, what);
			_exit(fflush(stdout) ? DIED : DIFFERS);
		}
		seed = number;
		for (int n = 0; n < BATCH && !what; n++) {
			bytes = at_random(frame);
			what = difference(frame, bytes);
		}
		if (!what)
			_exit(0);
		printf("differs random %llu %s ", (unsigned long long)number, what);
		for (size_t i = 0; i < bytes; i++)
			printf("%02x", frame[i]);
		printf("\n");
		_exit(fflush(stdout) ? DIED : DIFFERS);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    (WEXITSTATUS(status) && WEXITSTATUS(status) != DIFFERS))
		printf("died %s %llu\n", bits ? "bit" : "random", (unsigned long long)number);
	else if (!WEXITSTATUS(status))
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t role, warm, random, received = 0, differ = 0;
	int steps = 0;

	if (argc < 9)
		return 2;
	role = strtoull(argv[4], NULL, 0);
	warm = strtoull(argv[6], NULL, 0);
	random = strtoull(argv[7], NULL, 0);
	variables = argv + 9;
	start(&peer, argv[1], argv, 1 - role);
	for (int i = 0; i < 2; i++)
		start(&twin[i], argv[2 + i], argv, role);
	for (;;) {
		struct host_frame sent;
		int same;

		if (steps++ == MAX_STEPS)
			return 2;
		now += STEP;
		while ((same = same_frame(&sent)) > 0)
			peer.deliver(sent.data, sent.bytes);
		if (same < 0 || counted_differently()) {
			printf("differs before\n");
			return 1;
		}
		peer.run(now, 0);
		while (peer.take(&next)) {
			if (received++ == warm)
				goto warmed;
			for (int i = 0; i < 2; i++)
				twin[i].deliver(next.data, next.bytes);
		}
		for (int i = 0; i < 2; i++)
			twin[i].run(now, 0);
	}
warmed:
	for (uint64_t bit = 0; bit < 8 * next.bytes && differ < SHOWN; bit++)
		differ += (uint64_t)tried(bit, 1);
	seed = strtoull(argv[8], NULL, 0);
	for (uint64_t n = 0; n < random && differ < SHOWN; n += BATCH)
		differ += (uint64_t)tried(seed + n, 0);
	printf("bits %zu random %llu differ %llu\n", 8 * next.bytes, (unsigned long long)random,
	       (unsigned long long)differ);
	return differ != 0;
}
