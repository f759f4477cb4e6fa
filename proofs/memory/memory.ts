// The memory of a server with its default settings, while a mixed load fills its caches.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startNode } from '../../cluster/nodes.ts';
import { environmentOf } from '../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { memoryMb } from '../../support/processes/usage.ts';
import { apply, createKey, type Sandbox } from '../../support/program/command.ts';
import { contentOf, type WorldSize, writeOf } from './content.ts';
import { type MixedLoad, startMixedLoad } from './mixed-load.ts';

/** In the last third of the load. */
const PLATEAU_MB_MAX = 250;
const SAMPLE_EVERY_MS = 1_000;
const WRITE_EVERY_SAMPLES = 10;
/** A load that is refused proves nothing. */
const SERVED_MIN = 0.95;

/** As users start it: it sets how memory is allocated. */
const PROGRAM = path.resolve(import.meta.dirname, '../../bin/changelog');

/** The rate limit is beyond what the load can send, and the log beyond what this process should read. */
const SETTINGS = { PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'error' };

type World = Readonly<{ scope: Scope; sandbox: Sandbox; key: string; size: WorldSize }>;
type MemoryFigures = Readonly<{
  /** Once a second. */
  megabytes: readonly number[];
  statuses: MixedLoad['statuses'];
}>;

export async function createWorld(scope: Scope, size: WorldSize): Promise<World> {
  const sandbox = { folder: temporaryFolder(scope) };
  await apply(sandbox, contentOf(size));
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  return { scope, sandbox, key, size };
}

export async function measureMemory(
  { scope, sandbox, key, size }: World,
  isOver: (figures: MemoryFigures) => boolean,
): Promise<MemoryFigures> {
  const environment = { ...(await environmentOf(sandbox)), ...SETTINGS };
  const server = await startNode(scope, { main: PROGRAM, folder: sandbox.folder, environment });
  const load = startMixedLoad({ address: server.address, key, size });
  const megabytes: number[] = [];
  const figures = { megabytes, statuses: load.statuses };
  while (!isOver(figures)) {
    await delay(SAMPLE_EVERY_MS);
    megabytes.push(memoryMb(server.pid));
    if (megabytes.length % WRITE_EVERY_SAMPLES === 0) await apply(sandbox, writeOf(megabytes.length, size));
  }
  await load.stop();
  await server.stop();
  return figures;
}

export function lastThird<T>(samples: readonly T[]): readonly T[] {
  return samples.slice(Math.floor((samples.length * 2) / 3));
}

/** Everything that is not as promised, as text. */
export function violationsOf(
  { megabytes, statuses }: MemoryFigures,
  megabytesMax = PLATEAU_MB_MAX,
): string[] {
  const plateau = Math.max(...lastThird(megabytes));
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return [
    ...(plateau > megabytesMax ? [`${plateau.toFixed(0)} MB; at most ${megabytesMax} MB are allowed`] : []),
    ...((statuses[200] ?? 0) < all * SERVED_MIN
      ? [`too few responses with 200: ${JSON.stringify(statuses)}`]
      : []),
  ];
}
