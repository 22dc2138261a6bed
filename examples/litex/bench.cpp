// SPDX-License-Identifier: BSD-2-Clause
// The wire of the SoC in Verilator: pings of all sizes, each answer compared byte by byte.
// First no more are under way than the rings have room for: none may be lost. Then they come
// without a pause: what is not answered has to be in the chip's reports.

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "Vsoc.h"
#include "verilated.h"

using Frame = std::vector<unsigned char>;

static void fail(const char *what)
{
	std::printf("FAIL: %s\n", what);
	std::exit(1);
}

static unsigned crc(const Frame &frame, size_t size)
{
	unsigned sum = 0xffffffff;
	for (size_t i = 0; i < size; i++) {
		sum ^= frame[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
	}
	return ~sum;
}

static unsigned checksum(const unsigned char *at, size_t size)
{
	unsigned sum = 0;
	for (size_t i = 0; i < size; i++)
		sum += at[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

static void put(Frame &frame, size_t at, unsigned value)
{
	frame[at] = value >> 8;
	frame[at + 1] = value;
}

// A ping of `payload` bytes; its number is in its identifier and sequence.
static Frame ping(unsigned number, size_t payload, std::mt19937 &random)
{
	static const unsigned char head[] = { 8,  0,	0x2b, 1, 2,  3, 8, 0, 0x2b, 9,	9, 9, 8,
					      0,  0x45, 0,    0, 0,  0, 0, 0, 0,    64, 1, 0, 0,
					      10, 0,	0,    1, 10, 0, 0, 2, 8,    0,	0, 0 };
	Frame frame(42 + payload);
	std::copy(std::begin(head), std::end(head), frame.begin());
	put(frame, 16, 28 + payload);
	put(frame, 24, checksum(&frame[14], 20));
	put(frame, 38, number >> 16);
	put(frame, 40, number);
	for (size_t i = 42; i < frame.size(); i++)
		frame[i] = random();
	put(frame, 36, checksum(&frame[34], 8 + payload));
	return frame;
}

class Bench
{
      public:
	Bench()
	{
		soc.sys_rst = 1;
		soc.mii_crs = soc.mii_col = soc.mii_rx_er = soc.mii_rx_dv = 0;
		for (int i = 0; i < 200; i++)
			step();
		soc.sys_rst = 0;
	}

	// 5 ns: half a clock of 100 MHz; MII has a fourth of it.
	void step()
	{
		soc.sys_clk = time % 2;
		bool mii = time / 4 % 2;
		bool rises = mii && !soc.mii_tx_clk, falls = !mii && soc.mii_tx_clk;
		if (rises)
			listen();
		if (falls)
			play();
		soc.mii_tx_clk = soc.mii_rx_clk = mii;
		soc.eval();
		time++;
	}

	void send(Frame frame)
	{
		if (frame.size() < 60)
			frame.resize(60);
		unsigned fcs = crc(frame, frame.size());
		for (int i = 0; i < 4; i++)
			frame.push_back(fcs >> 8 * i);
		static const unsigned char preamble[] = { 0x55, 0x55, 0x55, 0x55,
							  0x55, 0x55, 0x55, 0xd5 };
		frame.insert(frame.begin(), std::begin(preamble), std::end(preamble));
		out.push_back(frame);
	}

	bool is_idle() const
	{
		return out.empty();
	}

	VerilatedContext context;
	Vsoc soc{ &context };
	std::deque<Frame> heard;
	unsigned long time = 0, silence = 0;

      private:
	void play()
	{
		soc.mii_rx_dv = 0;
		if (gap)
			gap--;
		if (gap || out.empty())
			return;
		soc.mii_rx_dv = 1;
		soc.mii_rxd = out.front()[place / 2] >> (place % 2 ? 4 : 0) & 15;
		if (++place == 2 * out.front().size()) {
			out.pop_front();
			place = 0;
			gap = 25;
		}
	}

	void listen()
	{
		silence = soc.mii_tx_en ? 0 : silence + 1;
		if (soc.mii_tx_en) {
			nibbles.push_back(soc.mii_txd);
		} else if (!nibbles.empty()) {
			Frame frame;
			for (size_t i = 16; i + 1 < nibbles.size(); i += 2)
				frame.push_back(nibbles[i] | nibbles[i + 1] << 4);
			if (nibbles.size() % 2 || nibbles.size() < 144 || nibbles[15] != 13)
				fail("a frame cut short");
			if (crc(frame, frame.size()) != 0x2144df1c)
				fail("a wrong FCS");
			frame.resize(frame.size() - 4);
			heard.push_back(frame);
			nibbles.clear();
		}
	}

	std::deque<Frame> out;
	size_t place = 0;
	unsigned gap = 0;
	Frame nibbles;
};

static void compare(const Frame &asked, const Frame &answer)
{
	Frame wanted = asked;
	std::swap_ranges(&wanted[0], &wanted[6], &wanted[6]);
	std::swap_ranges(&wanted[26], &wanted[30], &wanted[30]);
	wanted[34] = 0;
	put(wanted, 36, 0);
	put(wanted, 36, checksum(&wanted[34], asked.size() - 34));
	if (wanted.size() < 60)
		wanted.resize(60);
	if (wanted != answer)
		fail("an answer is another");
}

int main(int count, char **words)
{
	unsigned total = count > 1 ? std::atoi(words[1]) : 200, next = 0, answered = 0;
	Bench bench;
	std::mt19937 random(56);
	std::map<unsigned, Frame> asked;
	Frame arp(60);
	static const unsigned char who[] = { 255, 255, 255,  255, 255, 255, 8,	0, 0x2b, 9, 9,
					     9,	  8,   6,    0,	  1,   8,   0,	6, 4,	 0, 1,
					     8,	  0,   0x2b, 9,	  9,   9,   10, 0, 0,	 1, 0,
					     0,	  0,   0,    0,	  0,   10,  0,	0, 2 };
	std::copy(std::begin(who), std::end(who), arp.begin());
	for (int i = 0; i < 400000; i++)
		bench.step(); // the driver starts the chip
	bench.send(arp);
	while (bench.heard.empty() && bench.silence < 100000)
		bench.step();
	if (bench.heard.empty() || bench.heard[0][21] != 2 || bench.heard[0][22] != 8)
		fail("no answer to ARP");
	bench.heard.clear();

	auto take = [&] {
		for (; !bench.heard.empty(); bench.heard.pop_front()) {
			const Frame &frame = bench.heard.front();
			unsigned number =
			    frame[38] << 24 | frame[39] << 16 | frame[40] << 8 | frame[41];
			if (!asked.count(number))
				fail("an answer to nothing");
			compare(asked[number], frame);
			asked.erase(number);
			answered++;
		}
	};
	auto run = [&](unsigned until, size_t most) {
		while (next < until || (!asked.empty() && bench.silence < 50000)) {
			if (next < until && asked.size() < most && bench.is_idle()) {
				asked[next] = ping(next, random() % 1473, random);
				bench.send(asked[next]);
				next++;
			}
			bench.step();
			take();
		}
	};
	run(total, 6);
	if (!asked.empty())
		fail("a frame was lost though there was room");
	unsigned before = answered;
	run(total + total / 10, ~0u);
	Frame question(60);
	std::copy(std::begin(who), std::begin(who) + 12, question.begin());
	put(question, 12, 0x88b5);
	bench.send(question);
	while (bench.heard.empty() && bench.silence < 200000)
		bench.step();
	if (bench.heard.empty())
		fail("no counts");
	unsigned counts[6];
	for (int i = 0; i < 6; i++) {
		counts[i] = 0;
		for (int j = 0; j < 4; j++)
			counts[i] = counts[i] << 8 | bench.heard[0][14 + 4 * i + j];
	}
	auto [received, bad, sent, cut, missed, broken] = counts;
	std::printf("%u pings of all sizes, none lost; then %u without a pause, %zu lost\n", before,
		    total / 10, asked.size());
	std::printf("counts: received %u, bad %u, sent %u, cut %u, missed %u, broken %u\n",
		    received, bad, sent, cut, missed, broken);
	if (!asked.empty() && !(missed || bad || cut))
		fail("frames were lost without a report");
	if (received != answered + 2 + cut)
		fail("an answer was lost without a report");
	if (broken)
		fail("the chip found memory broken");
	std::printf("PASS\n");
}
