"""The script that trims a feed and remembers how far: what follows a cursor is there, or known to be gone."""

# KEYS: feed, mark (the last entry that was let go); ARGV: what has to stay from here on, ms that all is kept.
TRIM = """#!lua
local clock = redis.call('TIME')
local kept = string.format('%.0f-0', math.max(0, clock[1] * 1000 + math.floor(clock[2] / 1000) - ARGV[2]))
local function before(a, b)
  local a_ms, a_number = a:match('^(%d+)-(%d+)$')
  local b_ms, b_number = b:match('^(%d+)-(%d+)$')
  if #a_ms ~= #b_ms then return #a_ms < #b_ms end
  if a_ms ~= b_ms then return a_ms < b_ms end
  if #a_number ~= #b_number then return #a_number < #b_number end
  return a_number < b_number
end
local first = before(kept, ARGV[1]) and kept or ARGV[1]
if first == '0-0' then return 0 end
local gone = redis.call('XREVRANGE', KEYS[1], '(' .. first, '-', 'COUNT', 1)
if #gone == 0 then return 0 end
redis.call('XTRIM', KEYS[1], 'MINID', first)
redis.call('SET', KEYS[2], gone[1][1])
return 1
"""
