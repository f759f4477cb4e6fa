import type { Config } from '../../../config.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Counters } from './counters.ts';
import { processCounters } from './process.ts';
import { withFallback } from './shared.ts';

type CounterOptions = Pick<Config, 'redisUrl'> & Readonly<{ isWorker: boolean; log: Log }>;

/** In Redis if there is one; without it, together with the other workers; without those, in this process. */
export async function openCounters({ redisUrl, isWorker, log }: CounterOptions): Promise<Counters> {
  const otherwise = isWorker ? await openPrimaryCounters(log) : processCounters();
  if (redisUrl === null) return otherwise;
  // Loaded here: most who serve from one machine need no client for it.
  const { connectRedis } = await import('./redis.ts');
  return await withFallback({ where: 'Redis', connect: () => connectRedis(redisUrl), otherwise, log });
}

async function openPrimaryCounters(log: Log): Promise<Counters> {
  const { PRIMARY_MS_MAX, primaryCounters } = await import('./workers.ts');
  return await withFallback({
    where: 'the primary process',
    connect: primaryCounters(),
    otherwise: processCounters(),
    answerMsMax: PRIMARY_MS_MAX,
    log,
  });
}
