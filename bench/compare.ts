// `npm run bench compare CHECKOUT`: this checkout against another one, such as the last release, in one run.
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { ensureBundle } from '../cluster/bundle.ts';
import { type PostgresServer, startPostgres } from '../cluster/postgres.ts';
import { type Scope, temporaryFolder } from '../cluster/scope.ts';
import { type CommandReport, timeCommand } from '../support/processes/commands.ts';
import { feedPath, TEAM } from './data/datasets.ts';
import { writeDocument } from './data/document.ts';
import { timeStart } from './measures/process.ts';
import { UNCACHED, writePaths } from './measures/uncached.ts';
import type { Measure } from './report/results.ts';
import { measureInRounds, type Pace } from './rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from './rounds/subjects.ts';
import { pin } from './servers/cores.ts';
import { requestOnce } from './servers/responses.ts';
import { type Server, startBare, startOurs } from './servers/servers.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CONNECTIONS = 16;
/** Products whose reads are measured. */
const PRODUCTS = 50;
const DELETES = 2_000;
const BY_LABEL = 'version by its label';
const READS = ['changelog', 'version', BY_LABEL, 'missing', 'feed'] as const;
type Read = (typeof READS)[number];

type CompareOptions = Pace &
  Readonly<{
    versions: number;
    writtenVersions: number;
    writeRounds: number;
    onlyCached: boolean;
    say: (text: string) => void;
  }>;
type Side = Readonly<{ id: 'before' | 'now'; folder: string }>;
type Engine = Readonly<{
  id: 'sqlite' | 'postgres';
  name: string;
  pids: readonly number[];
  newUrl: () => Promise<string>;
  runSql: (url: string, statements: readonly string[]) => Promise<unknown[]>;
}>;

export async function compare(scope: Scope, checkout: string, options: CompareOptions): Promise<Measure[]> {
  const sides: readonly Side[] = [
    { id: 'before', folder: path.resolve(checkout) },
    { id: 'now', folder: ROOT },
  ];
  for (const { folder } of sides) await ensureBundle(folder);
  const cached = await compareCached(scope, sides, options);
  if (options.onlyCached) return cached;
  const engines = [sqliteEngine(scope), postgresEngine(await startPostgres(scope))];
  const measures: Measure[] = [...cached];
  for (const engine of engines) {
    measures.push(...(await compareWrites(scope, engine, sides, options)));
    measures.push(...(await compareReads(scope, engine, sides, options)));
  }
  return measures;
}

function sqliteEngine(scope: Scope): Engine {
  return {
    id: 'sqlite',
    name: 'SQLite',
    pids: [],
    newUrl: async () => `sqlite:${path.join(temporaryFolder(scope), 'changelog.db')}`,
    runSql: async (url, statements) => {
      const database = new Sqlite(fileOf(url));
      const rows = database.transaction(() =>
        statements.flatMap((text) => {
          const statement = database.prepare(text);
          return statement.reader ? statement.all() : [statement.run()];
        }),
      )();
      database.close();
      return rows;
    },
  };
}

function postgresEngine(server: PostgresServer): Engine {
  let databases = 0;
  return {
    id: 'postgres',
    name: 'PostgreSQL',
    pids: [server.pid()],
    newUrl: async () => {
      const name = `compare_${++databases}`;
      await server.createDatabase(name);
      return server.url(name);
    },
    runSql: async (url, statements) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('begin');
      const rows: unknown[] = [];
      for (const statement of statements) rows.push(...(await client.query(statement)).rows);
      await client.query('commit');
      await client.end();
      return rows;
    },
  };
}

const fileOf = (url: string) => url.slice('sqlite:'.length);

async function run(
  scope: Scope,
  { folder }: Side,
  url: string,
  args: readonly string[],
): Promise<CommandReport> {
  const report = await timeCommand(scope, [path.join(folder, 'bin/main.cjs'), ...args], {
    DATABASE_URL: url,
  });
  if (report.code !== 0) throw new Error(`${args.join(' ')} in ${folder}: ${report.stderr()}`);
  return report;
}

/** `apply` of many changelogs, `import` of a long one, and deletes with plain SQL; on SQLite, what a database takes. */
async function compareWrites(
  scope: Scope,
  engine: Engine,
  sides: readonly Side[],
  { versions, writtenVersions, writeRounds, say }: CompareOptions,
): Promise<Measure[]> {
  const folder = temporaryFolder(scope);
  const [document, large, changelog] = ['document.json', 'large.json', 'CHANGELOG.md'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeDocument(document, writtenVersions, 'json');
  writeDocument(large, versions, 'json');
  writeFileSync(changelog, writeChangelog(writtenVersions));
  const measures = sides.map((side) => ({
    side,
    apply: [],
    import: [],
    deletes: [],
    size: [],
  })) as readonly ({
    side: Side;
  } & Record<'apply' | 'import' | 'deletes' | 'size', number[]>)[];
  for (let round = 1; round <= writeRounds; round++)
    for (const { side, ...times } of measures) {
      say(`${engine.name}, writes, round ${round} of ${writeRounds}, ${side.id}`);
      const url = await engine.newUrl();
      times.apply.push((await run(scope, side, url, ['apply', document])).milliseconds);
      const importing = ['import', `${TEAM}/long`, changelog, '--create', '--yes'];
      times.import.push((await run(scope, side, url, importing)).milliseconds);
      const rows = await engine.runSql(url, [`select id from versions order by id limit ${DELETES}`]);
      const deletes = (rows as { id: string }[]).map(({ id }) => `delete from versions where id = '${id}'`);
      const startedAt = performance.now();
      await engine.runSql(url, deletes);
      times.deletes.push(performance.now() - startedAt);
    }
  const described = {
    apply: { name: `apply of ${count(writtenVersions)} versions`, unit: 'ms' },
    import: { name: `import of ${count(writtenVersions)} versions`, unit: 'ms' },
    deletes: { name: `${count(DELETES)} plain SQL deletes`, unit: 'ms' },
    size: {
      name: `database with ${count(versions)} versions and ${count(3 * versions)} changes`,
      unit: 'MB',
    },
  } as const;
  if (engine.id === 'sqlite')
    for (const { side, size } of measures) {
      const url = await engine.newUrl();
      await run(scope, side, url, ['apply', large]);
      size.push(sizeMb(fileOf(url)));
    }
  return measures.flatMap(({ side, ...values }) =>
    Object.entries(described)
      .map(([id, { name, unit }]) => ({
        ...describeSide(engine, side, id, name),
        group: `Writes, ${engine.name}`,
        unit,
        values: values[id as keyof typeof described],
      }))
      .filter(({ values }) => values.length > 0),
  );
}

function sizeMb(file: string): number {
  const database = new Sqlite(file);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  return Number((statSync(file).size / 1e6).toFixed(1));
}

const describeSide = (engine: Engine, { id: side }: Side, id: string, name: string) => ({
  id: `${engine.id}-${id}-${side}`,
  name: `${name}, ${side}`,
  ...(side === 'now' && { comparedWith: `${engine.id}-${id}-before` }),
});

function writeChangelog(versions: number): string {
  const section = (n: number) => {
    const date = new Date(Date.UTC(2000, 0, 1) + n * 3_600_000).toISOString().slice(0, 10);
    return `## [1.${n}.0] - ${date}\n\n### Added\n\n- A change in **Markdown**, number ${n}.\n- Another one.\n`;
  };
  return `# Changelog\n\n${Array.from({ length: versions }, (_, index) => section(versions - index)).join('\n')}`;
}

/** Reads that are not cached, as requests a second and processor time, and the start of a server. */
async function compareReads(
  scope: Scope,
  engine: Engine,
  sides: readonly Side[],
  { versions, say, ...pace }: CompareOptions,
): Promise<Measure[]> {
  const file = path.join(temporaryFolder(scope), 'document.json');
  writeDocument(file, versions, 'json');
  const servers: { side: Side; url: string; server: Server; paths: Record<Read, string[]> }[] = [];
  for (const side of sides) {
    say(`${engine.name}, reads, ${side.id}`);
    const url = await engine.newUrl();
    await run(scope, side, url, ['apply', file]);
    if (engine.id === 'postgres') await engine.runSql(url, ['analyze']);
    const program = path.join(side.folder, 'bin/changelog');
    const server = await startOurs(scope, { DATABASE_URL: url, ...UNCACHED }, 'server', program);
    servers.push({ side, url, server, paths: await pathsOf(server) });
  }
  const measures: Measure[] = [];
  const specs: RequestSpec[] = [];
  for (const { side, url } of servers) {
    const program = path.join(side.folder, 'bin/changelog');
    const values: number[] = [];
    for (let round = 0; round <= pace.rounds; round++)
      values.push(
        Math.round((await timeStart(process.execPath, url, program, feedPath('product', 1))).milliseconds),
      );
    measures.push({
      ...describeSide(engine, side, 'start', 'start to first response'),
      group: `Start, ${engine.name}`,
      unit: 'ms',
      values: values.slice(1),
    });
  }
  for (const name of READS)
    for (const { side, server, paths } of servers) {
      const asked = paths[name];
      specs.push({
        ...describeSide(engine, side, name, name),
        group: `Reads, not cached, ${engine.name}`,
        server,
        target:
          name === 'missing'
            ? { before: asked[0] as string, after: '/changelog' }
            : { pathsFile: writePaths(scope, asked.length, (index) => asked[index] as string) },
        example: asked[0] as string,
        status: name === 'missing' ? 404 : 200,
        isOneSize: false,
        connections: CONNECTIONS,
        alsoPids: engine.pids,
        ...(side.id === 'now' && {
          goal: { atLeast: name === BY_LABEL && engine.id === 'sqlite' ? 1.2 : 1 },
        }),
      });
    }
  const subjects = await subjectsFor(specs);
  for (const pid of engine.pids) pin('server', pid);
  const rounds = await measureInRounds(subjects, shortened(pace), (round) =>
    say(`${engine.name}, reads, round ${round}`),
  );
  for (const { server } of servers) await server.stop();
  return [...measures, ...rounds];
}

/** Cached reads of the public feed and with a FULL key, beside a bare server that sends the same bytes. */
async function compareCached(
  scope: Scope,
  sides: readonly Side[],
  { say, onlyCached: _, ...pace }: CompareOptions,
): Promise<Measure[]> {
  const engine = sqliteEngine(scope);
  const file = path.join(temporaryFolder(scope), 'document.json');
  writeDocument(file, 200, 'json');
  const shared = { group: 'Reads, cached, SQLite', status: 200 } as const;
  const feed = { target: { path: feedPath('product', 1) }, example: feedPath('product', 1) };
  const teamFeed = { target: { path: feedPath('product', 1, '') }, example: feedPath('product', 1, '') };
  const servers: Server[] = [];
  const specs: RequestSpec[] = [];
  for (const side of sides) {
    const url = await engine.newUrl();
    await run(scope, side, url, ['apply', file]);
    const created = await run(scope, side, url, ['key', 'create', TEAM, '--kind', 'FULL', '--json']);
    const { key } = JSON.parse(created.stdout());
    const program = path.join(side.folder, 'bin/changelog');
    const server = await startOurs(scope, { DATABASE_URL: url, OPS_PORT: '0' }, 'server', program);
    servers.push(server);
    specs.push({ ...shared, ...feed, ...describeSide(engine, side, 'public', 'public feed'), server });
    specs.push({
      ...shared,
      ...teamFeed,
      ...describeSide(engine, side, 'full', 'with a FULL key'),
      server,
      headers: { authorization: `Bearer ${key}` },
    });
  }
  const bare = await startBare(scope, await requestOnce((servers[1] as Server).address + feed.example));
  servers.push(bare);
  specs.unshift({ ...shared, ...feed, id: 'bare', name: 'bare node:http, same response', server: bare });
  const measures = await measureInRounds(await subjectsFor(specs), shortened(pace), (round) =>
    say(`cached reads, round ${round}`),
  );
  for (const server of servers) await server.stop();
  return measures;
}

/** Both sides follow each other at once: the speed of a shared machine changes from second to second. */
const shortened = ({ rounds, milliseconds, ...rest }: Pace): Pace => ({
  ...rest,
  rounds: rounds * 3,
  milliseconds: milliseconds / 3,
});

async function pathsOf(server: Server): Promise<Record<Read, string[]>> {
  const feeds = Array.from({ length: PRODUCTS }, (_, index) => feedPath('product', index + 1));
  const bodies: string[] = [];
  for (const feed of feeds) bodies.push((await requestOnce(server.address + feed)).body.toString());
  const versionsOf = (body: string): { id: string; version: string }[] => JSON.parse(body).data.versions;
  const eachVersion = (field: 'id' | 'version') =>
    bodies.flatMap((body, index) =>
      versionsOf(body).map((version) => `${feeds[index]}/versions/${version[field]}`),
    );
  return {
    changelog: feeds,
    version: eachVersion('id'),
    [BY_LABEL]: eachVersion('version'),
    // Another one each time: what is missing is cached apart from responses.
    missing: [`/api/v1/public/teams/${TEAM}/products/none-`],
    feed: feeds.map((feed) => `${feed}/feed.atom`),
  };
}

const count = (number: number) => number.toLocaleString('en');
