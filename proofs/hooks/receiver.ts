// The receiver of a webhook, as a program that may be killed: it verifies each request, writes it down durably, and only
// then responds. Arguments: PORT FILE SECRET DATABASE_URL
// The message `hold` keeps the next request without a response, and sends its record back.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { childrenOf } from '../../cluster/daemon.ts';
import { HIDDEN } from '../../support/content/world.ts';

/** What is public, in plain SQL and not as the program finds it. */
export const PUBLIC_VERSIONS = `select v.id from versions v join changelogs c on c.id = v.changelog_id
  join products p on p.id = c.product_id join teams t on t.id = p.team_id
  where v.status = 'published' and c.status = 'published' and p.status = 'published' and t.visibility = 'public'`;

export type Arrival = Readonly<{
  id: string;
  version: string;
  at: number;
  /** The process that sent it; null if it has ended. */
  sender: number | null;
  /** Whether the version is public in the database; null if that is down. */
  isPublic: boolean | null;
  problem: string | null;
}>;
/** Or the response to it has been handed to the kernel. */
export type Line = Arrival | Readonly<{ responded: string; at: number }>;

/** So that kills also hit between the record and the response. */
const RESPONSE_MS_MAX = 200;

if (import.meta.main) await listen();

async function listen(): Promise<void> {
  const [port = '', file = '', secret = '', databaseUrl = ''] = process.argv.slice(2);
  const webhook = new Webhook(secret);
  const isPublic = openDatabase(databaseUrl);
  const record = (line: Line) => {
    const to = openSync(file, 'a');
    writeSync(to, `${JSON.stringify(line)}\n`);
    fsyncSync(to);
    closeSync(to);
  };
  let isHolding = false;
  process.on('message', () => {
    isHolding = true;
  });
  const server = http.createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const at = Date.now();
    const sender = findSender(request.socket.remotePort ?? 0, Number(port));
    const id = String(request.headers['webhook-id']);
    const { version, problem } = check(webhook, body, request.headers as Record<string, string>);
    const arrival = { id, version, at, sender, isPublic: await isPublic(version), problem };
    record(arrival);
    if (isHolding) {
      isHolding = false;
      process.send?.(arrival);
      return;
    }
    await delay(Math.random() * RESPONSE_MS_MAX);
    response.writeHead(problem === null ? 204 : 400).end(() => record({ responded: id, at: Date.now() }));
  });
  server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
}

function check(webhook: Webhook, body: string, headers: Record<string, string>) {
  try {
    const { type, data } = webhook.verify(body, headers) as { type: string; data: { id: string } };
    const problem = type !== 'version.published' ? type : body.includes(HIDDEN) ? 'hidden text' : null;
    return { version: data.id, problem };
  } catch (error) {
    return { version: '', problem: String(error) };
  }
}

function openDatabase(url: string): (version: string) => Promise<boolean | null> {
  const statement = `${PUBLIC_VERSIONS} and v.id =`;
  if (!url.startsWith('postgres')) {
    const find = new Sqlite(url.replace(/^sqlite:/, ''), { readonly: true, timeout: 1_000 }).prepare(
      `${statement} ?`,
    );
    return async (version) => find.get(version) !== undefined;
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  });
  pool.on('error', () => {});
  return async (version) =>
    await pool.query(`${statement} $1`, [version]).then(
      ({ rows }) => rows.length === 1,
      () => null,
    );
}

/** The process with the other end of a connection, among those that the proof has started. */
function findSender(from: number, to: number): number | null {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/net/tcp', 'latin1').split('\n');
  const fields = connections
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(hex(from)) && remote?.endsWith(hex(to)));
  const socket = `socket:[${fields?.[9]}]`;
  return descendantsOf(process.ppid).find((pid) => hasFile(pid, socket)) ?? null;
}

const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

function hasFile(pid: number, name: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((file) => readlinkSync(`${folder}/${file}`) === name);
  } catch {
    return false;
  }
}
