#!lua
-- Appends commits to one match, all or none, once. Redis does not roll back: all is checked before the first write.
-- KEYS: log, head, answer, feed, listed, owed, idle, owned (all in one slot)
-- ARGV: expected version, expected hash, keyed (1|0), answer, seconds kept, job called for, match, new hash,
--       number of commits, number of fields, then record and secrets of each commit, then name and value of
--       each field (an empty value removes it)
if #KEYS ~= 8 then
  return redis.error_reply('ERR append: wrong number of keys')
end
-- The rows of a match in a list: all of a game and status, all of a game, all of a status, all. In the list of
-- own matches each begins with the owner.
local function rows(owner, place, game, status)
  game, status = game or '', status or ''
  local row = '/' .. place .. '/' .. game .. '/' .. status
  return owner .. game .. '/' .. status .. row, owner .. game .. '/' .. row, owner .. '/' .. status .. row, owner .. '/' .. row
end
local function list(key, owner, place, game, status)
  local of_both, of_game, of_status, of_all = rows(owner, place, game, status)
  redis.call('ZADD', key, 0, of_both, 0, of_game, 0, of_status, 0, of_all)
end
local kept = ARGV[3] == '1' and redis.call('GET', KEYS[3])
if kept then
  return {'done', kept}
end
for i, kind in ipairs({'stream', 'hash'}) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then
    return {'damaged', ({'its log', 'its head'})[i] .. ' is a ' .. found .. ', not a ' .. kind}
  end
end
local head = redis.call('HMGET', KEYS[2], 'version', 'hash', 'place', 'game', 'status', 'created')
local version, hash = head[1] or '0', head[2] or ''
local length, last = redis.call('XLEN', KEYS[1]), redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if length ~= tonumber(version) or (last and last[1] ~= version .. '-0') then
  local ends = last and ' that end at ' .. last[1] or ''
  return {'damaged', 'the head is at ' .. version .. ', the log has ' .. length .. ' entries' .. ends}
end
if ARGV[1] ~= version or ARGV[2] ~= hash then
  local missing = redis.call('XRANGE', KEYS[1], '(' .. ARGV[1] .. '-0', '+', 'COUNT', 500)
  return {'conflict', version, hash, missing, redis.call('HGETALL', KEYS[2])}
end
local commits, fields = tonumber(ARGV[9]), tonumber(ARGV[10])
if not commits or not fields or commits < 1 or #ARGV ~= 10 + 2 * commits + 2 * fields then
  return redis.error_reply('ERR append: wrong number of arguments')
end
local seconds = tonumber(ARGV[5])
if not seconds or seconds < 1 or seconds % 1 ~= 0 then
  return redis.error_reply('ERR append: wrong seconds')
end
-- Neither a wrong type nor a missing right may stop the writes below half-way.
redis.call('XLEN', KEYS[4])
redis.call('ZCARD', KEYS[5])
redis.call('ZCARD', KEYS[6])
redis.call('ZCARD', KEYS[7])
redis.call('ZCARD', KEYS[8])
local may = redis.acl_check_cmd
if not (may('TIME') and may('XADD', KEYS[1], '*', 'record', '') and may('HSET', KEYS[2], 'version', '')
    and may('HDEL', KEYS[2], 'seed') and may('SET', KEYS[3], '') and may('XADD', KEYS[4], '*', 'match', '')
    and may('ZADD', KEYS[5], '0', '') and may('ZREM', KEYS[5], '') and may('ZADD', KEYS[6], '0', '')
    and may('ZREM', KEYS[6], '') and may('ZADD', KEYS[7], '0', '') and may('ZREM', KEYS[7], '')
    and may('HGET', KEYS[2], 'status') and may('ZADD', KEYS[8], '0', '') and may('ZREM', KEYS[8], '')) then
  return redis.error_reply('NOPERM append: the user of the store lacks a right that an append needs')
end
local time = redis.call('TIME') -- of the store: whoever looks at what is idle or owed may have another
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
local first = tonumber(version) + 1
for i = 0, commits - 1 do
  local id = string.format('%d-0', first + i)
  redis.call('XADD', KEYS[1], id, 'record', ARGV[11 + 2 * i], 'secrets', ARGV[12 + 2 * i])
end
local last = string.format('%d', first + commits - 1)
redis.call('HSET', KEYS[2], 'version', last, 'hash', ARGV[8])
for i = 11 + 2 * commits, #ARGV, 2 do
  if string.sub(ARGV[i], 1, 6) == 'token:' then -- each token leads to its match
    local former = redis.call('HGET', KEYS[2], ARGV[i])
    if former then
      redis.call('ZREM', KEYS[8], 'token:' .. former .. '/' .. ARGV[7])
    end
    if ARGV[i + 1] ~= '' then
      redis.call('ZADD', KEYS[8], 0, 'token:' .. ARGV[i + 1] .. '/' .. ARGV[7])
    end
  end
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[i])
  else
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
  end
end
local place, game, status, owner, created =
  unpack(redis.call('HMGET', KEYS[2], 'place', 'game', 'status', 'owner', 'created'))
if ARGV[3] == '1' then
  redis.call('SET', KEYS[3], ARGV[4], 'EX', ARGV[5])
end
local seen_by = place and '*' or owner or '' -- everybody, one API key, or only who may see all
for i = first, first + commits - 1 do
  local calls = i == first + commits - 1 and ARGV[6] or ''
  redis.call('XADD', KEYS[4], '*', 'match', ARGV[7], 'version', string.format('%d', i), 'calls', calls, 'seen_by', seen_by)
end
if place and (place ~= head[3] or status ~= head[5]) then
  if head[3] then
    redis.call('ZREM', KEYS[5], rows('', head[3], head[4], head[5]))
  end
  list(KEYS[5], '', place, game, status)
end
if owner and created and (created ~= head[6] or status ~= head[5]) then
  if head[6] then
    redis.call('ZREM', KEYS[8], rows(owner .. '/', head[6], head[4], head[5]))
  end
  list(KEYS[8], owner .. '/', created, game, status)
end
if status == 'open' or status == 'playing' then
  redis.call('ZADD', KEYS[7], now, ARGV[7])
else
  redis.call('ZREM', KEYS[7], ARGV[7])
end
if ARGV[6] == '' then
  redis.call('ZREM', KEYS[6], ARGV[7])
else
  redis.call('ZADD', KEYS[6], now, ARGV[7])
end
return {'accepted'}
