"""The scripts of the webhooks: each checks before it writes, and all its keys share one slot."""

ADD = """#!lua
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 or redis.call('EXISTS', KEYS[4]) == 1 then return 'known' end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('SADD', KEYS[3], ARGV[1])
if ARGV[4] ~= '' then redis.call('SET', KEYS[4], ARGV[4], 'EX', ARGV[5]) end
return 'added'
"""
CHANGE = """#!lua
if redis.call('EXISTS', KEYS[2]) == 1 then return 2 end
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[5]) end
return 1
"""
DELIVER = """#!lua
if redis.call('EXISTS', KEYS[1], KEYS[5]) > 0 then return 'known' end
if redis.call('SCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'full' end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('EXPIRE', KEYS[3], ARGV[5])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[1])
if ARGV[7] ~= '' then redis.call('SET', KEYS[5], ARGV[7], 'EX', ARGV[8]) end
return 'added'
"""
SETTLE = """#!lua
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
if ARGV[4] == '' then
  redis.call('SREM', KEYS[3], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
else
  redis.call('SADD', KEYS[3], ARGV[1])
  redis.call('EXPIRE', KEYS[3], ARGV[5])
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[1])
end
return 1
"""
CLAIM = """#!lua
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], member) end
return due
"""
