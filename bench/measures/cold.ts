// Uncached reads from databases of different sizes.
import { randomInt } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { type Block, coldOf, feedPath, fillStatements, versionPath } from '../data/datasets.ts';
import type { PostgresData } from '../data/postgres-data.ts';
import type { SqliteData } from '../data/sqlite-data.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectFor } from '../rounds/subjects.ts';
import { pin } from '../servers/cores.ts';
import { type Server, startOurs } from '../servers/servers.ts';

/** Enough to be spread all over the tables. */
const PATHS = 10_000;
/** Fewer than the smaller databases have products, because concurrent requests for the same product share a query. */
const CONNECTIONS = 32;
/** The baseline: a size that fits into every cache. */
const SMALL = 1_000;
const LARGE = 1_000_000;

type Engine = Readonly<{
  name: string;
  id: string;
  start: (versions: number) => Promise<Server>;
  pids: number[];
}>;
type ColdOptions = Readonly<{
  sizes: readonly number[];
  /** Whether to measure repeated reads of a single feed too. */
  withSame: boolean;
  onProgress: (text: string) => void;
}>;

export async function prepareCold(
  scope: Scope,
  data: SqliteData,
  postgres: PostgresData,
  options: ColdOptions,
): Promise<Subject[]> {
  const start = (url: string) => startOurs(scope, { DATABASE_URL: url, CACHE_MAX_MB: '0' });
  const engines: Engine[] = [
    {
      name: 'SQLite',
      id: 'sqlite',
      start: async (versions) => {
        const file = data.fileFor(coldOf(versions));
        await readThrough(file);
        return await start(`sqlite:${file}`);
      },
      pids: [],
    },
    {
      name: 'PostgreSQL',
      id: 'postgres',
      start: async (versions) =>
        await start(await postgres.urlFor(`cold_${versions}`, fillStatements(coldOf(versions)))),
      pids: [postgres.server.pid()],
    },
  ];
  const subjects: Subject[] = [];
  for (const engine of engines) {
    for (const versions of options.sizes) {
      options.onProgress(`cold reads: ${count(versions)} versions on ${engine.name}`);
      const server = await engine.start(versions);
      for (const spec of requestsFor(scope, engine, server, versions, options)) {
        subjects.push((await subjectFor(spec)).subject);
      }
    }
  }
  // PostgreSQL runs on the server's core.
  pin('server', postgres.server.pid());
  return subjects;
}

function requestsFor(
  scope: Scope,
  engine: Engine,
  server: Server,
  versions: number,
  { sizes, withSame }: ColdOptions,
): RequestSpec[] {
  const [block] = coldOf(versions) as [Block];
  const small = sizes.includes(SMALL) ? SMALL : Math.min(...sizes);
  const group = `Cold, ${engine.name}`;
  const asked = { group, server, status: 200, alsoPids: engine.pids, connections: CONNECTIONS };
  const id = (size: number, what: string) => `cold-${engine.id}-${size}-${what}`;
  const compared = (what: string) => (versions === small ? {} : { comparedWith: id(small, what) });
  const among = `${count(versions)} in the database`;
  const products = shuffled(block.products);
  const productAt = (index: number) => products[index % products.length] as number;
  const feeds = writePaths(scope, PATHS, (index) => feedPath(block.slug, productAt(index)));
  const ones = writePaths(scope, PATHS, (index) =>
    versionPath(block, productAt(index), 1 + randomInt(block.versions)),
  );
  const specs = [
    {
      ...asked,
      ...compared('feed'),
      ...(versions === LARGE && { goal: { atLeast: 0.8 } }),
      id: id(versions, 'feed'),
      name: `feeds of ${block.versions} versions, ${among}`,
      target: { pathsFile: feeds },
      example: feedPath(block.slug, 1),
    },
    {
      ...asked,
      ...compared('same'),
      id: id(versions, 'same'),
      name: `the same feed of ${block.versions} versions, ${among}`,
      target: { path: feedPath(block.slug, 1) },
      example: feedPath(block.slug, 1),
    },
    {
      ...asked,
      ...compared('version'),
      id: id(versions, 'version'),
      name: `one version, ${among}`,
      target: { pathsFile: ones },
      example: versionPath(block, 1, 1),
    },
  ];
  return withSame ? specs : specs.filter((spec) => spec.id !== id(versions, 'same'));
}

export function writePaths(scope: Scope, count: number, pathOf: (index: number) => string): string {
  const file = path.join(temporaryFolder(scope), 'paths');
  writeFileSync(file, `${Array.from({ length: count }, (_, index) => pathOf(index)).join('\n')}\n`);
  return file;
}

/** Loads the file into the page cache, so that the disk is not measured. */
async function readThrough(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 2 ** 20 }));
}

/** The numbers from 1 to `count` in random order. */
function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [numbers[last], numbers[other]] = [numbers[other] as number, numbers[last] as number];
  }
  return numbers;
}

const count = (number: number) => number.toLocaleString('en');
