// Ten times a second a process tells the others what it counted, and at once if a request waits for them (R69).
import type { Config } from '../../../config.ts';
import { withTimeout } from '../../../timeout.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Counters, type Message, now, Tally, type Transport } from './counters.ts';

const EXCHANGE_MS = 100;
/** The longest that a request waits for an exchange. */
const COUNT_MS_MAX = 75;
const CONNECT_MS_MAX = 1_000;
const RETRY_MS = 250;
const PROBE: Message = { kind: 'probe', max: 1, windowSeconds: 1, parts: [['any', 1, 0, 0, 1_000]] };

/** Counts together with the other nodes if Redis is configured, otherwise with the other workers, otherwise alone. */
export async function openCounters(
  { redisUrl, isWorker }: Pick<Config, 'redisUrl'> & Readonly<{ isWorker: boolean }>,
  log: Log,
  countMsMax?: number,
): Promise<Counters> {
  if (redisUrl === null && !isWorker) return processCounters();
  // Loaded here: most servers have one process and no Redis.
  const transport =
    redisUrl === null
      ? (await import('./workers.ts')).primaryTransport()
      : (await import('./redis.ts')).redisTransport(redisUrl);
  return await shareCounts(transport, log, countMsMax);
}

/** Counters of a process that is alone. */
export function processCounters(): Counters {
  const open: Counters['open'] = (allowance) => {
    const tally = new Tally(allowance);
    return (client, points) => tally.add(client, points, now());
  };
  return { open, close: () => {} };
}

/**
 * After an exchange that fails or is late, this process counts alone, so that no request waits for what is down. Only
 * attempts in the background connect again.
 */
export async function shareCounts(transport: Transport, log: Log, countMsMax = COUNT_MS_MAX) {
  const tallies: Tally[] = [];
  let isUp = true;
  let isClosed = false;
  const timer = setInterval(send, EXCHANGE_MS).unref();

  const connect = () => verify(transport).then(countTogether, countAlone);

  function countTogether(): void {
    if (isClosed) return void transport.close();
    if (!isUp) log.info(`${transport.name} reachable again`);
    isUp = true;
    for (const tally of tallies) tally.isShared = true;
  }

  function countAlone({ message: reason }: Error): void {
    transport.close();
    if (isClosed) return;
    // Log only the message: other properties of a client's error may contain commands, and so passwords.
    if (isUp) log.warn({ reason }, `${transport.name} unreachable: counting locally`);
    isUp = false;
    for (const tally of tallies) {
      tally.isShared = false;
      tally.settle(tally.collect(now()), null, now());
    }
    setTimeout(connect, RETRY_MS).unref();
  }

  function send(): void {
    for (const tally of tallies) if (tally.isChanged) void exchange(tally);
  }

  async function exchange(tally: Tally): Promise<void> {
    const sent = tally.collect(now());
    const reply = await withTimeout(transport.exchange(sent.message), countMsMax).catch((error) => {
      if (isUp) countAlone(error);
    });
    tally.settle(sent, (isUp && reply) || null, now());
  }

  const open: Counters['open'] = (allowance) => {
    const tally = new Tally(allowance);
    tally.isShared = isUp;
    tallies.push(tally);
    return (client, points) => {
      const count = tally.add(client, points, now());
      // What waits in the same turn is one message: the later calls find nothing new.
      if (count instanceof Promise) setImmediate(send);
      return count;
    };
  };

  function close(): void {
    clearInterval(timer);
    send();
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
