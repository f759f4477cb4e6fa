-- The requests of wrk, and its report. Arguments after `--`:
--   (none)                     the URL as it is
--   paths FILE SEED            the paths in a file, in order, from a random start
--   random BEFORE AFTER SEED   a new random path each time
--   clients COUNT SEED         the URL, from each of so many client addresses in turn, as a proxy forwards them

local LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

local function in_order(file)
  local paths, requests = {}, {}
  for path in io.lines(file) do paths[#paths + 1] = path end
  local last = math.random(#paths)
  return function()
    last = last % #paths + 1
    requests[last] = requests[last] or wrk.format('GET', paths[last])
    return requests[last]
  end
end

local function random_path(before, after)
  return function()
    local slug = {}
    for index = 1, 20 do
      local letter = math.random(#LETTERS)
      slug[index] = LETTERS:sub(letter, letter)
    end
    return wrk.format('GET', before .. table.concat(slug) .. after)
  end
end

local function of_clients(count)
  local requests, last = {}, math.random(count)
  return function()
    last = last % count + 1
    if not requests[last] then
      local address = string.format('10.%d.%d.%d', math.floor(last / 65536), math.floor(last / 256) % 256, last % 256)
      wrk.headers['X-Forwarded-For'] = address
      requests[last] = wrk.format('GET')
    end
    return requests[last]
  end
end

function init(args)
  if #args == 0 then return end
  math.randomseed(tonumber(args[#args]))
  if args[1] == 'paths' then request = in_order(args[2]) end
  if args[1] == 'random' then request = random_path(args[2], args[3]) end
  if args[1] == 'clients' then request = of_clients(tonumber(args[2])) end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"rejected":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
