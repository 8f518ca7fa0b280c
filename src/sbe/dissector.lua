-- The fixed part of the dissector that "causeway sbe dissector" writes: the tables of the schemas stand before it.
-- Every count and length is checked against the frame before it is believed.

local order_big, order_little = 0xEB50, 0x50EB
local framing_size = 6
local malformed = ProtoExpert.new("causeway.malformed", "Malformed message", expert.group.MALFORMED, expert.severity.ERROR)
local unknown = ProtoExpert.new("causeway.unknown", "Unknown schema or template", expert.group.UNDECODED, expert.severity.WARN)
local f_length = ProtoField.uint32("causeway.frame_length", "Frame length")
local f_encoding = ProtoField.uint16("causeway.encoding_type", "Encoding type", base.HEX)
local f_message = ProtoField.string("causeway.message", "Message")
local f_trailing = ProtoField.bytes("causeway.trailing", "Appended by a newer version")
local proto = Proto("causeway", "SBE in Simple Open Framing")
local all = { f_length, f_encoding, f_message, f_trailing }
for _, field in ipairs(fields) do all[#all + 1] = field end
proto.fields = all
proto.experts = { malformed, unknown }

local function unsigned(tvb, at, field, little)
  local range = tvb(at + field.offset, field.size)
  if little then return range:le_uint() end
  return range:uint()
end

local function add(tree, field, range, little)
  if little then return tree:add_le(field, range) end
  return tree:add(field, range)
end

-- The names of the bits that are set.
local function choices(range, spec, little)
  local names = {}
  for _, choice in ipairs(spec.choices) do
    local byte = math.floor(choice.bit / 8)
    if not little then byte = spec.size - 1 - byte end
    if math.floor(range(byte, 1):uint() / 2 ^ (choice.bit % 8)) % 2 == 1 then names[#names + 1] = choice.name end
  end
  return table.concat(names, ", ")
end

local function add_fields(tree, tvb, at, specs, state)
  for _, spec in ipairs(specs) do
    if spec.since > state.version then
      -- The writer's version does not have it.
    elseif spec.constant then
      tree:add(tvb(at, 0), spec.name .. ": " .. spec.constant .. " (constant)")
    else
      local range = tvb(at + spec.offset, spec.size)
      if spec.element then
        local list = tree:add(range, spec.name)
        for place = 0, spec.size - spec.element, spec.element do
          add(list, spec.field, range(place, spec.element), state.little)
        end
      else
        local item = add(tree, spec.field, range, state.little)
        if spec.choices then item:append_text(" (" .. choices(range, spec, state.little) .. ")") end
        if spec.null and range:bytes():tohex(true) == spec.null then item:set_text(spec.name .. ": null") end
      end
    end
  end
end

-- Moves over so many bytes; nil and an expert item when they are not there.
local function take(tree, state, size, name)
  local at = state.at
  if size > state.limit - at then
    tree:add_proto_expert_info(malformed, name .. ": " .. size .. " bytes do not fit into the " .. (state.limit - at) .. " that are left")
    return nil
  end
  state.at = at + size
  return at
end

local add_section

local function add_group(tree, tvb, group, state)
  local at = take(tree, state, group.size, group.name)
  if at == nil then return false end
  local block = unsigned(tvb, at, group.block_length, state.little)
  local count = unsigned(tvb, at, group.num_in_group, state.little)
  local list = tree:add(tvb(at, group.size), group.name .. ": " .. count .. " entries")
  if count * math.max(block, 1) > state.limit - state.at then
    list:add_proto_expert_info(malformed, group.name .. ": " .. count .. " entries do not fit")
    return false
  end
  for index = 1, count do
    local start = state.at
    local entry = list:add(tvb(start, 0), group.name .. " " .. index)
    if not add_section(entry, tvb, group, block, state) then return false end
    entry:set_len(state.at - start)
  end
  list:set_len(state.at - at)
  return true
end

local function add_data(tree, tvb, data, state)
  local at = take(tree, state, data.offset, data.name)
  if at == nil then return false end
  local size = unsigned(tvb, at, data.length, state.little)
  local start = take(tree, state, size, data.name)
  if start == nil then return false end
  tree:add(data.field, tvb(start, size))
  return true
end

function add_section(tree, tvb, section, block, state)
  local at = take(tree, state, block, section.name)
  if at == nil then return false end
  local needed = 0
  for _, spec in ipairs(section.fields) do
    if spec.since <= state.version then needed = math.max(needed, spec.offset + spec.size) end
  end
  if block < needed then
    tree:add_proto_expert_info(malformed, section.name .. ": a block of " .. block .. " bytes, version " .. state.version .. " needs " .. needed)
    return false
  end
  add_fields(tree, tvb, at, section.fields, state)
  for _, group in ipairs(section.groups) do
    if group.since <= state.version and not add_group(tree, tvb, group, state) then return false end
  end
  for _, data in ipairs(section.data) do
    if data.since <= state.version and not add_data(tree, tvb, data, state) then return false end
  end
  return true
end

-- The schema whose header, in its own shape, has its id.
local function schema_at(tvb, at, limit)
  for _, schema in ipairs(schemas) do
    if at + schema.header_size <= limit and unsigned(tvb, at, schema.header.schema_id, schema.little) == schema.id then return schema end
  end
  return nil
end

local function add_message(tvb, pinfo, tree, at, limit)
  local schema = schema_at(tvb, at, limit)
  if schema == nil then
    tree:add_proto_expert_info(unknown)
    return
  end
  local header = schema.header
  local template = unsigned(tvb, at, header.template_id, schema.little)
  local version = unsigned(tvb, at, header.version, schema.little)
  local block = unsigned(tvb, at, header.block_length, schema.little)
  local list = tree:add(tvb(at, schema.header_size), schema.header_name)
  add_fields(list, tvb, at, schema.header_fields, { version = version, little = schema.little })
  local message = schema.messages[template]
  if message == nil then
    tree:add_proto_expert_info(unknown)
    return
  end
  tree:append_text(", " .. message.name .. " (" .. template .. ")")
  tree:add(f_message, message.name):set_generated()
  pinfo.cols.info:append(" " .. message.name)
  local state = { at = at + schema.header_size, limit = limit, version = version, little = schema.little }
  local body = tree:add(tvb(at, limit - at), message.name .. " (" .. template .. "), version " .. version)
  if not add_section(body, tvb, message, block, state) then return end
  if state.at < limit then body:add(f_trailing, tvb(state.at, limit - state.at)) end
end

local function is_little(tvb, at)
  return tvb(at + 4, 2):uint() == order_little
end

local function frame_length(tvb, _, at)
  local range = tvb(at, 4)
  local length = is_little(tvb, at) and range:le_uint() or range:uint()
  return math.max(length, framing_size)
end

local function dissect_frame(tvb, pinfo, tree)
  pinfo.cols.protocol = "SBE"
  local frame = tree:add(proto, tvb())
  local little = is_little(tvb, 0)
  add(frame, f_length, tvb(0, 4), little)
  add(frame, f_encoding, tvb(4, 2), little)
  add_message(tvb, pinfo, frame, framing_size, tvb:len())
  return tvb:len()
end

local function dissect_stream(tvb, pinfo, tree)
  pinfo.cols.info:set("")
  dissect_tcp_pdus(tvb, tree, framing_size, frame_length, dissect_frame)
  return tvb:len()
end

proto.dissector = dissect_stream

-- Any connection whose first message is framed so and has a known schema; "Decode As" takes the others.
proto:register_heuristic("tcp", function(tvb, pinfo, tree)
  if tvb:len() < framing_size then return false end
  local encoding = tvb(4, 2):uint()
  if encoding ~= order_big and encoding ~= order_little then return false end
  if schema_at(tvb, framing_size, tvb:len()) == nil then return false end
  -- The function itself: through proto.dissector, frames that go on in the next segment would not be put together.
  dissect_stream(tvb, pinfo, tree)
  pinfo.conversation = proto
  return true
end)
DissectorTable.get("tcp.port"):add_for_decode_as(proto)
