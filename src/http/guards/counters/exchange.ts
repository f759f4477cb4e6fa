// Ten times a second a process tells the others what it counted, and at once if a request waits for them (R69).
import type { Config } from '../../../config.ts';
import { withTimeout } from '../../../timeout.ts';
import type { Log } from '../../telemetry/log.ts';
import {
  type Count,
  type Counters,
  type Decide,
  type Message,
  now,
  Tally,
  type Transport,
} from './counters.ts';
import { primaryTransport } from './workers.ts';

const EXCHANGE_MS = 100;
/** The longest that a request waits for an exchange. */
const COUNT_MS_MAX = 75;
const CONNECT_MS_MAX = 1_000;
const RETRY_MS = 250;
const COLUMNS = { clients: ['any'], passed: [1], waiting: [], ages: [0] };
const PROBE: Message = { kind: 'probe', max: 1, windowSeconds: 1, ...COLUMNS };

/** Counts together with the other nodes if Redis is configured, otherwise with the other workers, otherwise alone. */
export async function openCounters(
  { redisUrl, isWorker }: Pick<Config, 'redisUrl'> & Readonly<{ isWorker: boolean }>,
  log: Log,
  countMsMax?: number,
): Promise<Counters> {
  if (redisUrl === null) return isWorker ? await shareCounts(primaryTransport(), log) : processCounters();
  // Loaded here: most servers have no Redis.
  const { redisTransport } = await import('./redis.ts');
  return await shareCounts(redisTransport(redisUrl), log, countMsMax);
}

/** Counters of a process that is alone. */
export function processCounters(): Counters {
  const open: Counters['open'] = (allowance) => {
    const tally = new Tally(allowance);
    return (client, points) => tally.add(client, points, now()) as Count;
  };
  return { open, close: () => {} };
}

/**
 * After an exchange that fails or is late, this process counts alone, so that no request waits for what is down. Only
 * attempts in the background connect again.
 */
export async function shareCounts(transport: Transport, log: Log, countMsMax = COUNT_MS_MAX) {
  const senders: (() => unknown)[] = [];
  const timer = setInterval(() => senders.map((send) => send()), EXCHANGE_MS).unref();
  let isUp = true;
  let isClosed = false;

  const connect = () => verify(transport).then(countTogether, countAlone);

  function countTogether(): void {
    if (isClosed) return void transport.close();
    if (!isUp) log.info(`${transport.name} reachable again`);
    isUp = true;
  }

  function countAlone({ message: reason }: Error): void {
    transport.close();
    if (isClosed) return;
    // Log only the message: other properties of a client's error may contain commands, and so passwords.
    if (isUp) log.warn({ reason }, `${transport.name} unreachable: counting locally`);
    isUp = false;
    setTimeout(connect, RETRY_MS).unref();
  }

  const open: Counters['open'] = (allowance) => {
    const tally = new Tally(allowance, () => isUp);
    let waiting: (() => void)[] = [];
    const send = async () => {
      const sent = tally.collect(now());
      if (sent === null) return;
      const decisions = waiting;
      waiting = [];
      const reply = isUp ? withTimeout(transport.exchange(sent.message), countMsMax) : null;
      const sums = await reply?.catch((error) => void (isUp && countAlone(error)));
      tally.settle(sent, (isUp && sums) || null, now());
      // At once: the next reply counts those that pass.
      for (const decide of decisions) decide();
    };
    senders.push(send);
    const wait = (decide: Decide) => {
      // What waits in the same turn is one message.
      if (waiting.length === 0) setImmediate(send);
      return new Promise<Count>((resolve) => waiting.push(() => resolve(orWait(decide(now())))));
    };
    const orWait = (count: Count | Decide) => (typeof count === 'function' ? wait(count) : count);
    return (client, points) => orWait(tally.add(client, points, now()));
  };

  function close(): void {
    clearInterval(timer);
    isClosed = true;
    transport.close();
  }

  await connect();
  return { open, isShared: () => isUp, close };
}

/** Counting has to work and to be fast. The first count may have to connect and to load a script. */
export async function verify({ exchange }: Transport): Promise<void> {
  for (const msMax of [CONNECT_MS_MAX, COUNT_MS_MAX]) await withTimeout(exchange(PROBE), msMax);
}
