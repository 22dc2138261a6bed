-- SPDX-License-Identifier: BSD-2-Clause
-- Dissectors for the RPC stack of the x-kernel: BLAST, BIDCTL, BID, CHAN, MSELECT. VCHAN and VNET
-- have no header. docs/reference/protocols/rpc.md defines the headers; all integers are big-endian.
--
--     tshark -X lua_script:tools/wireshark/mcpi.lua -r wire.pcap -Y chan

-- Numbers of upper protocols (firmware/graphs/numbers.table).
local IP_BLAST, IP_BIDCTL, BLAST_BID, BID_CHAN, CHAN_MSELECT = 101, 205, 21, 13, 20

local SEND, NACK, RETRANSMIT = 1, 2, 3
local BLAST_BYTES, BIDCTL_BYTES, BID_BYTES, CHAN_BYTES, MSELECT_BYTES = 24, 20, 12, 16, 8

local blast = Proto("blast", "x-kernel BLAST")
local bidctl = Proto("bidctl", "x-kernel BIDCTL")
local bid = Proto("bid", "x-kernel BID")
local chan = Proto("chan", "x-kernel CHAN")
local mselect = Proto("mselect", "x-kernel MSELECT")

local uppers = {
  blast = DissectorTable.new("blast.protocol", "BLAST protocol", ftypes.UINT32, base.DEC, blast),
  bid = DissectorTable.new("bid.protocol", "BID protocol", ftypes.UINT32, base.DEC, bid),
  chan = DissectorTable.new("chan.protocol", "CHAN protocol", ftypes.UINT32, base.DEC, chan),
}

local cut_short = ProtoExpert.new("blast.short", "Shorter than its header",
  expert.group.MALFORMED, expert.severity.ERROR)
local bad_length = ProtoExpert.new("blast.bad_length", "Fewer bytes than the header says",
  expert.group.MALFORMED, expert.severity.ERROR)
local bad_mask = ProtoExpert.new("blast.bad_mask", "Not exactly one fragment, or one outside",
  expert.group.PROTOCOL, expert.severity.WARN)
blast.experts = { bad_length, bad_mask, cut_short }

local ops = { [SEND] = "SEND", [NACK] = "NACK", [RETRANSMIT] = "RETRANSMIT" }
local names = { [BLAST_BID] = "BID" }

-- Adds the header to the tree; nil, and a complaint, if there is not enough of it.
local function header(proto, bytes, buffer, pinfo, tree)
  pinfo.cols.protocol = proto.name
  if buffer:len() < bytes then
    tree:add(proto, buffer()):add_proto_expert_info(cut_short)
    return nil
  end
  return tree:add(proto, buffer(0, bytes))
end

local function rest(buffer, bytes)
  return buffer:len() > bytes and buffer(bytes):tvb() or nil
end

-- Hands on what follows the header, if it is there and somebody knows it.
local function up(table_name, number, buffer, bytes, pinfo, tree)
  local payload = rest(buffer, bytes)
  if payload and not uppers[table_name]:try(number, payload, pinfo, tree) then
    Dissector.get("data"):call(payload, pinfo, tree)
  end
end

-- BLAST

local f = {
  protocol = ProtoField.uint32("blast.upper", "Upper protocol", base.DEC, names),
  sequence = ProtoField.uint32("blast.sequence", "Sequence", base.DEC),
  bytes = ProtoField.uint32("blast.bytes", "Bytes here", base.DEC),
  fragments = ProtoField.uint16("blast.fragments", "Fragments", base.DEC),
  op = ProtoField.uint8("blast.op", "Op", base.DEC, ops),
  mask = ProtoField.uint64("blast.mask", "Mask", base.HEX),
  fragment = ProtoField.uint8("blast.fragment", "Fragment", base.DEC),
  together_in = ProtoField.framenum("blast.reassembled_in", "Reassembled in", base.NONE),
  part = ProtoField.framenum("blast.part", "Fragment in", base.NONE),
  length = ProtoField.uint32("blast.reassembled_bytes", "Reassembled bytes", base.DEC),
}
blast.fields = { f.protocol, f.sequence, f.bytes, f.fragments, f.op, f.mask, f.fragment,
  f.together_in, f.part, f.length }
blast.prefs.reassemble = Pref.bool("Put the fragments of a message together", true)

-- Which fragment the mask names, from 1; nil unless it is exactly one.
local function only_fragment(buffer)
  local found
  for n = 1, 64 do
    local word = n <= 32 and buffer(20, 4):uint() or buffer(16, 4):uint()
    if bit.band(bit.rshift(word, (n - 1) % 32), 1) == 1 then
      if found then return nil end
      found = n
    end
  end
  return found
end

-- Messages in fragments. `open` has, by sender, receiver and sequence, those that miss some; each
-- frame with a fragment has its message in `of_frame`.
local open, of_frame

function blast.init()
  open, of_frame = {}, {}
end

-- The message of which this frame brings a fragment. A message is complete with the frame `last`.
-- A fragment that comes twice counts once.
local function collect(buffer, pinfo, fragment, count, bytes)
  if pinfo.visited then return of_frame[pinfo.number] end
  local key = string.format("%s %s %d", tostring(pinfo.net_src), tostring(pinfo.net_dst),
    buffer(4, 4):uint())
  local message = open[key]
  if not message or message.count ~= count then
    message = { count = count, missing = count, parts = {}, frames = {} }
    open[key] = message
  end
  of_frame[pinfo.number] = message
  if not message.parts[fragment] then
    message.parts[fragment] = buffer(BLAST_BYTES, bytes):bytes()
    message.frames[fragment] = pinfo.number
    message.missing = message.missing - 1
  end
  if message.missing == 0 then
    message.last = pinfo.number
    open[key] = nil
  end
  return message
end

-- Hands on the whole message in the frame that completes it.
local function together(message, number, pinfo, root, tree)
  local whole = ByteArray.new()
  for n = 1, message.count do
    whole:append(message.parts[n])
    root:add(f.part, message.frames[n]):set_generated()
  end
  local buffer = whole:tvb("Reassembled BLAST")
  root:add(f.length, buffer:len()):set_generated()
  if not uppers.blast:try(number, buffer, pinfo, tree) then
    Dissector.get("data"):call(buffer, pinfo, tree)
  end
end

function blast.dissector(buffer, pinfo, tree)
  local root = header(blast, BLAST_BYTES, buffer, pinfo, tree)
  if not root then return 0 end
  local number, bytes = buffer(0, 4):uint(), buffer(8, 4):uint()
  local count, op = buffer(12, 2):uint(), buffer(14, 1):uint()
  root:add(f.protocol, buffer(0, 4))
  root:add(f.sequence, buffer(4, 4))
  root:add(f.bytes, buffer(8, 4))
  root:add(f.fragments, buffer(12, 2))
  root:add(f.op, buffer(14, 1))
  root:add(f.mask, buffer(16, 8))
  local what, first, message = ops[op] or "op " .. op, true, nil
  if op == NACK then
    first = false
  elseif count > 0 then
    local fragment = only_fragment(buffer)
    if fragment and fragment <= count then
      root:add(f.fragment, buffer(16, 8), fragment):set_generated()
      what = what .. ", fragment " .. fragment .. " of " .. count
      first = fragment == 1
      if blast.prefs.reassemble and bytes > 0 and bytes <= buffer:len() - BLAST_BYTES then
        message = collect(buffer, pinfo, fragment, count, bytes)
      end
    else
      root:add_proto_expert_info(bad_mask)
      first = false
    end
  end
  if op ~= NACK and bytes > buffer:len() - BLAST_BYTES then
    root:add_proto_expert_info(bad_length)
  end
  root:append_text(", " .. what)
  pinfo.cols.info = "BLAST " .. what .. ", sequence " .. buffer(4, 4):uint()
  if message and message.last == pinfo.number then
    together(message, number, pinfo, root, tree)
  elseif message and message.last then
    root:add(f.together_in, message.last):set_generated()
    Dissector.get("data"):call(rest(buffer, BLAST_BYTES), pinfo, tree)
  -- Behind the first fragment's header is the upper protocol's; the others have what goes on.
  elseif first then
    up("blast", number, buffer, BLAST_BYTES, pinfo, tree)
  elseif rest(buffer, BLAST_BYTES) then
    Dissector.get("data"):call(rest(buffer, BLAST_BYTES), pinfo, tree)
  end
  return buffer:len()
end

-- BIDCTL

local c = {
  query = ProtoField.bool("bidctl.query", "QUERY", 16, nil, 0x1),
  response = ProtoField.bool("bidctl.response", "RESPONSE", 16, nil, 0x2),
  broadcast = ProtoField.bool("bidctl.bcast", "BCAST", 16, nil, 0x4),
  checksum = ProtoField.uint16("bidctl.checksum", "Checksum", base.HEX),
  source = ProtoField.uint32("bidctl.source", "Source boot id", base.HEX),
  destination = ProtoField.uint32("bidctl.destination", "Destination boot id", base.HEX),
  request = ProtoField.uint32("bidctl.request", "Request tag", base.HEX),
  reply = ProtoField.uint32("bidctl.reply", "Reply tag", base.HEX),
}
bidctl.fields = { c.query, c.response, c.broadcast, c.checksum, c.source, c.destination,
  c.request, c.reply }

function bidctl.dissector(buffer, pinfo, tree)
  local root = header(bidctl, BIDCTL_BYTES, buffer, pinfo, tree)
  if not root then return 0 end
  for _, field in ipairs({ c.query, c.response, c.broadcast }) do
    root:add(field, buffer(0, 2))
  end
  root:add(c.checksum, buffer(2, 2))
  root:add(c.source, buffer(4, 4))
  root:add(c.destination, buffer(8, 4))
  root:add(c.request, buffer(12, 4))
  root:add(c.reply, buffer(16, 4))
  local flags, said = buffer(0, 2):uint(), {}
  for n, name in ipairs({ "QUERY", "RESPONSE", "BCAST" }) do
    if bit.band(bit.rshift(flags, n - 1), 1) == 1 then said[#said + 1] = name end
  end
  pinfo.cols.info = "BIDCTL " .. table.concat(said, " ")
  return buffer:len()
end

-- BID

local b = {
  source = ProtoField.uint32("bid.source", "Source boot id", base.HEX),
  destination = ProtoField.uint32("bid.destination", "Destination boot id", base.HEX),
  protocol = ProtoField.uint32("bid.upper", "Upper protocol", base.DEC, { [BID_CHAN] = "CHAN" }),
}
bid.fields = { b.source, b.destination, b.protocol }

function bid.dissector(buffer, pinfo, tree)
  local root = header(bid, BID_BYTES, buffer, pinfo, tree)
  if not root then return 0 end
  root:add(b.source, buffer(0, 4))
  root:add(b.destination, buffer(4, 4))
  root:add(b.protocol, buffer(8, 4))
  pinfo.cols.info = "BID"
  up("bid", buffer(8, 4):uint(), buffer, BID_BYTES, pinfo, tree)
  return buffer:len()
end

-- CHAN

local flag_names = { "FROM_CLIENT", "USER_MSG", "ACK_REQUESTED", "NEGATIVE_ACK" }
local h = {
  channel = ProtoField.uint16("chan.channel", "Channel", base.DEC),
  flags = ProtoField.uint8("chan.flags", "Flags", base.HEX),
  from_client = ProtoField.bool("chan.flags.from_client", "FROM_CLIENT", 8, nil, 0x1),
  user_msg = ProtoField.bool("chan.flags.user_msg", "USER_MSG", 8, nil, 0x2),
  ack_requested = ProtoField.bool("chan.flags.ack_requested", "ACK_REQUESTED", 8, nil, 0x4),
  negative_ack = ProtoField.bool("chan.flags.negative_ack", "NEGATIVE_ACK", 8, nil, 0x8),
  protocol = ProtoField.uint32("chan.upper", "Upper protocol", base.DEC,
    { [CHAN_MSELECT] = "MSELECT" }),
  sequence = ProtoField.uint32("chan.sequence", "Sequence", base.DEC),
  bytes = ProtoField.uint32("chan.bytes", "Bytes", base.DEC),
}
chan.fields = { h.channel, h.flags, h.from_client, h.user_msg, h.ack_requested, h.negative_ack,
  h.protocol, h.sequence, h.bytes }

local USER_MSG = 2

function chan.dissector(buffer, pinfo, tree)
  local root = header(chan, CHAN_BYTES, buffer, pinfo, tree)
  if not root then return 0 end
  root:add(h.channel, buffer(0, 2))
  local flags = root:add(h.flags, buffer(3, 1))
  for _, field in ipairs({ h.from_client, h.user_msg, h.ack_requested, h.negative_ack }) do
    flags:add(field, buffer(3, 1))
  end
  root:add(h.protocol, buffer(4, 4))
  root:add(h.sequence, buffer(8, 4))
  root:add(h.bytes, buffer(12, 4))
  local value, said = buffer(3, 1):uint(), {}
  for n, name in ipairs(flag_names) do
    if bit.band(bit.rshift(value, n - 1), 1) == 1 then said[#said + 1] = name end
  end
  pinfo.cols.info = "CHAN " .. buffer(0, 2):uint() .. ", call " .. buffer(8, 4):uint() .. ": "
    .. table.concat(said, " ")
  if bit.band(value, USER_MSG) ~= 0 then
    up("chan", buffer(4, 4):uint(), buffer, CHAN_BYTES, pinfo, tree)
  end
  return buffer:len()
end

-- MSELECT

local m = {
  procedure = ProtoField.uint32("mselect.procedure", "Procedure", base.DEC),
  status = ProtoField.uint32("mselect.status", "Status", base.DEC,
    { [0] = "none, a call", "OK", "FAIL" }),
}
mselect.fields = { m.procedure, m.status }

function mselect.dissector(buffer, pinfo, tree)
  local root = header(mselect, MSELECT_BYTES, buffer, pinfo, tree)
  if not root then return 0 end
  root:add(m.procedure, buffer(0, 4))
  root:add(m.status, buffer(4, 4))
  pinfo.cols.info:append(", procedure " .. buffer(0, 4):uint())
  if rest(buffer, MSELECT_BYTES) then
    Dissector.get("data"):call(rest(buffer, MSELECT_BYTES), pinfo, tree)
  end
  return buffer:len()
end

local ip = DissectorTable.get("ip.proto")
ip:add(IP_BLAST, blast)
ip:add(IP_BIDCTL, bidctl)
uppers.blast:add(BLAST_BID, bid)
uppers.bid:add(BID_CHAN, chan)
uppers.chan:add(CHAN_MSELECT, mselect)
