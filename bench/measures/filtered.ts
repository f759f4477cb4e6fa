// Reads that choose versions by the index of a changelog in memory, of different sizes.
import type { Scope } from '../../cluster/scope.ts';
import { feedPath } from '../data/datasets.ts';
import type { EngineData } from '../data/engine-data.ts';
import { LONG_SLUG, labelOf, longChangelog } from '../data/long.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../rounds/subjects.ts';
import { pin } from '../servers/cores.ts';
import { startOurs } from '../servers/servers.ts';
import { writePaths } from './uncached.ts';

const SMALL = 1_000;
const PATHS = 5_000;
const CONNECTIONS = 8;
/** For an index, and for far fewer responses than there are paths: each is made anew. */
const SMALL_CACHE = { CACHE_MAX_MB: '4', OPS_PORT: '0' };
/** Of processor time. */
const GOAL = { atMost: 6 };

const FEED = feedPath(LONG_SLUG, 1);
/** Makes every URL another one: a timestamp before the first version. */
const sinceLongAgo = (n: number) =>
  `since=2000-01-01T00:00:0${Math.floor(n / 1_000)}.${String(n % 1_000).padStart(3, '0')}Z`;
const middleOf = (versions: number) => labelOf(Math.floor(versions / 2));
const READS: Record<string, (n: number, versions: number) => string> = {
  'type in every 100th version': (n) => `?limit=20&type=removed&${sinceLongAgo(n)}`,
  'breaking in every 100th version': (n) => `?limit=20&breaking=true&${sinceLongAgo(n)}`,
  'from the middle': (n, versions) => `?limit=20&from=${middleOf(versions)}&${sinceLongAgo(n)}`,
  'update from the middle': (n, versions) => `/update?from=${middleOf(versions)}-rc.${n}`,
};

type FilteredOptions = Readonly<{ versions: number; onProgress: (text: string) => void }>;

export async function prepareFiltered(
  scope: Scope,
  engines: readonly EngineData[],
  { versions, onProgress }: FilteredOptions,
): Promise<Subject[]> {
  const specs: RequestSpec[] = [];
  for (const engine of engines)
    for (const size of [SMALL, versions]) {
      onProgress(`filtered: ${size.toLocaleString('en')} versions on ${engine.name}`);
      const DATABASE_URL = await engine.urlFor(longChangelog(size));
      const server = await startOurs(scope, { DATABASE_URL, ...SMALL_CACHE });
      for (const [name, queryOf] of Object.entries(READS))
        specs.push({
          id: `${engine.id}-${size}-${name}`,
          group: `Filtered, ${engine.name}`,
          name: `${name}, ${size.toLocaleString('en')} in all`,
          server,
          target: { pathsFile: writePaths(scope, PATHS, (n) => FEED + queryOf(n, size)) },
          example: FEED + queryOf(0, size),
          status: 200,
          connections: CONNECTIONS,
          isOneSize: false,
          alsoPids: engine.pids,
          ...(size !== SMALL && { comparedWith: `${engine.id}-${SMALL}-${name}`, isCost: true, goal: GOAL }),
        });
    }
  const subjects = await subjectsFor(specs);
  for (const pid of engines.flatMap(({ pids }) => pids)) pin('server', pid);
  return subjects;
}
