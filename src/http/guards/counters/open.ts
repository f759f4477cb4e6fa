import type { Config } from '../../../config.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Counters } from './counters.ts';
import { processCounters } from './process.ts';
import { shareCounters } from './shared.ts';

type Place = Pick<Config, 'redisUrl'> & Readonly<{ isWorker: boolean; log: Log }>;

/** In Redis if there is one; without it, together with the other workers; without those, in this process. */
export async function openCounters({ redisUrl, isWorker, log }: Place): Promise<Counters> {
  const otherwise = isWorker ? await openPrimaryCounters(log) : processCounters();
  if (redisUrl === null) return otherwise;
  // Loaded here: most who serve from one machine need no client for it.
  const { connectRedis } = await import('./redis.ts');
  return await shareCounters({ where: 'Redis', connect: () => connectRedis(redisUrl), otherwise, log });
}

async function openPrimaryCounters(log: Log): Promise<Counters> {
  const { PRIMARY_MS_MAX, primaryCounters } = await import('./workers.ts');
  return await shareCounters({
    where: 'the primary process',
    connect: primaryCounters(),
    otherwise: processCounters(),
    answerMsMax: PRIMARY_MS_MAX,
    log,
  });
}
