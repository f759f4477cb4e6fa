// Nodes with workers and the receiver of their webhook, which are killed and started again.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { freePorts } from '../../cluster/port.ts';
import { tethered } from '../../cluster/tether.ts';
import { until } from '../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { isRunning, reload, workersOf } from '../../support/program/workers.ts';
import type { Instance } from './publications.ts';
import type { Arrival, Line } from './receiver.ts';

const HOOK = 'site';
export const TARGETS = ['node', 'worker', 'receiver'] as const;
export type Target = (typeof TARGETS)[number];
/** Times are those of the wall clock: processes and database share one machine. */
export type Kill = Readonly<{ target: Target; pids: readonly number[]; at: number }>;

/** Before it is started again, `whileDead` is called with the message that was on its way. */
type Moment = 'now' | Readonly<{ whileDead: (arrival: Arrival) => Promise<void> }>;

export type Fleet = Readonly<{
  kills: readonly Kill[];
  /** Kills one that is sending or receiving a message, or anyone at once. Then it is started again. */
  kill: (target: Target, moment: Moment) => Promise<void>;
  /** SIGTERM to a node, which is then started again. */
  stopNode: () => Promise<void>;
  /** SIGHUP. */
  reloadNode: () => Promise<void>;
  arrivals: () => Line[];
  untilArrived: (versions: readonly string[], withinMs: number) => Promise<void>;
}>;

type Member = { node: Node; start: () => Promise<Node> };

export async function startFleet(
  scope: Scope,
  { databaseUrl }: Instance,
  { nodes, workers }: Readonly<{ nodes: number; workers: number }>,
): Promise<Fleet> {
  const folder = temporaryFolder(scope);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const [receiverPort = 0, ...ports] = await freePorts(nodes + 1);
  const hooks = path.join(folder, 'hooks.json');
  const url = `http://127.0.0.1:${receiverPort}/`;
  writeFileSync(hooks, JSON.stringify({ hooks: [{ name: HOOK, kind: 'webhook', url, secret }] }));
  const environment = {
    DATABASE_URL: databaseUrl,
    HOOKS: hooks,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    BASE_URL: 'https://changes.example',
  };
  const records = path.join(folder, 'arrivals');
  const receiver = await startReceiver(scope, [String(receiverPort), records, secret, databaseUrl]);
  const members = await Promise.all(
    ports.map(async (port): Promise<Member> => {
      const start = () => startNode(scope, { environment, port, args: ['--workers', String(workers)] });
      return { node: await start(), start };
    }),
  );
  const kills: Kill[] = [];
  const arrivals = () => (existsSync(records) ? readLines(records) : []);

  async function killNode(member: Member): Promise<() => Promise<unknown>> {
    killAll('node', [member.node.pid, ...workersOf(member.node)]);
    await member.node.exited;
    return async () => {
      member.node = await member.start();
    };
  }
  function killWorker({ node }: Member, pid = anyOf(workersOf(node))): () => Promise<unknown> {
    killAll('worker', pid === undefined ? [] : [pid]);
    const isComplete = () => workersOf(node).filter(isRunning).length === workers;
    return () => until('the worker is replaced', isComplete);
  }
  function killReceiver(): () => Promise<unknown> {
    killAll('receiver', [receiver.pid()]);
    return receiver.restart;
  }
  function killAll(target: Target, pids: readonly number[]): void {
    kills.push({ target, pids, at: Date.now() });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }

  return {
    kills,
    kill: async (target, moment) => {
      const arrival = moment === 'now' ? null : await receiver.hold();
      const sender = arrival?.sender ?? undefined;
      const own = members.find(({ node }) => sender !== undefined && workersOf(node).includes(sender));
      const member = own ?? (anyOf(members) as Member);
      const restart =
        target === 'receiver'
          ? killReceiver()
          : target === 'node'
            ? await killNode(member)
            : killWorker(member, sender);
      if (arrival !== null && moment !== 'now') await moment.whileDead(arrival);
      await restart();
    },
    stopNode: async () => {
      const member = anyOf(members) as Member;
      await member.node.stop();
      member.node = await member.start();
    },
    reloadNode: async () => void (await reload((anyOf(members) as Member).node, workers)),
    arrivals,
    untilArrived: async (versions, withinMs) => {
      const all = () => new Set(arrivals().map((line) => ('version' in line ? line.version : '')));
      const missing = () => versions.filter((version) => !all().has(version));
      await until('every version has arrived', () => missing().length === 0, { withinMs, everyMs: 200 });
    },
  };
}

const anyOf = <T>(some: readonly T[]): T | undefined => some[Math.floor(Math.random() * some.length)];

const readLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function startReceiver(scope: Scope, own: readonly string[]) {
  const program = path.resolve(import.meta.dirname, 'receiver.ts');
  const start = async () => {
    const { command, args } = tethered(process.execPath, [program, ...own]);
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    return { child, exited: once(child, 'exit') };
  };
  let { child, exited } = await start();
  scope.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    pid: () => child.pid as number,
    /** Resolves with a message that has arrived and gets no response. */
    hold: async (): Promise<Arrival> => {
      const [arrival] = await Promise.all([once(child, 'message'), child.send('hold')]);
      return arrival[0];
    },
    restart: async () => {
      await exited;
      ({ child, exited } = await start());
    },
  };
}
