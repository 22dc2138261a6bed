/* SPDX-License-Identifier: BSD-2-Clause */
/* A byte to the other end, and one from there. */
#include "apps/bsdtest/bsdtest.h"
#include "xkernel/console.h"
#include "xkernel/switches.h"

struct bsdtest bsdtest;

void bsdtest_must(int error, const char *what)
{
	if (error)
		console_fail("bsdtest", what);
}

void bsdtest_send(struct socket *so)
{
	static const uint8_t byte = BSDTEST_BYTE;
	uint32_t bytes = sizeof byte;

	if (PREDICT_FALSE(sosend(so, &byte, &bytes) || bytes != sizeof byte))
		console_fail("bsdtest", "sending failed");
}

int bsdtest_receive(struct socket *so)
{
	uint32_t bytes = 2;
	uint8_t text[2];

	if (PREDICT_FALSE(soreceive(so, text, &bytes, 0)))
		console_fail("bsdtest", "receiving failed");
	if (PREDICT_FALSE(bytes > 1 || (bytes && text[0] != BSDTEST_BYTE)))
		console_fail("bsdtest", "not our byte");
	return (int)bytes;
}
