// `npm run bench`: everything in one run, with a table at the end. `-- --quick` takes less than a minute, and
// `-- --only cached,workers` runs parts of it and writes no files. `npm run bench load` and `npm run bench compare` are separate
// benchmarks with their own tables.
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBundle } from '../cluster/bundle.ts';
import { ensureServers } from '../cluster/debian.ts';
import '../cluster/exits.ts';
import { outputClosed } from '../cluster/output.ts';
import { openScope, removeFolder, type Scope, temporaryFolder } from '../cluster/scope.ts';
import { compare } from './compare.ts';
import { type Block, coldOf, feedPath, fillStatements, HOT, hotAmong } from './data/datasets.ts';
import { DATA_FOLDER, type EngineData } from './data/engine-data.ts';
import { openPostgresData } from './data/postgres-data.ts';
import { openSqliteData, type SqliteData } from './data/sqlite-data.ts';
import { measureBulk } from './measures/bulk.ts';
import { prepareFiltered } from './measures/filtered.ts';
import { measureFlood } from './measures/flood.ts';
import { prepareFront } from './measures/front.ts';
import { prepareHot } from './measures/hot.ts';
import { prepareFirstPages } from './measures/pages.ts';
import { measureParameters } from './measures/parameters.ts';
import { measureFullCache, measureIdle, measureNotes, measureStart } from './measures/process.ts';
import { prepareUncached, writePaths } from './measures/uncached.ts';
import { prepareWorkers } from './measures/workers.ts';
import { writeResults } from './report/documents.ts';
import { describeMachine } from './report/machine.ts';
import { computeFigures, type Measure } from './report/results.ts';
import { renderTables } from './report/table.ts';
import { measureInRounds, type Subject } from './rounds/rounds.ts';
import { CONNECTIONS } from './rounds/wrk.ts';

const FULL = {
  rounds: 7,
  milliseconds: 1_000,
  leadMilliseconds: 250,
  warmUpMilliseconds: 2_000,
  productsAmong: 100_000,
  versions: 100_000,
  longVersions: 100_000,
  filteredVersions: 50_000,
  responses: 200,
  bulkVersions: 20_000,
  bulkRounds: 3,
  starts: 10,
  slugs: 300_000,
  floodSecondsMax: 60,
};
const QUICK: typeof FULL = {
  ...FULL,
  rounds: 2,
  milliseconds: 100,
  leadMilliseconds: 50,
  warmUpMilliseconds: 200,
  productsAmong: 1_000,
  versions: 10_000,
  longVersions: 10_000,
  filteredVersions: 5_000,
  responses: 10,
  bulkVersions: 1_000,
  bulkRounds: 1,
  starts: 1,
  slugs: 10_000,
  floodSecondsMax: 2,
};
/** In the order of docs/performance.md. */
const PARTS = {
  cached: measureCached,
  workers: async ({ databaseUrl }: Data) => {
    await inRounds('workers', (inner) => prepareWorkers(inner, databaseUrl));
  },
  uncached: async ({ engines }: Data) => {
    await inRounds('not cached', (inner) =>
      prepareUncached(inner, engines, { versions: options.versions, onProgress: say }),
    );
  },
  pages: async ({ engines }: Data) => {
    await inRounds('pages', (inner) =>
      prepareFirstPages(inner, engines, { versions: options.longVersions, onProgress: say }),
    );
  },
  filtered: async ({ engines }: Data) => {
    await inRounds('filtered', (inner) =>
      prepareFiltered(inner, engines, { versions: options.filteredVersions, onProgress: say }),
    );
  },
  parameters: async ({ engines }: Data) => {
    const { responses } = options;
    measures.push(
      ...(await measureParameters(engines, { versions: options.longVersions, responses, onProgress: say })),
    );
  },
  process: measureProcess,
  bulk: async ({ sqlite }: Data) => {
    const { bulkVersions: versions, bulkRounds: rounds } = options;
    measures.push(...(await measureBulk(scope, sqlite, { versions, rounds, onProgress: say })));
  },
  flood: async ({ databaseUrl }: Data) => {
    const { slugs, floodSecondsMax: secondsMax } = options;
    measures.push(...(await measureFlood(scope, databaseUrl, { slugs, secondsMax, onProgress: say })));
  },
};
type Part = keyof typeof PARTS;
const ALL_PARTS = Object.keys(PARTS) as Part[];
const ON_BOTH_ENGINES: readonly Part[] = ['uncached', 'pages', 'filtered', 'parameters'];
const USAGE = `usage: npm run bench -- [--quick] [--fresh] [--rounds N] [--only ${ALL_PARTS.join(',')}]
       npm run bench load [RESPONSES]
       npm run bench compare CHECKOUT [--quick] [--rounds N] [--only cached]
`;

/** `file` has the content of cached reads. */
type Data = Readonly<{
  sqlite: SqliteData;
  engines: readonly EngineData[];
  file: string;
  databaseUrl: string;
}>;

const { separate, given, quick, fresh, only, rounds } = readFlags();
const options = { ...(quick ? QUICK : FULL), ...(rounds !== null && { rounds }) };
const startedAt = performance.now();
const measures: Measure[] = [];
const scope = openScope();
outputClosed().then(() => process.exit(1));
if (separate === 'load') {
  // Loaded on demand, because it uses the test databases, and the test runner prints a summary at exit.
  await (await import('./load.ts')).printLoad(given === undefined ? undefined : Number(given));
  // Exit before the test runner prints a summary of zero tests.
  process.exit();
}
await benchAll();

async function benchAll(): Promise<void> {
  try {
    await ensureServers(['wrk', 'nginx', 'postgres', 'redis']);
    if (separate === 'compare') measures.push(...(await compareWith(given as string)));
    else await measureAll();
    const figures = computeFigures(measures);
    process.stdout.write(`${renderTables({ figures })}\n`);
    if (only === null && separate === undefined) {
      const settings = { quick, ...options, connections: CONNECTIONS };
      writeResults({ date: new Date().toISOString(), machine: describeMachine(), settings, figures });
      say('wrote bench/results.json, docs/performance.md and docs/performance.svg');
    }
    say('done');
  } catch (error) {
    process.stdout.write(`${renderTables({ figures: computeFigures(measures) })}\n`);
    say(`failed: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await scope.close();
  }
}

function compareWith(checkout: string): Promise<Measure[]> {
  const { bulkVersions: versions, bulkRounds: writeRounds } = options;
  const onlyCached = only?.join() === 'cached';
  return compare(scope, checkout, {
    ...options,
    versions,
    writtenVersions: versions / 2,
    writeRounds,
    onlyCached,
    say,
  });
}

async function measureAll(): Promise<void> {
  say('setting up');
  await ensureBundle();
  if (fresh) removeFolder(DATA_FOLDER);
  const parts = only ?? ALL_PARTS;
  const needsPostgres = parts.some((part) => ON_BOTH_ENGINES.includes(part));
  const sqlite = await openSqliteData(scope);
  const engines = needsPostgres ? [sqlite, await openPostgresData(scope)] : [sqlite];
  const file = path.join(temporaryFolder(scope), 'hot.db');
  copyFileSync(sqlite.fileFor(fillStatements(HOT)), file);
  for (const part of parts) await PARTS[part]({ sqlite, engines, file, databaseUrl: `sqlite:${file}` });
}

async function measureCached({ sqlite, file, databaseUrl }: Data): Promise<void> {
  const products = options.productsAmong;
  const fileAmong = sqlite.fileFor(fillStatements(hotAmong(products)));
  await inRounds('cached', async (inner) => [
    ...(await prepareHot(inner, { file, fileAmong, products })),
    await prepareFront(inner, databaseUrl),
  ]);
}

async function measureProcess({ sqlite, databaseUrl }: Data): Promise<void> {
  say('start and memory');
  measures.push(...(await measureStart(databaseUrl, options.starts)), measureNotes(scope, options.starts));
  measures.push(await measureIdle(scope, databaseUrl));
  if (quick) return;
  const large = coldOf(options.versions);
  const [{ slug, products }] = large as [Block];
  const paths = writePaths(scope, products, (index) => feedPath(slug, index + 1));
  measures.push(await measureFullCache(scope, await sqlite.urlFor(fillStatements(large)), paths));
}

/** The servers of a part are stopped after it. */
async function inRounds(what: string, prepare: (inner: Scope) => Promise<Subject[]>): Promise<void> {
  const inner = openScope();
  try {
    const onRound = (round: number) =>
      say(round === 0 ? `${what}: warming up` : `${what}: round ${round} of ${options.rounds}`);
    measures.push(...(await measureInRounds(await prepare(inner), options, onRound)));
  } finally {
    await inner.close();
  }
}

type Flags = Readonly<{
  separate: 'load' | 'compare' | undefined;
  /** The argument of a separate benchmark. */
  given: string | undefined;
  quick: boolean;
  fresh: boolean;
  only: Part[] | null;
  rounds: number | null;
}>;

function readFlags(): Flags {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { quick: flag, fresh: flag, help: flag, only: { type: 'string' }, rounds: { type: 'string' } },
      allowPositionals: true,
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit();
    }
    const [separate, given] = positionals;
    if (separate !== undefined && separate !== 'load' && separate !== 'compare')
      throw new Error(`unknown benchmark "${separate}"`);
    if (separate === 'load' && given !== undefined && !(Number(given) >= 1))
      throw new Error('the argument of load must be a positive number');
    if (separate === 'compare' && values.only !== undefined && values.only !== 'cached')
      throw new Error('compare takes no part but cached');
    if (separate === 'compare' && given === undefined)
      throw new Error('compare needs the folder of a checkout');
    const rounds = values.rounds === undefined ? null : Number(values.rounds);
    if (rounds !== null && !(rounds >= 1)) throw new Error('--rounds must be a positive number');
    const parts = values.only?.split(',') ?? null;
    if (parts?.some((part) => !Object.hasOwn(PARTS, part)))
      throw new Error(`--only must be one or more of ${ALL_PARTS.join(', ')}`);
    return {
      separate,
      given,
      quick: values.quick,
      fresh: values.fresh,
      only: parts as Part[] | null,
      rounds,
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`);
    return process.exit(2);
  }
}

function say(text: string): void {
  process.stderr.write(
    `bench: ${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3)} s  ${text}\n`,
  );
}
