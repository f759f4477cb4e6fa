// The start time and memory of a server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../cluster/port.ts';
import { openScope, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { memoryMb } from '../../support/processes/usage.ts';
import { feedPath } from '../data/datasets.ts';
import type { Measure } from '../report/results.ts';
import { runWrk } from '../rounds/wrk.ts';
import { cpuSeconds } from '../servers/cpu.ts';
import { requestOnce } from '../servers/responses.ts';
import { COUNTING, PROGRAM, startOurs } from '../servers/servers.ts';

const GROUP = 'Start and memory';
const POLL_EVERY_MS = 2;
const IDLE_MS = 1_000;
const CACHE_MB = 64;
/** A full cache has some space left, but not enough for another response. */
const FULL = 0.98;
const FILL_RUNS_MAX = 60;

const FEED = feedPath('hot', 1);

/** The first start compiles the bundle. */
const STARTS_BEFORE = 1;

export async function measureStart(databaseUrl: string, rounds: number): Promise<Measure[]> {
  const ways = [process.execPath, 'node'];
  const starts: Start[][] = ways.map(() => []);
  for (let round = -STARTS_BEFORE; round < rounds; round++) {
    for (const [index, node] of ways.entries()) {
      const start = await timeStart(node, databaseUrl);
      if (round >= 0) starts[index]?.push(start);
    }
  }
  const [own = [], found = []] = starts;
  const measure = { group: GROUP, unit: 'ms' } as const;
  return [
    {
      ...measure,
      id: 'start',
      name: 'start to first response',
      values: own.map(({ milliseconds }) => Math.round(milliseconds)),
      goal: { atMost: 250 },
    },
    {
      ...measure,
      id: 'start-cpu',
      name: 'processor time until then',
      values: own.map(({ cpuMs }) => Math.round(cpuMs)),
    },
    {
      ...measure,
      id: 'start-path',
      name: 'start to first response, with the Node.js on the PATH',
      values: found.map(({ milliseconds }) => Math.round(milliseconds)),
    },
  ];
}

const CHANGELOG_BYTES = 100_000;

/** The processor time of a command without a database, from its start to its end. */
export function measureNotes(scope: Scope, rounds: number): Measure {
  const folder = temporaryFolder(scope);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), writeChangelog());
  const hook = path.join(folder, 'usage.cjs');
  writeFileSync(hook, "process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())));");
  const values: number[] = [];
  for (let round = -STARTS_BEFORE; round < rounds; round++) {
    const args = ['--require', hook, PROGRAM, 'notes', 'CHANGELOG.md'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`notes exited with ${status}: ${stderr}`);
    const { user, system } = JSON.parse(stderr) as NodeJS.CpuUsage;
    if (round >= 0) values.push(Math.round((user + system) / 1_000));
  }
  const name = `processor time of \`notes\`, ${CHANGELOG_BYTES / 1_000} KB`;
  return { id: 'notes-cpu', group: GROUP, name, unit: 'ms', values, goal: { atMost: 250 } };
}

function writeChangelog(): string {
  const change =
    'Launches are faster when `rocket.toml` names the stages ([#12](https://rocket.example/12)).';
  const section = (name: string) => `### ${name}\n\n${`- ${change}\n`.repeat(3)}`;
  const sections = ['Added', 'Changed', 'Fixed'].map(section).join('\n');
  let text = '# Rocket\n';
  for (let minor = 1_000; text.length < CHANGELOG_BYTES; minor--)
    text += `\n## [1.${minor}.0] - ${new Date(minor * 86_400_000).toISOString().slice(0, 10)}\n\n${sections}`;
  return text;
}

type Start = Readonly<{ milliseconds: number; cpuMs: number; memoryMb: number }>;

/** Starts the program as users do, until it has sent a 200. */
export async function timeStart(
  node: string,
  databaseUrl: string,
  program = PROGRAM,
  feed = FEED,
): Promise<Start> {
  const scope = openScope();
  try {
    const port = await freePort();
    const { command, args } = tethered(node, [program, 'serve', '--port', String(port)]);
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: temporaryFolder(scope),
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, LOG_FORMAT: 'json', ...COUNTING },
      stdio: 'ignore',
    });
    scope.after(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    while ((await statusOf(`http://127.0.0.1:${port}${feed}`)) !== 200) {
      if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`);
      await wait(POLL_EVERY_MS);
    }
    const milliseconds = performance.now() - startedAt;
    const pid = child.pid as number;
    return { milliseconds, cpuMs: cpuSeconds(pid) * 1_000, memoryMb: memoryMb(pid) };
  } finally {
    await scope.close();
  }
}

/** Null while the port is closed. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    http
      .get(url, { agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? null);
      })
      .on('error', () => resolve(null));
  });
}

export async function measureIdle(scope: Scope, databaseUrl: string): Promise<Measure> {
  const server = await startOurs(scope, { DATABASE_URL: databaseUrl });
  await requestOnce(server.address + FEED);
  await wait(IDLE_MS);
  const memory = Math.round(memoryMb(server.pid));
  await server.stop();
  return {
    id: 'idle',
    group: GROUP,
    name: 'memory, idle',
    unit: 'MB',
    values: [memory],
    goal: { atMost: 85 },
  };
}

/** Requests different feeds until the cache is full. */
export async function measureFullCache(
  scope: Scope,
  databaseUrl: string,
  pathsFile: string,
): Promise<Measure> {
  const server = await startOurs(scope, {
    DATABASE_URL: databaseUrl,
    CACHE_MAX_MB: String(CACHE_MB),
    OPS_PORT: '0',
  });
  const load = { address: server.address, target: { pathsFile }, expected: { status: 200, bytes: null } };
  let cachedMb = 0;
  for (let run = 0; cachedMb < CACHE_MB * FULL && run < FILL_RUNS_MAX; run++) {
    await runWrk(load, IDLE_MS);
    server.checkLog();
    cachedMb = (await scrape(server.opsAddress)).sum('changelog_cached_bytes') / 2 ** 20;
  }
  const memory = Math.round(memoryMb(server.pid));
  await server.stop();
  const name = `memory, ${cachedMb.toFixed(0)} MB of cached responses`;
  return { id: 'full-cache', group: GROUP, name, unit: 'MB', values: [memory] };
}
