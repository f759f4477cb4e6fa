import type { Config } from '../../../config.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Counters } from './counters.ts';
import { processCounters } from './process.ts';
import { withFallback } from './shared.ts';

type CounterOptions = Pick<Config, 'redisUrl'> &
  Readonly<{
    isWorker: boolean;
    /** A worker's socket to the primary process. */
    counterFd?: number | null;
    log: Log;
    /** The longest that a request waits for Redis, unless the default suits. */
    countMsMax?: number | undefined;
  }>;

/** Counts in Redis if configured, otherwise together with the other workers, otherwise in this process. */
export async function openCounters({
  redisUrl,
  isWorker,
  counterFd = null,
  log,
  countMsMax,
}: CounterOptions): Promise<Counters> {
  const fallback = isWorker ? await openPrimaryCounters(counterFd, log) : processCounters();
  if (redisUrl === null) return fallback;
  // Loaded here: most servers do not use Redis.
  const { connectRedis } = await import('./redis.ts');
  const connect = () => connectRedis(redisUrl);
  return await withFallback({ name: 'Redis', connect, fallback, log, countMsMax });
}

async function openPrimaryCounters(counterFd: number | null, log: Log): Promise<Counters> {
  const { connectPrimary, PRIMARY_MS_MAX } = await import('./workers.ts');
  return await withFallback({
    name: 'primary process',
    connect: connectPrimary(counterFd),
    fallback: processCounters(),
    log,
    countMsMax: PRIMARY_MS_MAX,
    isOneAtATime: true,
  });
}
