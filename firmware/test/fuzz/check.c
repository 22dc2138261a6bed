/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/host/host.h"
#include "protocols/tcp/tcp_private.h"
#include "test/fuzz/steps/frames.h"
#include "test/fuzz/steps/known.h"
#include "test/host/peer.h"
#include "test/host/user.h"

enum { MAX_ANSWERS = 400 };
static const uint64_t TICKS_PER_S = 175000000;

uint8_t stream_byte(uint32_t sequence)
{
	return (uint8_t)(sequence * 0x9e3779b1u >> 24);
}

void fuzz_fail(const char *what)
{
	fprintf(stderr, "at %.3f s: %s\n", now_ms() / 1000, what);
	exit(1);
}

/* Every byte that came up is the one that belongs there, whatever was sent twice, late, cut. */
static void check_stream(void)
{
	static struct xobj *session;
	static int connections;
	static uint32_t delivered;

	if (session && user.session == session && user.accepted != connections) {
		connections = user.accepted; /* one that the user did not keep may have said it */
		user.bytes = 0;
	} else if (user.session != session || user.accepted != connections) {
		session = user.session;
		connections = user.accepted;
		delivered = 0;
	}
	if (session && user.bytes) {
		const struct tcp *t = session->state;

		for (size_t i = 0; i < user.bytes; i++)
			if (user.data[i] !=
			    stream_byte(t->receive_initial + 1 + delivered + (uint32_t)i))
				fuzz_fail("TCP has handed up another byte than was sent");
		delivered += (uint32_t)user.bytes;
	}
	user.bytes = 0;
}

void check_after_step(void)
{
	static struct host_frame f;
	int answers = 0;

	while (host_take(&f)) {
		if (++answers > MAX_ANSWERS)
			fuzz_fail("a storm of frames");
		if (frame_fault(&f))
			fuzz_fail(frame_fault(&f));
		known_learn(&f);
	}
	if (host_exit_code() != HOST_RUNNING)
		fuzz_fail(host_console());
	check_stream();
	if (user.session && user_state() == TCP_CLOSED)
		user_close();
}

void check_for(double ms)
{
	uint64_t until = host_now() + (uint64_t)(ms * 175000);

	while (host_now() < until) {
		uint64_t slice = host_now() + TICKS_PER_S;

		host_run(slice < until ? slice : until, 0);
		check_after_step();
	}
}
