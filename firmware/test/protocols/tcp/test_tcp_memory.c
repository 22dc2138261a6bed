/* SPDX-License-Identifier: BSD-2-Clause */
/* Each allocation of a conversation fails in its turn: the conversation still ends as it should,
 * because a failure is a loss like any other. */
#include <sys/wait.h>
#include <unistd.h>

#include "test/host/tcp_case.h"

/* A peer that answers like a patient TCP: whatever is lost, it sends again. */
static int answer(struct segment *g, uint32_t *next)
{
	uint32_t end = g->sequence - kernel_initial + g->bytes + !!(g->flags & F);

	if (g->flags & R)
		return -1;
	if (g->bytes || (g->flags & F))
		peer_tcp(A, *next, end, NULL, 0);
	return (g->flags & F) != 0;
}

/* Handshake, ten echoes, close; `every` n-th allocation fails. Returns how many were asked for. */
static void conversation(void)
{
	struct segment g;
	uint32_t next = 1;
	int done = 0;

	for (int tries = 0; !user.session && tries < 40; tries++) {
		peer_tcp(S, 0, 0, NULL, 0);
		while (next_segment(&g, 1000))
			if ((g.flags & (S | A)) == (S | A))
				peer_tcp(A, 1, 1, NULL, 0);
	}
	CHECK(user.session != NULL);
	for (uint32_t i = 0; i < 10; i++) {
		size_t before = user.bytes;

		for (int tries = 0; user.bytes == before && tries < 40; tries++) {
			peer_tcp(P | A, next, 1 + i, "x", 1);
			while (user.bytes == before && next_segment(&g, 1000))
				;
		}
		CHECK_EQUAL(user.bytes, before + 1);
		next++;
		/* The echo, for which the push may have failed. */
		if (user.push_result < 0) {
			host_fail_allocations(0, 0);
			user_push("x", 1);
		}
		for (int tries = 0; tries < 40; tries++) {
			if (!next_segment(&g, 5000))
				continue;
			if (g.bytes && g.sequence - kernel_initial == 1 + i)
				break;
		}
		CHECK_EQUAL(g.bytes, 1);
		peer_tcp(A, next, 2 + i, NULL, 0);
	}
	user_close();
	for (int tries = 0; !done && tries < 40; tries++)
		if (next_segment(&g, 5000))
			done = answer(&g, &next);
	CHECK_EQUAL(done, 1);
	host_fail_allocations(0, 0);
	for (int tries = 0; !user.done && tries < 40; tries++) {
		peer_tcp(F | A, next, 12, NULL, 0);
		while (next_segment(&g, 1000))
			;
	}
	CHECK_EQUAL(user.done, 1);
	CHECK_EQUAL(user.bytes, 10);
}

static void fail_from(uint64_t skip, uint64_t n)
{
	listening();
	user.echo = 1;
	uint64_t before = host_blocks_in_use();
	host_fail_allocations(skip, n);
	conversation();
	wait_ms(300000);
	CHECK_EQUAL(host_blocks_in_use(), before);
}

CASE_IS(tcp_each_allocation_fails_once, fail_from(allocation_to_fail(3), 1))
CASE_IS(tcp_three_allocations_fail, fail_from(allocation_to_fail(5), 3))

/* Exits with 0 if the machine has said what failed and ended, 1 if it runs although it got less
 * than it asked for, 2 if it asked for fewer. */
static void boot_without(uint64_t stack, uint64_t skip)
{
	host_fail_allocations(skip, 1);
	int code = kernel_begin(stack);
	if (host_allocations() <= skip)
		_exit(2);
	_exit(code != 1 || !strstr(host_console(), "mcpi: "));
}

/* Every allocation of the start: the machine ends with a message. */
CASE(start_without_memory)
{
	for (uint64_t stack = 0; stack < 2; stack++) {
		uint64_t skip = 0;
		int status = 0;

		for (; WEXITSTATUS(status) != 2; skip++) {
			pid_t child = fork();

			if (!child)
				boot_without(stack, skip);
			CHECK(child > 0 && waitpid(child, &status, 0) == child);
			CHECK(WIFEXITED(status));
			CHECK(WEXITSTATUS(status) != 1);
		}
		CHECK(skip > 40);
	}
}
