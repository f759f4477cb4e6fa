// `npm run bench pages`: pages compared with JSON of the same size, and first pages of changelogs of different sizes.
import { openScope, type Scope } from '../cluster/scope.ts';
import { feedPath, fillStatements, HOT, TEAM } from './data/datasets.ts';
import { openPostgresData } from './data/postgres-data.ts';
import { makeSqlite } from './data/sqlite-data.ts';
import { LONG_SLUG, longChangelog } from './parameters.ts';
import type { Goal, Measure } from './report/results.ts';
import { median, ratios } from './report/statistics.ts';
import { measureInRounds, type Subject } from './rounds/rounds.ts';
import { type RequestSpec, subjectFor } from './rounds/subjects.ts';
import { pin } from './servers/cores.ts';
import { requestOnce } from './servers/responses.ts';
import { type Server, startOurs } from './servers/servers.ts';

const PACE = { milliseconds: 500, warmUpMilliseconds: 3_000 };
const ROUNDS = 11;
const SMALL = 1_000;
const LARGE = 1_000_000;
/** One after the other: concurrent requests for the same page would share its queries. */
const ONE_CONNECTION = 1;
/** Of the size of a page, if both are to count as the same. */
const SIZE_TOLERANCE = 0.03;

const pagePath = (slug: string) => `/changelog/${TEAM}/${slug}-1`;

/** A cached page, and JSON of the same size; 304 and Brotli of the page. The server has the content of hot reads. */
export async function cachedPages(server: Server): Promise<RequestSpec[]> {
  const page = pagePath('hot');
  const { body, header } = await requestOnce(server.address + page);
  const json = await jsonOfSize(server, body.length);
  const asked = { group: `Cached, ${(body.length / 1024).toFixed(0)} KB`, server, status: 200 };
  const ofPage = { ...asked, target: { path: page }, example: page };
  return [
    {
      ...asked,
      target: { path: json },
      example: json,
      id: 'json',
      name: 'JSON of the same size, 200',
    },
    {
      ...ofPage,
      id: 'page',
      name: 'page with 20 versions, 200',
      comparedWith: 'json',
      goal: { atLeast: 0.9 },
    },
    {
      ...ofPage,
      id: 'page-304',
      name: 'same page, 304',
      headers: { 'if-none-match': header('etag') ?? '' },
      status: 304,
      comparedWith: 'page',
      goal: { atLeast: 1 },
    },
    {
      ...ofPage,
      id: 'page-br',
      name: 'same page with Brotli, 200',
      headers: { 'accept-encoding': 'br' },
      comparedWith: 'page',
    },
  ];
}

async function prepareCachedPages(scope: Scope): Promise<Subject[]> {
  const file = await makeSqlite(scope, fillStatements(HOT));
  const server = await startOurs(scope, { DATABASE_URL: `sqlite:${file}` });
  return await subjectsFor(await cachedPages(server));
}

/** A part of a long feed. */
async function jsonOfSize(server: Server, bytes: number): Promise<string> {
  const feed = feedPath('large', 1);
  const sizeOf = async (path: string) => (await requestOnce(server.address + path)).body.length;
  const [ten, hundred] = [
    await sizeOf(`${feed}?include=changes&limit=10`),
    await sizeOf(`${feed}?include=changes&limit=100`),
  ];
  const path = `${feed}?include=changes&limit=${Math.round(10 + ((bytes - ten) * 90) / (hundred - ten))}`;
  const size = await sizeOf(path);
  if (Math.abs(size / bytes - 1) > SIZE_TOLERANCE)
    throw new Error(`${path} has ${size} bytes, the page ${bytes}`);
  return path;
}

/** The first page of a changelog, made anew for each request. */
async function prepareFirstPages(scope: Scope, versions: number): Promise<Subject[]> {
  const postgres = await openPostgresData(scope);
  const engines = {
    SQLite: async (size: number) => `sqlite:${await makeSqlite(scope, longChangelog(size))}`,
    PostgreSQL: (size: number) => postgres.urlFor(`long_${size}`, longChangelog(size)),
  };
  const path = pagePath(LONG_SLUG);
  const specs: RequestSpec[] = [];
  for (const [engine, provide] of Object.entries(engines)) {
    for (const size of [SMALL, versions]) {
      say(`${engine}: ${size.toLocaleString('en')} versions`);
      const server = await startOurs(scope, { DATABASE_URL: await provide(size), CACHE_MAX_MB: '0' });
      specs.push({
        id: `${engine}-${size}`,
        group: `First page, not cached, ${engine}`,
        name: `first page of ${size.toLocaleString('en')} versions`,
        server,
        target: { path },
        example: path,
        status: 200,
        alsoPids: engine === 'PostgreSQL' ? [postgres.server.pid()] : [],
        connections: ONE_CONNECTION,
        ...(size !== SMALL && { comparedWith: `${engine}-${SMALL}`, goal: { atLeast: 1 / 1.5 } }),
      });
    }
  }
  const subjects = await subjectsFor(specs);
  pin('server', postgres.server.pid());
  return subjects;
}

async function subjectsFor(specs: readonly RequestSpec[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const spec of specs) subjects.push((await subjectFor(spec)).subject);
  return subjects;
}

/** Prints the table of docs/performance.md. */
export async function printPages(versions = LARGE): Promise<void> {
  const scope = openScope();
  try {
    const pace = { ...PACE, rounds: ROUNDS };
    const measures = await measureInRounds(await prepareCachedPages(scope), pace);
    measures.push(...(await measureInRounds(await prepareFirstPages(scope, versions), pace)));
    console.log(renderMeasures(measures));
  } finally {
    await scope.close();
  }
}

const HEADINGS = ['', 'Requests/s', 'Latency, p50', 'Ratio', 'Ratio by processor time', 'Goal'];

function renderMeasures(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => {
    const { group, name, values, p50Ms = 0, goal } = measure;
    return [
      `${group}: ${name}`,
      Number(median(values).toPrecision(3)).toLocaleString('en'),
      `${p50Ms.toFixed(2)} ms`,
      formatRatio(measures, measure, 'values'),
      formatRatio(measures, measure, 'perCpuSecond'),
      formatGoal(goal),
    ];
  });
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function formatRatio(
  measures: readonly Measure[],
  { comparedWith, ...measure }: Measure,
  by: 'values' | 'perCpuSecond',
): string {
  const baseline = measures.find(({ id }) => id === comparedWith);
  return baseline === undefined ? '–' : median(ratios(measure[by] ?? [], baseline[by] ?? [])).toFixed(2);
}

function formatGoal(goal: Goal | undefined): string {
  return goal !== undefined && 'atLeast' in goal ? `at least ${goal.atLeast.toFixed(2)}` : '–';
}

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}
