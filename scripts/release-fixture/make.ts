// `npm run generate fixture COMMIT`: the program of that commit fills a database on each engine and serves it; the
// database and every response are saved.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { postgresProgram } from '../../cluster/debian.ts';
import { startPostgres } from '../../cluster/postgres.ts';
import { openScope, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { type CommandRun, fixtureFiles, openSender, RELEASES, type Recording, SETTINGS } from './fixture.ts';
import { requestEverything } from './requests.ts';
import { COMMANDS, type Command, IMPORTS, TEAMS } from './world.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

type Release = Readonly<{
  /** Runs a command that must succeed and returns its output. */
  run: (args: readonly string[], input?: string) => Promise<string>;
  serve: () => Promise<{ address: string; stop: () => Promise<void> }>;
}>;

/** `name` is a commit or a tag; it also names the folder. */
export async function makeReleaseFixture(name: string): Promise<void> {
  const scope = openScope();
  try {
    await makeFixture(scope, name);
  } finally {
    await scope.close();
  }
}

async function makeFixture(scope: Scope, name: string): Promise<void> {
  const checkout = temporaryFolder(scope);
  await execute('git', ['clone', '--quiet', '--no-checkout', ROOT, checkout]);
  await execute('git', ['-C', checkout, 'checkout', '--quiet', '--detach', name]);
  // The first run installs the dependencies.
  await execute(programOf(checkout), ['--version']);

  const file = path.join(temporaryFolder(scope), 'changelog.db');
  const onSqlite = await record(scope, checkout, `sqlite:${file}`);

  const server = await startPostgres(scope);
  await server.createDatabase('changelog');
  const onPostgres = await record(scope, checkout, server.url('changelog'));
  const dumped = await dumpPostgres(server.url('changelog'));

  mkdirSync(path.join(RELEASES, name), { recursive: true });
  keep(fixtureFiles(name, 'sqlite'), readSqlite(file), onSqlite);
  keep(fixtureFiles(name, 'postgres'), dumped, onPostgres);
}

async function record(scope: Scope, checkout: string, url: string): Promise<Recording> {
  const release = openRelease(scope, checkout, url);
  const keys = await fill(release);
  const responses: Recording['responses'][number][] = [];
  const server = await release.serve();
  using send = openSender(server.address, keys);
  await requestEverything(async (request) => {
    const response = await send(request);
    responses.push({ request, response });
    return response;
  });
  await server.stop();
  return { keys, responses, commands: await runCommands(release) };
}

async function fill(release: Release): Promise<Record<string, string>> {
  const made: Record<string, { id: string; key: string }> = {};
  for (const { args, input, key } of COMMANDS) {
    const named = args.map((arg) => (arg.startsWith('KEY:') ? (made[arg.slice(4)]?.id ?? arg) : arg));
    const output = await release.run([...named, '--json'], input);
    if (key !== undefined) made[key] = JSON.parse(output);
  }
  return Object.fromEntries(Object.entries(made).map(([name, { key }]) => [name, key]));
}

/** Reads what only commands show, such as the import marks. */
async function runCommands(release: Release): Promise<CommandRun[]> {
  const commands: readonly Command[] = [
    ...TEAMS.flatMap((team) => [{ args: ['export', team] }, { args: ['key', 'list', team] }]),
    ...IMPORTS.map((command) => ({ ...command, args: [...command.args, '--dry-run'] })),
  ];
  const runs: CommandRun[] = [];
  for (const { args, input = '' } of commands) {
    const asJson = [...args, '--json'];
    runs.push({ args: asJson, input, stdout: await release.run(asJson, input) });
  }
  return runs;
}

function openRelease(scope: Scope, checkout: string, url: string): Release {
  const folder = temporaryFolder(scope);
  const start = (args: readonly string[]) =>
    spawn(programOf(checkout), args, {
      cwd: folder,
      // On the PATH, so that the commands in its messages have no folder in front.
      env: {
        PATH: `${path.dirname(programOf(checkout))}:${process.env.PATH}`,
        ...SETTINGS,
        DATABASE_URL: url,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  return {
    run: async (args, input = '') => {
      const child = start(args);
      child.stdin.end(input);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`changelog ${args.join(' ')} exited with ${code}`);
      return output;
    },
    serve: async () => {
      const child = start(['serve', '--port', '0']);
      scope.after(() => end(child));
      for await (const line of createInterface({ input: child.stdout })) {
        const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
        if (address !== undefined) return { address, stop: () => end(child) };
      }
      throw new Error('serve exited before it listened');
    },
  };
}

function programOf(checkout: string): string {
  return path.join(checkout, 'bin/changelog');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function keep(files: ReturnType<typeof fixtureFiles>, database: Buffer, recording: Recording): void {
  writeFileSync(files.database, gzipSync(database, { level: 9 }));
  writeFileSync(files.recording, gzipSync(JSON.stringify(recording, null, 1), { level: 9 }));
}

/** The whole database in one file. No VACUUM: it may renumber rows, and the fixture must have the release's own. */
function readSqlite(file: string): Buffer {
  const database = new Sqlite(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return readFileSync(file);
}

/** A dump that any client can run, without psql's own commands and the versions of this machine. */
async function dumpPostgres(url: string): Promise<Buffer> {
  const flags = ['--no-owner', '--no-privileges', '--inserts', '--dbname', url];
  const { stdout } = await execute(postgresProgram('pg_dump'), flags, { maxBuffer: 64 * 2 ** 20 });
  return Buffer.from(stdout.replaceAll(/^(?:\\(?:un)?restrict .*|-- Dumped (?:from|by) .*)\n/gm, ''));
}
