// `npm run bench`: everything in one run, with a table at the end. `-- --quick` takes less than a minute, and
// `-- --only hot,cold` runs parts of it and writes no files. `npm run bench parameters`, `pages` and `load` are separate
// benchmarks with their own tables.
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureServers } from '../cluster/debian.ts';
import { openScope, temporaryFolder } from '../cluster/scope.ts';
import { type Block, coldOf, feedPath, HOT, hotAmong } from './data/datasets.ts';
import { openPostgresData } from './data/postgres-data.ts';
import { openSqliteData, type SqliteData } from './data/sqlite-data.ts';
import { measureBulk } from './measures/bulk.ts';
import { prepareCold, writePaths } from './measures/cold.ts';
import { measureFlood } from './measures/flood.ts';
import { prepareFront } from './measures/front.ts';
import { prepareHot } from './measures/hot.ts';
import { measureFullCache, measureIdle, measureStart } from './measures/process.ts';
import { printPages } from './pages.ts';
import { printParameters } from './parameters.ts';
import { writeResults } from './report/documents.ts';
import { describeMachine } from './report/machine.ts';
import { computeFigures, type Measure } from './report/results.ts';
import { renderTables } from './report/table.ts';
import { measureInRounds, type Subject } from './rounds/rounds.ts';
import { CONNECTIONS } from './rounds/wrk.ts';

const PARTS = ['hot', 'cold', 'bulk', 'process', 'flood'];
const FULL = {
  rounds: 10,
  milliseconds: 1_000,
  warmUpMilliseconds: 3_000,
  productsAmong: 100_000,
  coldVersions: [10, 1_000, 10_000, 1_000_000],
  bulkVersions: 100_000,
  bulkRounds: 3,
  bulkVersionsMany: 1_000_000,
  starts: 10,
  slugs: 1_000_000,
  floodSecondsMax: 300,
};
const QUICK: typeof FULL = {
  ...FULL,
  rounds: 3,
  milliseconds: 150,
  warmUpMilliseconds: 500,
  coldVersions: [10, 10_000],
  bulkVersions: 5_000,
  bulkRounds: 1,
  starts: 2,
  slugs: 50_000,
  floodSecondsMax: 4,
};
/** Benchmarks that run separately; each accepts a number. */
const SEPARATE = {
  parameters: printParameters,
  pages: printPages,
  // Loaded on demand, because it uses the test databases, and the test runner prints a summary at exit.
  load: async (count?: number) => (await import('./load.ts')).printLoad(count),
};
type Separate = keyof typeof SEPARATE;
const USAGE = `usage: npm run bench -- [--quick] [--fresh] [--rounds N] [--only ${PARTS.join(',')}]
       npm run bench parameters [VERSIONS]
       npm run bench pages [VERSIONS]
       npm run bench load [RESPONSES]
`;

const { separate, count, quick, fresh, only, rounds } = readFlags();
const options = { ...(quick ? QUICK : FULL), ...(rounds !== null && { rounds }) };
const startedAt = performance.now();
const measures: Measure[] = [];
const scope = openScope();
if (separate !== null) {
  await SEPARATE[separate](count);
  // Exit before the test runner prints a summary of zero tests.
  process.exit();
}
await benchAll();

async function benchAll(): Promise<void> {
  try {
    await ensureServers(['wrk', 'nginx', 'postgres']);
    await measureAll();
    const figures = computeFigures(measures);
    process.stdout.write(`${renderTables({ figures })}\n`);
    if (only === null) {
      const settings = {
        quick,
        ...options,
        coldVersions: options.coldVersions.join(),
        connections: CONNECTIONS,
      };
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

async function measureAll(): Promise<void> {
  const isChosen = (part: string) => only === null || only.includes(part);
  say('setting up');
  const [data, postgres] = await Promise.all([
    openSqliteData(scope, { fresh }),
    isChosen('cold') ? openPostgresData(scope) : null,
  ]);
  const file = path.join(temporaryFolder(scope), 'hot.db');
  copyFileSync(data.fileFor(HOT), file);
  if (isChosen('hot')) await measureHot(data, file);
  if (postgres !== null) {
    const cold = { sizes: options.coldVersions, withSame: !quick, onProgress: say };
    measures.push(...(await inRounds('cold reads', await prepareCold(scope, data, postgres, cold))));
  }
  if (isChosen('bulk')) {
    const bulk = { versions: options.bulkVersions, rounds: options.bulkRounds, onProgress: say };
    const manyVersions = quick ? null : options.bulkVersionsMany;
    measures.push(...(await measureBulk(scope, data, { ...bulk, manyVersions })));
  }
  const databaseUrl = `sqlite:${file}`;
  if (isChosen('process')) await measureProcess(data, databaseUrl);
  if (isChosen('flood')) {
    const { slugs, floodSecondsMax: secondsMax } = options;
    measures.push(...(await measureFlood(scope, databaseUrl, { slugs, secondsMax, onProgress: say })));
  }
}

async function measureHot(data: SqliteData, file: string): Promise<void> {
  const products = options.productsAmong;
  const among = { fileAmong: data.fileFor(hotAmong(products)), products };
  const [hot, front] = await Promise.all([
    prepareHot(scope, { file, ...among }),
    prepareFront(scope, `sqlite:${file}`),
  ]);
  measures.push(...(await inRounds('hot reads', [...hot.subjects, ...front])), ...hot.absent);
}

async function measureProcess(data: SqliteData, databaseUrl: string): Promise<void> {
  say('start and memory');
  measures.push(...(await measureStart(databaseUrl, options.starts)), await measureIdle(scope, databaseUrl));
  if (quick) return;
  const large = coldOf(Math.max(...options.coldVersions));
  const [{ slug, products }] = large as [Block];
  const paths = writePaths(scope, products, (index) => feedPath(slug, index + 1));
  measures.push(await measureFullCache(scope, `sqlite:${data.fileFor(large)}`, paths));
}

function inRounds(what: string, subjects: readonly Subject[]): Promise<Measure[]> {
  return measureInRounds(subjects, options, (round) =>
    say(round === 0 ? `${what}: warming up` : `${what}: round ${round} of ${options.rounds}`),
  );
}

type Flags = Readonly<{
  separate: Separate | null;
  count: number | undefined;
  quick: boolean;
  fresh: boolean;
  only: string[] | null;
  rounds: number | null;
}>;

function readFlags(): Flags {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { quick: flag, fresh: flag, only: { type: 'string' }, rounds: { type: 'string' } },
      allowPositionals: true,
    });
    const [separate = null, given] = positionals;
    const count = given === undefined ? undefined : Number(given);
    if (separate !== null && !Object.hasOwn(SEPARATE, separate))
      throw new Error(`unknown benchmark "${separate}"`);
    if (count !== undefined && !(count >= 1))
      throw new Error(`the argument of ${separate} must be a positive number`);
    const rounds = values.rounds === undefined ? null : Number(values.rounds);
    if (rounds !== null && !(rounds >= 1)) throw new Error('--rounds must be a positive number');
    const parts = values.only?.split(',') ?? null;
    if (parts?.some((part) => !PARTS.includes(part)))
      throw new Error(`--only must be one or more of ${PARTS.join(', ')}`);
    return {
      separate: separate as Separate | null,
      count,
      quick: values.quick,
      fresh: values.fresh,
      only: parts,
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
