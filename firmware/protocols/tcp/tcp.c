/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP: start-up and operations. */
#include "platform/platform.h"
#include "protocols/tcp/connection/tcp_connection.h"
#include "protocols/tcp/fast/tcp_fast_begin.h"
#include "protocols/tcp/input/tcp_input.h"
#include "protocols/tcp/output/tcp_output.h"
#include "protocols/tcp/timers/tcp_timer.h"
#include "xkernel/byteorder.h"
#include "xkernel/memory/allocate.h"
#include "xkernel/seed.h"

struct tcp_counts tcp_counts PER_CPU;

const struct xobj_ops tcp_protocol_ops = {
	XOBJ_DEFAULTS,
	.open = tcp_open,
	.open_enable = tcp_open_enable,
	.open_disable = tcp_open_disable,
	.demux = tcp_demux,
};

/* clang-format off */
const struct xobj_ops tcp_session_ops = {
	XOBJ_DEFAULTS,
	.push = XK_FAST_OUT ? tcp_fast_push : tcp_push,
	.pop = XK_MP ? tcp_locked_pop : tcp_pop,
	.close = XK_MP ? tcp_locked_close : tcp_close,
	.control = XK_MP ? tcp_locked_control : tcp_control,
};
/* clang-format on */

int tcp_init(struct xobj *self)
{
	struct tcp_protocol *p = xk_allocate_zeroed(sizeof *p);

	if (!p || map_init(&p->active, 64, 1) || map_init(&p->passive, 16, 1))
		return XK_NO_MEMORY;
	self->state = p;
	self->ops = &tcp_protocol_ops;
	p->address = swap32((uint32_t)plat_boot()->ip);
	p->next_initial = (uint32_t)seed_number(SEED_TCP_ISS);
	p->next_port = TCP_FIRST_PORT;
	tcp_timers_start(self);
	return xOpenEnable(self, self, self->down[0], NULL);
}
