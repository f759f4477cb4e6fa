// R29 on many nodes: every node shows a committed change within one second, even if it reads from a standby.
import assert from 'node:assert/strict';
import type { Node } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../support/content/world.ts';
import { type HttpClient, type HttpResponse, openClient } from '../../support/http/http-client.ts';
import { until } from '../../support/processes/poll.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../support/program/command.ts';
import { databaseUrls, provideDatabase, psql, startNodes } from '../../support/program/nodes.ts';

export const SHOWN_MS_MAX = 1_000;

const NODES = 3;
/** How long to check that a node does not return to older content. */
const LASTING_MS = 50;

type Setup = Readonly<{
  primary: PostgresServer;
  standby: PostgresServer;
  nodes: readonly Node[];
  sandbox: Sandbox;
  world: World;
  client: HttpClient;
}>;

/** How long after the commit each node showed it. */
export type Round = Readonly<{ change: string; shown: readonly { ms: number }[] }>;

type Change = Readonly<{
  name: string;
  write: (setup: Setup, round: number) => Promise<unknown>;
  get: (setup: Setup, node: Node) => Promise<HttpResponse>;
  isShown: (response: HttpResponse, round: number) => boolean;
}>;

export async function setUp(scope: Scope): Promise<Setup> {
  const primary = await startPostgres(scope);
  const sandbox = await provideDatabase(scope, primary);
  const world = await seedWorld(sandbox);
  const standby = await startPostgres(scope, { standbyOf: primary });
  const nodes = await startNodes(scope, databaseUrls(primary, standby), NODES);
  const client = openClient();
  scope.after(client.close);
  return { primary, standby, nodes, sandbox, world, client };
}

const getPublic = ({ client }: Setup, { address }: Node) => client.get(address + PUBLIC_FEED);
const getDraft = ({ client }: Setup, { address }: Node) =>
  client.get(`${address}${PUBLIC_FEED}/versions/ver_300`);
const getWithKey = ({ client, world }: Setup, { address }: Node) =>
  client.get(address + TEAM_FEED, { authorization: `Bearer ${world.full}` });

const has = (text: string) => (response: HttpResponse) =>
  response.status === 200 && response.body.includes(text);
const lacks = (text: string) => (response: HttpResponse) =>
  response.status === 200 && !response.body.includes(text);
const hasStatus = (status: number) => (response: HttpResponse) => response.status === status;
const command = (args: (world: World) => string[]) => (setup: Setup) =>
  runOk(setup.sandbox, args(setup.world));
const typed =
  (statement: (round: number) => string) =>
  ({ primary }: Setup, round: number) =>
    psql(primary, statement(round));

/** Repeated in this order: each changes a cached response, and the last restores the initial state. */
export const CHANGES: readonly Change[] = [
  {
    name: 'publish',
    write: command(() => ['version', 'publish', 'acme/rocket', '3.0.0']),
    get: getPublic,
    isShown: has('"3.0.0"'),
  },
  {
    name: 'unpublish',
    write: command(() => ['version', 'unpublish', 'acme/rocket', '3.0.0']),
    get: getPublic,
    isShown: lacks('"3.0.0"'),
  },
  {
    name: 'key disable',
    write: command(({ fullId }) => ['key', 'disable', fullId]),
    get: getWithKey,
    isShown: hasStatus(401),
  },
  {
    name: 'key enable',
    write: command(({ fullId }) => ['key', 'enable', fullId]),
    get: getWithKey,
    isShown: hasStatus(200),
  },
  {
    name: 'psql: a title',
    write: typed((round) => `update versions set title = 'Title ${round}' where id = 'ver_210'`),
    get: getPublic,
    isShown: (response, round) => has(`"Title ${round}"`)(response),
  },
  {
    name: 'psql: a product locked',
    write: typed(() => `update products set status = 'locked' where slug = 'rocket'`),
    get: getPublic,
    isShown: hasStatus(404),
  },
  {
    name: 'psql: a product published',
    write: typed(() => `update products set status = 'published' where slug = 'rocket'`),
    get: getPublic,
    isShown: hasStatus(200),
  },
  {
    name: 'psql: a version published',
    write: typed(
      () =>
        `update versions set status = 'published', published_at = '2026-06-01T00:00:00.000Z' where id = 'ver_300'`,
    ),
    get: getDraft,
    isShown: hasStatus(200),
  },
  {
    name: 'psql: a version drafted',
    write: typed(() => `update versions set status = 'draft', published_at = null where id = 'ver_300'`),
    get: getDraft,
    isShown: hasStatus(404),
  },
  {
    name: 'psql: a team private',
    write: typed(() => `update teams set visibility = 'private' where slug = 'acme'`),
    get: getPublic,
    isShown: hasStatus(404),
  },
  {
    name: 'psql: a team public',
    write: typed(() => `update teams set visibility = 'public' where slug = 'acme'`),
    get: getPublic,
    isShown: hasStatus(200),
  },
];

/** Makes one change while every node has the affected response cached. */
export async function changeOnce(setup: Setup, round: number): Promise<Round> {
  const { name, write, get, isShown } = CHANGES[round % CHANGES.length] as Change;
  for (const node of setup.nodes) {
    await get(setup, node);
    assert.ok(!isShown(await get(setup, node), round), `${name}: shown before it was written`);
  }
  await write(setup, round);
  const shown = await Promise.all(
    setup.nodes.map(async (node) => ({
      ms: await until(`${name} on every node`, async () => isShown(await get(setup, node), round)),
    })),
  );
  for (const node of setup.nodes) {
    const seenAt = performance.now();
    while (performance.now() - seenAt < LASTING_MS)
      assert.ok(isShown(await get(setup, node), round), `${name}: shown, then not shown any more`);
  }
  return { change: name, shown };
}

export function worstOf(rounds: readonly Round[]): number {
  return Math.max(...rounds.flatMap(({ shown }) => shown.map(({ ms }) => ms)));
}
