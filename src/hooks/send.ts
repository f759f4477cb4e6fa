// What leaves for a hook, and the one way in which it does.
import { type ChildProcess, spawn } from 'node:child_process';
import { type Environment, PREFIX, VARIABLES } from '../config.ts';
import { withoutCredentials } from '../domain/hook.ts';
import { PACKAGE } from '../root.ts';

/** Values, so that a dry run shows what would be sent. */
export type OutgoingRequest = Readonly<{
  method: 'POST' | 'PURGE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type OutgoingCommand = Readonly<{
  command: readonly [program: string, ...parameters: string[]];
  /** For its standard input. */
  input: string;
  /** Variables that are added to its environment, or left out of it if they are undefined. */
  variables: Readonly<Record<string, string | undefined>>;
}>;

export type Outgoing = OutgoingRequest | OutgoingCommand;

export type SendOptions = Readonly<{
  /** That of this process. Programs get it without this service's settings. */
  environment: Environment;
  /** For looking up the host, connecting and the response; or for the program to end. */
  timeLimitMs?: number;
  /** Ends it early. */
  signal?: AbortSignal;
}>;

const TIME_LIMIT_MS = 10_000;
/** How long a program may take to end once it is asked to. */
const END_MS_MAX = 2_000;

/** Why a delivery failed. The message has neither the URL nor a secret, because it is logged and stored. */
export class DeliveryError extends Error {
  /** How long the receiver asks to wait, from its `Retry-After`. */
  readonly retryAfterMs: number | null;

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason in MEANINGS ? `${reason}: ${MEANINGS[reason]}` : reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Throws a `DeliveryError`. If there are several, all are sent at once, and the first error counts when all have ended. */
export async function send(outgoing: readonly Outgoing[], options: SendOptions): Promise<void> {
  const ended = await Promise.allSettled(
    outgoing.map((each) => ('command' in each ? runCommand(each, options) : sendRequest(each, options))),
  );
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function limitOf({ timeLimitMs = TIME_LIMIT_MS, signal }: SendOptions, lack: string, end: string) {
  const timeout = AbortSignal.timeout(timeLimitMs);
  return {
    signal: AbortSignal.any(signal === undefined ? [timeout] : [timeout, signal]),
    /** Why it was ended early, if it was. */
    error: () => {
      if (signal?.aborted) return new DeliveryError(`stopped before ${end}`);
      return timeout.aborted ? new DeliveryError(`${lack} within ${timeLimitMs / 1000} seconds`) : null;
    },
  };
}

/**
 * Succeeds with any 2xx status, whatever follows it: the receiver has the message, and sending it again would only repeat
 * it. Redirects are not followed, because they could lead anywhere.
 */
async function sendRequest(
  { method, url, headers, body }: OutgoingRequest,
  options: SendOptions,
): Promise<void> {
  if (url.startsWith('https:') && options.environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new DeliveryError('NODE_TLS_REJECT_UNAUTHORIZED');
  const limit = limitOf(options, 'no response', 'there was a response');
  try {
    const response = await fetch(withoutCredentials(url), {
      method,
      redirect: 'manual',
      // A connection that is kept could be closed by the receiver just when it is used again.
      headers: { 'user-agent': USER_AGENT, connection: 'close', ...authorizationIn(url), ...headers },
      body: body || null,
      signal: limit.signal,
    });
    // The status counts, not what becomes of the body.
    await response.body?.cancel().catch(() => {});
    requireSuccess(response);
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    throw limit.error() ?? new DeliveryError(codeOf(error as Error) ?? 'the request failed');
  }
}

const USER_AGENT = `${PACKAGE.name}/${PACKAGE.version}`;

/** `fetch` takes no URL with a name and a password. */
function authorizationIn(text: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(text);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function requireSuccess({ ok, status, headers }: Response): void {
  if (ok) return;
  if (status >= 300 && status < 400) throw new DeliveryError(`HTTP ${status}: redirects are not followed`);
  const isBusy = status === 429 || status === 503;
  throw new DeliveryError(`HTTP ${status}`, isBusy ? retryAfterMs(headers.get('retry-after') ?? '') : null);
}

/** From seconds or a date. */
function retryAfterMs(text: string): number | null {
  const ms = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil(ms));
}

/** Messages of errors may have the host in them. */
function codeOf(error: Error): string | undefined {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return code ?? [BAD_PORT].find((known) => known === message);
}

/** Runs the program without a shell. What it prints is discarded, because it may have secrets in it. */
async function runCommand(
  { command: [program, ...parameters], input, variables }: OutgoingCommand,
  options: SendOptions,
): Promise<void> {
  const env = { ...withoutSettings(options.environment), ...variables };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const limit = limitOf(options, 'not ended', 'it ended');
  try {
    // In a process group of its own, so that it ends with everything it started.
    const child = spawn(program, parameters, { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    let killer: NodeJS.Timeout | undefined;
    const end = () => {
      killGroup(child, 'SIGTERM');
      killer = setTimeout(() => killGroup(child, 'SIGKILL'), END_MS_MAX);
    };
    limit.signal.addEventListener('abort', end);
    if (limit.signal.aborted) end();
    child.on('error', reject);
    child.on('exit', (code, signalName) => {
      clearTimeout(killer);
      limit.signal.removeEventListener('abort', end);
      // What the program started may still be running.
      if (limit.signal.aborted) killGroup(child, 'SIGKILL');
      else if (code === 0) return resolve();
      const text = code === null ? `ended by ${signalName}` : `exit code ${code}`;
      reject(limit.error() ?? new DeliveryError(text));
    });
    // A program need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    await promise;
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    // Other messages of Node.js have the command in them.
    throw new DeliveryError((error as NodeJS.ErrnoException).code ?? 'the program cannot be run');
  }
}

/** Commands need no secret of this service, and a program of ours that they run must not take its settings. */
const withoutSettings = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith(PREFIX) && !VARIABLES.has(name)),
  );

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

const BAD_PORT = 'bad port';
const CHECK_SECRET = 'access denied; check the URL and the secret';
const CHECK_URL = 'the receiver has nothing at this URL; check it';
const UNTRUSTED =
  'the certificate is not signed by an authority that Node.js trusts; see NODE_EXTRA_CA_CERTS';

const MEANINGS: Readonly<Record<string, string>> = {
  'HTTP 401': CHECK_SECRET,
  'HTTP 403': CHECK_SECRET,
  'HTTP 404': CHECK_URL,
  'HTTP 410': CHECK_URL,
  'HTTP 429': 'too many requests',
  NODE_TLS_REJECT_UNAUTHORIZED:
    'it is 0, so nobody would verify the certificate; unset it, and see NODE_EXTRA_CA_CERTS',
  [BAD_PORT]: 'it belongs to another protocol, so nothing is sent there',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'the receiver does not understand TLS; check whether its URL begins with http:',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOENT: 'the program does not exist',
  EACCES: 'the program may not be run',
  ETIMEDOUT: 'the host does not respond',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};
