/* SPDX-License-Identifier: BSD-2-Clause */
#include "test/host/peer.h"

#include <string.h>

#include "platform/host/host.h"
#include "test/host/case.h"
#include "test/host/invariants.h"
#include "test/host/right_edge.h"
#include "test/host/user.h"
#include "test/host/wire.h"
#include "xkernel/graph.h"

struct twist twist;
uint32_t peer_initial = 0x10000000, kernel_initial;
uint32_t peer_window = PEER_WINDOW;
uint16_t kernel_port = KERNEL_PORT, peer_port = PEER_PORT;
uint8_t peer_number = 2;

enum { TICKS_PER_MS = 175000 };
static const uint8_t kernel_mac[6] = { 8, 0, 0x2b, 0, 0, 1 };
static const uint8_t peer_mac[6] = { 8, 0, 0x2b, 0, 0, 2 };
static uint32_t next_ident;

int kernel_main(void);

void kernel_start(void)
{
	kernel_start_stack(0);
}

void kernel_start_stack(uint64_t stack)
{
	CHECK_EQUAL(kernel_begin(stack), HOST_RUNNING);
}

int kernel_begin(uint64_t stack)
{
	struct boot_params boot = {
		.version = 1,
		.stack = stack,
		.ip = KERNEL_IP,
		.peer_ip = PEER_IP,
		.netmask = 0xffffff00,
		.seed = 1,
		.ticks_per_us = 175,
		.timer_hz = 1024,
	};

	memcpy(&boot.mac, kernel_mac, 6);
	memcpy(&boot.peer_mac, peer_mac, 6);
	host_watch(tcp_invariants);
	host_start(&boot, kernel_main);
	return host_exit_code();
}

struct xobj *kernel_object(const char *name)
{
	const struct graph *g = graph_find("tcp");

	for (size_t i = 0; i < g->count; i++)
		if (!strcmp(g->nodes[i].name, name))
			return g->nodes[i].object;
	return NULL;
}

struct control {
	struct xobj *session;
	int op, result;
	uint32_t *value;
};

static void control_now(void *arg)
{
	struct control *c = arg;

	c->result = xControl(c->session, c->op, c->value, sizeof *c->value);
}

int kernel_control(struct xobj *session, int op, uint32_t *value)
{
	struct control c = { session, op, 0, value };

	host_call(control_now, &c);
	return c.result;
}

double now_ms(void)
{
	return (double)host_now() / TICKS_PER_MS;
}

void wait_ms(double ms)
{
	host_run(host_now() + (uint64_t)(ms * TICKS_PER_MS), 0);
}

static uint32_t tcp_sum(const uint8_t *ip, const uint8_t *tcp, size_t bytes)
{
	uint32_t sum = sum16(ip + 12, 8, 6 + (uint32_t)bytes);

	return ~sum16(tcp, bytes, sum) & 0xffff;
}

void peer_frame(const void *frame, size_t bytes)
{
	host_deliver(frame, bytes);
	host_run(host_now(), 0);
}

void peer_ethernet(uint8_t *frame, size_t bytes, uint32_t type)
{
	if (!(frame[0] | frame[5]))
		memcpy(frame, kernel_mac, 6);
	memcpy(frame + 6, peer_mac, 6);
	frame[11] = peer_number;
	put16(frame + 12, type);
	peer_frame(frame, bytes < 60 ? 60 : bytes);
}

void peer_ip(uint8_t *frame, size_t payload, struct ip_fields f)
{
	uint8_t *ip = frame + 14;

	ip[0] = 0x45;
	put16(ip + 2, (uint32_t)(20 + payload));
	put16(ip + 4, f.ident);
	put16(ip + 6, f.fragment);
	ip[8] = 64;
	ip[9] = (uint8_t)f.protocol;
	put32(ip + 12, 0x0a000000u + peer_number);
	put32(ip + 16, f.destination ? f.destination : KERNEL_IP);
	put16(ip + 10, ~sum16(ip, 20, 0));
	peer_ethernet(frame, 34 + payload, 0x0800);
}

static void send_tcp(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t window,
		     const void *data, size_t bytes)
{
	uint8_t frame[1600] = { 0 }, *ip = frame + 14, *tcp;
	size_t ip_header = 20 + twist.ip_option_bytes;
	size_t tcp_header = 20 + twist.tcp_option_bytes, total, length;

	memcpy(frame, kernel_mac, 6);
	if (twist.to_broadcast)
		memset(frame, 0xff, 6);
	if (twist.to_other)
		frame[5] = 77;
	memcpy(frame + 6, peer_mac, 6);
	frame[11] = peer_number;
	if (twist.from_other)
		frame[11] = 77;
	put16(frame + 12, twist.ethertype ? (uint32_t)twist.ethertype : 0x0800);
	tcp = ip + ip_header;
	total = ip_header + tcp_header + bytes;
	ip[0] = (uint8_t)((twist.version ? twist.version : 4) << 4 |
			  (twist.header_words ? twist.header_words : (int)ip_header / 4));
	put16(ip + 2, (uint32_t)((int)total + twist.total_delta));
	put16(ip + 4, next_ident++);
	put16(ip + 6, (uint32_t)twist.fragment);
	ip[8] = twist.ttl_zero ? 0 : 64;
	ip[9] = (uint8_t)(twist.protocol ? twist.protocol : 6);
	put32(ip + 12, twist.source ? twist.source : 0x0a000000u + peer_number);
	put32(ip + 16, twist.destination ? twist.destination : KERNEL_IP);
	if (twist.ip_option_bytes)
		memcpy(ip + 20, twist.ip_options, twist.ip_option_bytes);
	put16(ip + 10, (~sum16(ip, ip_header, 0) & 0xffff) ^ (twist.bad_ip_checksum ? 0x100 : 0));
	put16(tcp, twist.from_port ? twist.from_port : peer_port);
	put16(tcp + 2, twist.port ? twist.port : kernel_port);
	put32(tcp + 4, sequence);
	put32(tcp + 8, ack);
	tcp[12] = (uint8_t)((twist.offset_words ? twist.offset_words : (int)tcp_header / 4) << 4);
	tcp[13] = (uint8_t)flags;
	put16(tcp + 14, window);
	if (twist.tcp_option_bytes)
		memcpy(tcp + 20, twist.tcp_options, twist.tcp_option_bytes);
	if (bytes)
		memcpy(tcp + tcp_header, data, bytes);
	put16(tcp + 16, tcp_sum(ip, tcp, tcp_header + bytes) ^ (twist.bad_tcp_checksum ? 1 : 0));
	length = 14 + total + (size_t)twist.frame_padding;
	if (length < 60)
		length = 60;
	length -= (size_t)twist.cut;
	memset(&twist, 0, sizeof twist);
	peer_frame(frame, length);
}

void peer_tcp(uint32_t flags, uint32_t sequence, uint32_t ack, const void *data, size_t bytes)
{
	send_tcp(flags, peer_initial + sequence, flags & A ? kernel_initial + ack : 0, peer_window,
		 data, bytes);
}

void peer_tcp_window(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t window)
{
	send_tcp(flags, peer_initial + sequence, kernel_initial + ack, window, NULL, 0);
}

/* Every frame the kernel sends is checked in full, whatever the case is about. */
static struct segment parse(const struct host_frame *f)
{
	const uint8_t *ip = f->data + 14, *tcp = ip + 20;
	struct segment g = { .ms = (double)f->time / TICKS_PER_MS };
	size_t total = get16(ip + 2), header;

	CHECK(f->bytes >= 60 && f->bytes <= 1514);
	CHECK(!memcmp(f->data, peer_mac, 6));
	CHECK(!memcmp(f->data + 6, kernel_mac, 6));
	CHECK_EQUAL(get16(f->data + 12), 0x0800);
	CHECK_EQUAL(ip[0], 0x45);
	CHECK_EQUAL(sum16(ip, 20, 0), 0xffff);
	CHECK(total >= 40 && 14 + total <= f->bytes);
	CHECK_EQUAL(ip[8], 30);
	CHECK_EQUAL(ip[9], 6);
	CHECK_EQUAL(get32(ip + 12), KERNEL_IP);
	CHECK_EQUAL(get32(ip + 16), PEER_IP);
	CHECK_EQUAL(tcp_sum(ip, tcp, total - 20), 0);
	header = (tcp[12] >> 4) * 4u;
	CHECK(header >= 20 && header <= total - 20);
	g.ident = get16(ip + 4);
	g.source = (uint16_t)get16(tcp);
	g.destination = (uint16_t)get16(tcp + 2);
	g.sequence = get32(tcp + 4);
	g.ack = get32(tcp + 8);
	g.flags = tcp[13];
	g.window = get16(tcp + 14);
	if (header > 20 && tcp[20] == 2 && tcp[21] == 4)
		g.segment_max = get16(tcp + 22);
	g.bytes = (uint32_t)(total - 20 - header);
	CHECK(g.bytes <= sizeof g.data);
	CHECK(!right_edge_of_frame(ip));
	memcpy(g.data, tcp + header, g.bytes);
	return g;
}

int next_frame(struct host_frame *f, double ms)
{
	if (host_take(f))
		return 1;
	host_run(host_now() + (uint64_t)(ms * TICKS_PER_MS), 1);
	return host_take(f);
}

int next_segment(struct segment *g, double ms)
{
	struct host_frame f;

	if (!next_frame(&f, ms))
		return 0;
	*g = parse(&f);
	if (g->flags & S)
		kernel_initial = g->sequence;
	return 1;
}

void drop_frames(void)
{
	struct host_frame f;

	while (host_take(&f))
		;
}

struct segment expect_any(void)
{
	struct host_frame f;

	if (!next_frame(&f, 200000)) {
		fprintf(stderr, "no segment in 200 s, at %.1f ms\n", now_ms());
		exit(1);
	}
	return parse(&f);
}

static const char *flag_names(uint32_t flags)
{
	static char names[2][8];
	static int which;
	char *n = names[which ^= 1];
	int used = 0;

	for (int i = 0; i < 6; i++)
		if (flags >> i & 1)
			n[used++] = "FSRPAU"[i];
	n[used] = 0;
	return n;
}

struct segment expect(uint32_t flags, uint32_t sequence, uint32_t ack, uint32_t bytes)
{
	struct segment g = expect_any();

	if (g.flags & S)
		kernel_initial = g.sequence;
	g.sequence -= kernel_initial;
	if (g.flags & A)
		g.ack -= peer_initial;
	/* PSH is advice: only told when the script asks for it. */
	if (((g.flags ^ flags) & ~(uint32_t)P) || ((flags & P) && !(g.flags & P)) ||
	    g.sequence != sequence || g.ack != ack || g.bytes != bytes) {
		fprintf(stderr,
			"at %.1f ms: expected %s seq %u ack %u bytes %u, got %s seq %u ack %u "
			"bytes %u\n",
			g.ms, flag_names(flags), sequence, ack, bytes, flag_names(g.flags),
			g.sequence, g.ack, g.bytes);
		exit(1);
	}
	return g;
}

void peer_acked(uint32_t flags, uint32_t sequence, uint32_t ack, const void *data, size_t bytes,
		uint32_t next)
{
	peer_tcp(flags, sequence, ack, data, bytes);
	expect(A, ack, next, 0);
}

void user_closes(uint32_t sequence, uint32_t ack)
{
	user_close();
	expect(F | A, sequence, ack, 0);
}

void user_sends(const void *data, size_t bytes, uint32_t flags, uint32_t sequence, uint32_t ack)
{
	user_push(data, bytes);
	expect(flags, sequence, ack, (uint32_t)bytes);
}

void expect_quiet(double ms)
{
	struct host_frame f;

	if (!next_frame(&f, ms))
		return;
	struct segment g = parse(&f);

	fprintf(stderr, "expected nothing, got %s seq %u ack %u bytes %u at %.1f ms\n",
		flag_names(g.flags), g.sequence - kernel_initial, g.ack - peer_initial, g.bytes,
		g.ms);
	exit(1);
}

void peer_opens(void)
{
	peer_tcp(S, 0, 0, NULL, 0);
	expect(S | A, 0, 1, 0);
}

void peer_connects(void)
{
	peer_opens();
	peer_tcp(A, 1, 1, NULL, 0);
	CHECK(user.session != NULL);
}

void listening(void)
{
	kernel_start();
	user_listen();
}

uint32_t four_under_way(const void *data, size_t more)
{
	connected();
	user_sends(data, SEGMENT, A, 1, 1);
	peer_tcp(A, 1, 513, NULL, 0);
	user_push(data, 2 * SEGMENT);
	expect(A, 513, 1, SEGMENT);
	expect(A, 1025, 1, SEGMENT);
	peer_tcp(A, 1, 1025, NULL, 0);
	peer_tcp(A, 1, 1537, NULL, 0); /* the congestion window is now four segments */
	user_push(data, 4 * SEGMENT + more);
	for (uint32_t next = 1537; next < 1537 + 4 * SEGMENT; next += SEGMENT)
		expect(A, next, 1, SEGMENT);
	return 1537 + 4 * SEGMENT;
}

void half_open(void)
{
	listening();
	peer_opens();
}

void connected(void)
{
	listening();
	peer_connects();
}
