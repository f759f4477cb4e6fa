-- What wrk asks for, and what it reports. Arguments after `--`:
--   (none)                     the address as it is
--   paths FILE SEED            the paths in a file, in turn, from anywhere on
--   random BEFORE AFTER SEED   a path that nobody has asked for before

local LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

local function in_turn(file)
  local paths, requests = {}, {}
  for path in io.lines(file) do paths[#paths + 1] = path end
  local last = math.random(#paths)
  return function()
    last = last % #paths + 1
    requests[last] = requests[last] or wrk.format('GET', paths[last])
    return requests[last]
  end
end

local function ever_new(before, after)
  return function()
    local slug = {}
    for place = 1, 20 do
      local letter = math.random(#LETTERS)
      slug[place] = LETTERS:sub(letter, letter)
    end
    return wrk.format('GET', before .. table.concat(slug) .. after)
  end
end

function init(args)
  if #args == 0 then return end
  math.randomseed(tonumber(args[#args]))
  if args[1] == 'paths' then request = in_turn(args[2]) end
  if args[1] == 'random' then request = ever_new(args[2], args[3]) end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"refused":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
