import type { Config } from '../../../config.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Counters } from './counters.ts';
import { processCounters } from './process.ts';
import { withFallback } from './shared.ts';

type CounterOptions = Pick<Config, 'redisUrl'> & Readonly<{ isWorker: boolean; log: Log }>;

/** Counts in Redis if it is set, otherwise together with the other workers, otherwise in this process. */
export async function openCounters({ redisUrl, isWorker, log }: CounterOptions): Promise<Counters> {
  const fallback = isWorker ? await openPrimaryCounters(log) : processCounters();
  if (redisUrl === null) return fallback;
  // Loaded here: most servers do not use Redis.
  const { connectRedis } = await import('./redis.ts');
  return await withFallback({ name: 'Redis', connect: () => connectRedis(redisUrl), fallback, log });
}

async function openPrimaryCounters(log: Log): Promise<Counters> {
  const { PRIMARY_MS_MAX, primaryCounters } = await import('./workers.ts');
  return await withFallback({
    name: 'primary process',
    connect: primaryCounters(),
    fallback: processCounters(),
    countMsMax: PRIMARY_MS_MAX,
    log,
  });
}
