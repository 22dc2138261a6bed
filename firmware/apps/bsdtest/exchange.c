/* SPDX-License-Identifier: BSD-2-Clause */
/* A byte to the other end, and one from there. */
#include "apps/bsdtest/bsdtest.h"
#include "apps/bsdtest/gate.h"
#include "xkernel/console.h"
#include "xkernel/switches.h"

struct bsdtest bsdtest;

void bsdtest_must(int error, const char *what)
{
	if (error)
		console_fail("bsdtest", what);
}

/* sosend, or the system call. */
static inline int send(struct socket *so, const void *byte, uint32_t *bytes)
{
	uint8_t own;
	int64_t done;

	if (!BSD_CROSSING)
		return sosend(so, byte, bytes);
	own = *(const uint8_t *)byte; /* on the program's stack */
	done = gate_call(GATE_SEND, GATE_SOCKET, &own, *bytes);
	*bytes = (uint32_t)done;
	return done < 0;
}

/* soreceive, or the system call. */
static inline int receive(struct socket *so, void *text, uint32_t *bytes)
{
	int64_t done;

	if (!BSD_CROSSING)
		return soreceive(so, text, bytes, 0);
	done = gate_call(GATE_RECEIVE, GATE_SOCKET, text, *bytes);
	*bytes = (uint32_t)done;
	return done < 0;
}

void bsdtest_send(struct socket *so)
{
	static const uint8_t byte = BSDTEST_BYTE;
	uint32_t bytes = sizeof byte;

	if (PREDICT_FALSE(send(so, &byte, &bytes) || bytes != sizeof byte))
		console_fail("bsdtest", "sending failed");
}

int bsdtest_receive(struct socket *so)
{
	uint32_t bytes = 2;
	uint8_t text[2];

	if (PREDICT_FALSE(receive(so, text, &bytes)))
		console_fail("bsdtest", "receiving failed");
	if (PREDICT_FALSE(bytes > 1 || (bytes && text[0] != BSDTEST_BYTE)))
		console_fail("bsdtest", "not our byte");
	return (int)bytes;
}
