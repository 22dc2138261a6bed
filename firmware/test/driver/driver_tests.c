/* SPDX-License-Identifier: BSD-2-Clause */
/* The LANCE driver on a chip that makes every error there is: what is counted, what is dropped,
 * and that it goes on afterwards. usage: driver_tests --list | driver_tests NAME */
#include <string.h>

#include "platform/host/host.h"
#include "platform/platform.h"
#include "protocols/lance/chip.h"
#include "protocols/lance/lance.h"
#include "test/case.h"
#include "test/driver/chip_model.h"
#include "xkernel/shepherd.h"

enum { FCS = 4, SMALL = 60, GOOD = FLAG_STP | FLAG_ENP };

/* What the driver needs of the kernel. */
static void (*handler)(void);
static struct shepherd shepherd;
static int shepherds = 1;
static size_t delivered, delivered_bytes;
static struct xobj protocol, eth, *session;

const struct boot_params *plat_boot(void)
{
	static const struct boot_params boot = { .mac = 0x01000000002b0008 };

	return &boot;
}

int plat_ipl_raise(int level)
{
	return level;
}

int plat_ipl_set(int level)
{
	return level;
}

void plat_memory_barrier(void)
{
}

void plat_on_network(void (*f)(void))
{
	handler = f;
}

struct shepherd *shepherd_take(void)
{
	return shepherds ? &shepherd : NULL;
}

void shepherd_deliver(struct shepherd *s, struct xobj *to, size_t bytes)
{
	CHECK(s == &shepherd && to == session);
	delivered++;
	delivered_bytes = bytes;
}

static void begin(void)
{
	CHECK_EQUAL(msg_init_frame(&shepherd.msg), 0);
	CHECK_EQUAL(lance_init(&protocol), XK_OK);
	session = xOpen(&eth, &eth, &protocol, NULL);
	CHECK(session != NULL);
	CHECK_EQUAL(chip.starts, 1);
}

static void interrupt(void)
{
	CHECK(chip.csr[0] & CSR0_INTR && chip.csr[0] & CSR0_INEA);
	chip.csr[0] &= (uint16_t)~CSR0_INTR;
	handler();
	CHECK_EQUAL(chip.rules_broken, 0);
}

static int push(size_t bytes)
{
	struct msg m;
	int result;

	CHECK_EQUAL(msg_init_bytes(&m, bytes), 0);
	for (size_t i = 0; i < bytes; i++)
		m.head[i] = (uint8_t)(i * 3 + bytes);
	result = xPush(session, &m);
	msg_destroy(&m);
	return result;
}

/* Something of every kind still works. */
static void goes_on(void)
{
	static uint8_t frame[SMALL + FCS];
	uint64_t received = lance_counts.received, sent = lance_counts.sent;
	size_t before = delivered;

	frame[SMALL - 1] = (uint8_t)++frame[0];
	CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
	interrupt();
	CHECK_EQUAL(delivered, before + 1);
	CHECK_EQUAL(delivered_bytes, SMALL);
	CHECK(!memcmp(shepherd_frame(&shepherd), frame, SMALL));
	CHECK_EQUAL(lance_counts.received, received + 1);
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, sent + 1);
	CHECK_EQUAL(chip.bytes, SMALL);
	for (size_t i = 0; i < SMALL; i++)
		CHECK_EQUAL(chip.frame[i], (uint8_t)(i * 3 + SMALL));
	CHECK(chip.csr[0] & CSR0_RXON && chip.csr[0] & CSR0_TXON);
}

/* All descriptors of the receive ring are the chip's. */
static void ring_is_full_of_buffers(void)
{
	for (unsigned i = 0; i < RING; i++)
		CHECK_EQUAL(chip_descriptor_flags(chip.receive_ring, i), FLAG_OWN);
}

static void receive_and_send(void)
{
	begin();
	for (int i = 0; i < 3 * RING; i++)
		goes_on();
	CHECK_EQUAL(lance_counts.restarts, 0);
	CHECK_EQUAL(push(LANCE_MAX_FRAME), XK_OK);
	CHECK_EQUAL(chip.bytes, LANCE_MAX_FRAME);
	CHECK_EQUAL(push(LANCE_MAX_FRAME + 1), XK_ERROR);
	CHECK_EQUAL(lance_counts.too_long, 1);
	CHECK_EQUAL(push(14), XK_OK); /* padded */
	CHECK_EQUAL(chip.bytes, LANCE_MIN_FRAME);
	ring_is_full_of_buffers();
}

/* A frame with an error in its descriptor: dropped, counted there, its buffer back; no restart. */
static void bad_frame(uint8_t flags, size_t bytes, const uint64_t *counter)
{
	static uint8_t frame[1600];
	uint64_t before = *counter;

	CHECK_EQUAL(chip_receive(frame, bytes, flags), 0);
	interrupt();
	CHECK_EQUAL(delivered, 0);
	CHECK_EQUAL(*counter, before + 1);
	CHECK_EQUAL(lance_counts.received, 0);
	CHECK_EQUAL(lance_counts.restarts, 0);
	ring_is_full_of_buffers();
}

static void receive_crc(void)
{
	begin();
	bad_frame(FLAG_ERR | RX_CRC | GOOD, 64, &lance_counts.crc);
	goes_on();
}

static void receive_framing(void)
{
	begin();
	bad_frame(FLAG_ERR | RX_FRAM | RX_CRC | GOOD, 64, &lance_counts.framing);
	CHECK_EQUAL(lance_counts.crc, 0);
	goes_on();
}

static void receive_overflow(void)
{
	begin();
	/* FRAM and CRC mean nothing beside it. */
	bad_frame(FLAG_ERR | RX_OFLO | RX_FRAM | RX_CRC | FLAG_STP, 64, &lance_counts.overflow);
	CHECK_EQUAL(lance_counts.framing + lance_counts.crc, 0);
	goes_on();
}

static void receive_no_next_buffer(void)
{
	begin();
	bad_frame(FLAG_ERR | RX_BUFF | RX_OFLO | FLAG_STP, 64, &lance_counts.overflow);
	bad_frame(FLAG_ERR | RX_BUFF | FLAG_STP, 64, &lance_counts.no_buffer);
	goes_on();
}

static void receive_runt(void)
{
	begin();
	bad_frame(GOOD, 63, &lance_counts.runt);
	goes_on();
}

/* One that did not fit into its buffer: two descriptors, one frame lost, one count. */
static void receive_chained(void)
{
	static uint8_t frame[BUFFER_BYTES];

	begin();
	CHECK_EQUAL(chip_receive(frame, 0, FLAG_STP), 0);
	CHECK_EQUAL(chip_receive(frame, 200, FLAG_ENP), 0);
	interrupt();
	CHECK_EQUAL(delivered, 0);
	CHECK_EQUAL(lance_counts.too_long, 1);
	ring_is_full_of_buffers();
	bad_frame(GOOD, LANCE_MAX_FRAME + FCS + 1, &lance_counts.too_long);
	goes_on();
}

static void receive_no_shepherd(void)
{
	begin();
	shepherds = 0;
	bad_frame(GOOD, 64, &lance_counts.no_shepherd);
	shepherds = 1;
	goes_on();
}

/* The chip is off, or may be: stopped, rings as new, started. */
static void restarted(uint64_t times)
{
	CHECK_EQUAL(lance_counts.restarts, times);
	CHECK_EQUAL(chip.starts, 1 + times);
	ring_is_full_of_buffers();
	for (unsigned i = 0; i < RING; i++)
		CHECK_EQUAL(chip_descriptor_flags(chip.transmit_ring, i), 0);
	goes_on();
	goes_on();
}

static void missed_frame(void)
{
	static uint8_t frame[64];

	begin();
	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), 0);
	CHECK_EQUAL(chip_receive(frame, sizeof frame, GOOD), -1);
	interrupt();
	CHECK_EQUAL(delivered, RING); /* what is in the ring is taken first */
	CHECK_EQUAL(lance_counts.missed, 1);
	restarted(1);
}

static void memory_error(void)
{
	begin();
	CHECK_EQUAL(push(SMALL), XK_OK);
	chip_raise(CSR0_MERR);
	interrupt();
	restarted(1);
}

static void babble(void)
{
	begin();
	chip_raise(CSR0_BABL);
	interrupt();
	CHECK_EQUAL(lance_counts.too_long, 1);
	CHECK_EQUAL(lance_counts.restarts, 0);
	goes_on();
}

/* Heartbeat: a transceiver without it says so after every frame. Nothing is wrong. */
static void collision_error(void)
{
	static const struct lance_counts none;

	begin();
	chip_raise(CSR0_CERR);
	interrupt();
	CHECK(!memcmp(&lance_counts, &none, sizeof none));
	goes_on();
}

static void receiver_off(void)
{
	begin();
	chip_stops(CSR0_RXON);
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, 1);
	lance_counts.sent = 0;
	restarted(1);
}

/* A frame that could not be sent: counted as what it was, and only as that. */
static void bad_transmit(uint16_t errors, uint64_t *counter, uint64_t restarts)
{
	begin();
	chip.transmit_errors = errors;
	CHECK_EQUAL(push(SMALL), XK_OK);
	interrupt();
	CHECK_EQUAL(*counter, 1);
	CHECK_EQUAL(lance_counts.sent, 0);
	CHECK_EQUAL(lance_counts.retry + lance_counts.late_collision + lance_counts.lost_carrier +
			lance_counts.underflow,
		    1);
	if (restarts)
		restarted(restarts);
	CHECK_EQUAL(lance_counts.restarts, restarts);
	goes_on();
}

static void transmit_retry(void)
{
	bad_transmit(TX_RTRY | 0x3ff, &lance_counts.retry, 0); /* TDR counts in the low bits */
}

static void transmit_lost_carrier(void)
{
	bad_transmit(TX_LCAR, &lance_counts.lost_carrier, 0);
}

static void transmit_late_collision(void)
{
	bad_transmit(TX_LCOL, &lance_counts.late_collision, 0);
}

static void transmit_underflow(void)
{
	bad_transmit(TX_UFLO, &lance_counts.underflow, 1);
}

static void transmit_no_next_buffer(void)
{
	bad_transmit(TX_BUFF | TX_UFLO, &lance_counts.underflow, 1);
}

static void transmit_ring_full(void)
{
	begin();
	chip.transmit_holds = 1;
	for (int i = 0; i < RING; i++)
		CHECK_EQUAL(push(SMALL + (size_t)i), XK_OK);
	CHECK_EQUAL(push(SMALL), XK_WOULD_BLOCK);
	CHECK_EQUAL(lance_counts.no_buffer, 1);
	chip.transmit_holds = 0;
	chip_csr0_write(CSR0_TDMD | CSR0_INEA);
	CHECK_EQUAL(chip.sent, RING);
	interrupt();
	CHECK_EQUAL(lance_counts.sent, RING);
	goes_on();
}

static void chip_is_dead(void)
{
	uint64_t blocks = host_blocks_in_use();

	chip.dead = 1;
	CHECK_EQUAL(lance_init(&protocol), XK_OK);
	CHECK(xOpen(&eth, &eth, &protocol, NULL) == NULL);
	CHECK_EQUAL(host_blocks_in_use(), blocks);
	chip.dead = 0;
	begin();
	goes_on();
	CHECK(xOpen(&eth, &eth, &protocol, NULL) == NULL); /* there is one session */
}

static void no_memory_to_open(void)
{
	CHECK_EQUAL(lance_init(&protocol), XK_OK);
	host_fail_allocations(0, 1);
	CHECK(xOpen(&eth, &eth, &protocol, NULL) == NULL);
	host_fail_allocations(0, 0);
	begin();
	goes_on();
}

static void control(void)
{
	uint32_t bytes = 0;
	uint8_t mac[6];

	begin();
	CHECK_EQUAL(xControl(session, XK_GET_MY_HOST, mac, sizeof mac), 6);
	CHECK(!memcmp(mac, "\10\0\53\0\0\0", 6));
	CHECK_EQUAL(xControl(session, XK_GET_MAX_PACKET, &bytes, sizeof bytes), sizeof bytes);
	CHECK_EQUAL(bytes, LANCE_MAX_FRAME);
	CHECK_EQUAL(xControl(session, XK_GET_MY_HOST, mac, 5), XK_ERROR);
	CHECK_EQUAL(xControl(&protocol, XK_GET_OPT_PACKET, &bytes, 3), XK_ERROR);
	CHECK_EQUAL(xControl(session, 9999, NULL, 0), XK_UNKNOWN);
}

static const struct test_case cases[] = {
	{ "driver_receive_and_send", receive_and_send },
	{ "driver_receive_crc", receive_crc },
	{ "driver_receive_framing", receive_framing },
	{ "driver_receive_overflow", receive_overflow },
	{ "driver_receive_no_next_buffer", receive_no_next_buffer },
	{ "driver_receive_runt", receive_runt },
	{ "driver_receive_chained", receive_chained },
	{ "driver_receive_no_shepherd", receive_no_shepherd },
	{ "driver_missed_frame", missed_frame },
	{ "driver_memory_error", memory_error },
	{ "driver_babble", babble },
	{ "driver_collision_error", collision_error },
	{ "driver_receiver_off", receiver_off },
	{ "driver_transmit_retry", transmit_retry },
	{ "driver_transmit_lost_carrier", transmit_lost_carrier },
	{ "driver_transmit_late_collision", transmit_late_collision },
	{ "driver_transmit_underflow", transmit_underflow },
	{ "driver_transmit_no_next_buffer", transmit_no_next_buffer },
	{ "driver_transmit_ring_full", transmit_ring_full },
	{ "driver_chip_is_dead", chip_is_dead },
	{ "driver_no_memory_to_open", no_memory_to_open },
	{ "driver_control", control },
	{ 0 },
};

int main(int argc, char **argv)
{
	int found = 0;

	for (const struct test_case *c = cases; c->name; c++) {
		if (argc == 2 && !strcmp(argv[1], "--list")) {
			puts(c->name);
		} else if (argc == 2 && !strcmp(argv[1], c->name)) {
			c->run();
			CHECK_EQUAL(chip.rules_broken, 0);
			found = 1;
		}
	}
	return found || (argc == 2 && !strcmp(argv[1], "--list")) ? 0 : 2;
}
