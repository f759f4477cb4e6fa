// A release's fixture: its databases and the responses of its program, as files in `test/releases`.
import http from 'node:http';
import path from 'node:path';

export const RELEASES = path.resolve(import.meta.dirname, '../../test/releases');

/** The settings with which a fixture is served, by its own release and by later ones. */
export const SETTINGS = {
  BASE_URL: 'https://changelog.example',
  PUBLIC_RATE_LIMIT: '1000000',
  LOG_LEVEL: 'silent',
};

type Request = Readonly<{
  method?: string;
  path: string;
  /** The name of the key that is sent as a bearer token. */
  key?: string;
  headers?: Record<string, string>;
}>;
export type Response = Readonly<{ status: number; headers: Record<string, string>; body: string }>;
export type SendRequest = (request: Request) => Promise<Response>;

/** A reading command or a dry run, with its output. */
export type CommandRun = Readonly<{ args: readonly string[]; input: string; stdout: string }>;

export type Recording = Readonly<{
  /** Test keys by name. They are valid only for the database of this fixture. */
  keys: Record<string, string>;
  responses: readonly Readonly<{ request: Request; response: Response }>[];
  commands: readonly CommandRun[];
}>;

/** The database of an engine and the responses from it, both compressed with gzip. */
export function fixtureFiles(release: string, engine: 'sqlite' | 'postgres') {
  const at = (name: string) => path.join(RELEASES, release, name);
  return {
    database: at(engine === 'sqlite' ? 'sqlite.db.gz' : 'postgres.sql.gz'),
    recording: at(`${engine}.json.gz`),
  };
}

/** Headers that differ from one response to the next. */
const VARYING_HEADERS = new Set(['connection', 'date', 'keep-alive', 'ratelimit', 'x-request-id']);

/** Sends requests to a server over one connection, one after the other. */
export function openSender(address: string, keys: Record<string, string>): SendRequest & Disposable {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send: SendRequest = ({ method = 'GET', path: target, key, headers }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(address);
      const credential = key === undefined ? {} : { authorization: `Bearer ${keys[key]}` };
      const options = { agent, hostname, port, method, path: target, headers: { ...credential, ...headers } };
      const request = http.request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: stableHeaders(response),
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      request.on('error', reject).end();
    });
  return Object.assign(send, { [Symbol.dispose]: () => agent.destroy() });
}

function stableHeaders({ headers }: http.IncomingMessage): Record<string, string> {
  const lasting = Object.entries(headers).filter(([name]) => !VARYING_HEADERS.has(name));
  return Object.fromEntries(lasting.map(([name, value]) => [name, String(value)]));
}
