/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/fuzz/steps/known.h"

#include "test/fuzz/steps/conversations.h"
#include "test/fuzz/steps/steps.h"
#include "test/host/peer.h"
#include "test/host/rpc_peer.h"

struct known known;

uint32_t known_get(const uint8_t *from, int bytes)
{
	uint32_t x = 0;

	for (int i = 0; i < bytes; i++)
		x = x << 8 | from[i];
	return x;
}

static void learn_tcp(const uint8_t *ip)
{
	const uint8_t *b = ip + 20;
	uint32_t end = known_get(b + 4, 4) + known_get(ip + 2, 2) - 20 - (b[12] >> 4) * 4u;

	if (b[13] & S) {
		kernel_initial = known_get(b + 4, 4);
		known.kernel_next = 0;
		if (!(b[13] & A)) { /* it opens: towards its port */
			kernel_port = (uint16_t)known_get(b, 2);
			peer_port = (uint16_t)known_get(b + 2, 2);
		}
	}
	if (b[13] & A)
		known.edge = known_get(b + 8, 4) + known_get(b + 14, 2) - peer_initial;
	end += !!(b[13] & S) + !!(b[13] & F);
	if ((int32_t)(end - kernel_initial - known.kernel_next) > 0)
		known.kernel_next = end - kernel_initial;
}

void known_learn(const struct host_frame *f)
{
	const uint8_t *ip = f->data + 14, *b = ip + 20;

	if (known_get(f->data + 12, 2) != 0x0800)
		return;
	if (ip[9] == 6 && !(b[13] & R)) {
		unsigned before = converse_with(ip);

		learn_tcp(ip);
		converse(before);
	} else if (ip[9] == 1 && b[0] == 8) {
		echo_asked = known_get(b + 4, 4);
	} else if (ip[9] == 205) {
		kernel_boot = known_get(b + 4, 4);
		known.tag = known_get(b + 12, 4);
	} else if (ip[9] == 101 && known_get(b + 4, 4) != 0) {
		known.sequence = known_get(b + 4, 4);
		known.fragments = known_get(b + 12, 2);
	} else if (ip[9] == 101 && known_get(b + 8, 4) >= 28) {
		known.channel = known_get(b + 36, 2);
		known.call = known_get(b + 44, 4);
	}
}

uint32_t known_distance(uint8_t x)
{
	if (x < 100)
		return x;
	if (x >= 228)
		return (uint32_t)(x - 256);
	return (uint32_t)(x - 164) * 700;
}
