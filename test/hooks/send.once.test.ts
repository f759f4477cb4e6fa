// What leaves for a hook arrives once, within a time limit, only where it was meant to go; errors name no secret.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { DeliveryError, type Outgoing, type SendOptions, send } from '../../src/hooks/send.ts';
import { PACKAGE } from '../../src/root.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { SELF_SIGNED } from './self-signed.ts';

const SECRET = 'hunter2';
const SHORT_MS = 100;
const ENVIRONMENT = { PATH: process.env.PATH };

type Received = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string };

const received: Received[] = [];
const replies: Record<string, (response: http.ServerResponse) => void> = {
  '/ok': (response) => response.end(SECRET),
  '/created': (response) => response.writeHead(201).end(),
  '/moved': (response) => response.writeHead(302, { location: `/ok?${SECRET}` }).end(),
  '/missing': (response) => response.writeHead(404, SECRET).end(SECRET),
  '/busy': (response) => response.writeHead(429, { 'retry-after': '7' }).end(),
  '/down': (response) =>
    response.writeHead(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end(),
  '/confused': (response) => response.writeHead(503, { 'retry-after': 'soon' }).end(),
  '/patient': (response) => response.writeHead(500, { 'retry-after': '7' }).end(),
  '/silent': () => {},
  '/unfinished': (response) => response.writeHead(200).write('{'),
  '/unfinished-error': (response) => response.writeHead(500).write('{'),
  '/endless': (response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  },
  '/reset': (response) => response.socket?.resetAndDestroy(),
  '/closed': (response) => response.socket?.destroy(),
  '/upgrade': (response) => response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
};

function reply(request: http.IncomingMessage, response: http.ServerResponse) {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    received.push({ method, path: url, headers, body });
    replies[new URL(url, 'http://x').pathname]?.(response);
  });
}

const plain = http.createServer(reply);
const secure = https.createServer(SELF_SIGNED, reply);
const origin = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

before(async () => {
  for (const server of [plain, secure]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
after(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});

const requestTo = (url: string, changes: object = {}): Outgoing => ({
  method: 'POST',
  url,
  headers: { authorization: `Bearer ${SECRET}` },
  body: `{"secret":"${SECRET}"}`,
  ...changes,
});
const deliver = (outgoing: Outgoing | readonly Outgoing[], options: Partial<SendOptions> = {}) =>
  send([outgoing].flat(), { environment: ENVIRONMENT, ...options });
const sendTo = (name: string, options?: Partial<SendOptions>) =>
  deliver(requestTo(`http://${origin(plain)}${name}?token=${SECRET}`), options);

async function failureOf(delivery: Promise<void>): Promise<DeliveryError> {
  const error = await delivery.then(
    () => assert.fail('it was delivered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DeliveryError, String(error));
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /hunter2|127\.0\.0\.1|\.invalid/);
  assert.equal(error.cause, undefined);
  return error;
}
const messageOf = async (delivery: Promise<void>) => (await failureOf(delivery)).message;

describe('a request', () => {
  it('arrives with its method, headers and body, the name of this program, and no connection to keep', async () => {
    received.length = 0;
    await sendTo('/ok');
    const [request] = received;
    assert.equal(request?.method, 'POST');
    assert.equal(request?.path, `/ok?token=${SECRET}`);
    assert.equal(request?.body, `{"secret":"${SECRET}"}`);
    assert.equal(request?.headers.authorization, `Bearer ${SECRET}`);
    assert.equal(request?.headers['user-agent'], `changelog-read-api/${PACKAGE.version}`);
    assert.equal(request?.headers.connection, 'close');
  });

  it('may be a PURGE without a body', async () => {
    received.length = 0;
    await deliver(requestTo(`http://${origin(plain)}/ok`, { method: 'PURGE', body: '' }));
    assert.deepEqual(
      received.map(({ method, body }) => [method, body]),
      [['PURGE', '']],
    );
  });

  it('succeeds with any 2xx status, also if the body is endless, or never ends', async () => {
    await sendTo('/created');
    await sendTo('/endless');
    await sendTo('/unfinished');
  });

  it('fails with other statuses; redirects are not followed', async () => {
    received.length = 0;
    assert.equal(await messageOf(sendTo('/moved')), 'HTTP 302: redirects are not followed');
    assert.equal(
      await messageOf(sendTo('/missing')),
      'HTTP 404: the receiver has nothing at this URL; check it',
    );
    assert.equal(await messageOf(sendTo('/unfinished-error')), 'HTTP 500');
    assert.deepEqual(
      received.map((request) => request.path.split('?')[0]),
      ['/moved', '/missing', '/unfinished-error'],
    );
  });

  it('says how long a busy receiver asks to wait, in seconds or until a date', async () => {
    const busy = await failureOf(sendTo('/busy'));
    assert.deepEqual([busy.message, busy.retryAfterMs], ['HTTP 429: too many requests', 7_000]);
    const { retryAfterMs } = await failureOf(sendTo('/down'));
    assert.ok(retryAfterMs !== null && retryAfterMs > 50_000 && retryAfterMs <= 60_000, `${retryAfterMs}`);
    assert.equal((await failureOf(sendTo('/confused'))).retryAfterMs, null);
    assert.equal((await failureOf(sendTo('/patient'))).retryAfterMs, null);
  });

  it('fails if there is no response within the time limit, or if it is stopped', async () => {
    assert.equal(
      await messageOf(sendTo('/silent', { timeLimitMs: SHORT_MS })),
      'no response within 0.1 seconds',
    );
    const stopped = 'stopped before there was a response';
    assert.equal(await messageOf(sendTo('/silent', { signal: AbortSignal.timeout(SHORT_MS) })), stopped);
    assert.equal(await messageOf(sendTo('/ok', { signal: AbortSignal.abort() })), stopped);
  });

  it('fails if the connection is closed, or if what comes back is not HTTP', async () => {
    assert.equal(await messageOf(sendTo('/reset')), 'ECONNRESET: the connection was closed');
    assert.equal(await messageOf(sendTo('/closed')), 'UND_ERR_SOCKET: the connection was closed');
    assert.equal(await messageOf(sendTo('/upgrade')), 'UND_ERR_SOCKET: the connection was closed');
    const other = net.createServer((socket) =>
      socket
        .resume()
        .on('error', () => {})
        .end(`${SECRET}\r\n`),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const url = `http://${origin(other)}/`;
    assert.equal(await messageOf(deliver(requestTo(url))), 'the request failed');
    assert.match(
      await messageOf(deliver(requestTo(url.replace('http:', 'https:')))),
      /^ERR_SSL_WRONG_VERSION_NUMBER: .* http:$/,
    );
    await once(other.close(), 'close');
    assert.equal(await messageOf(deliver(requestTo(url))), 'ECONNREFUSED: nothing listens there');
  });

  it('takes the name and the password of its URL along, and connects to no port of another protocol', async () => {
    received.length = 0;
    const url = `http://me:${SECRET}%21@${origin(plain)}/ok`;
    await deliver(requestTo(url, { headers: {} }));
    const basic = Buffer.from(`me:${SECRET}!`).toString('base64');
    assert.equal(received[0]?.headers.authorization, `Basic ${basic}`);
    assert.match(await messageOf(deliver(requestTo('http://127.0.0.1:6667/'))), /^bad port: /);
  });

  it('fails without its text if it cannot be sent at all', async () => {
    const messageFor = async (url: string, headers = {}) => messageOf(deliver(requestTo(url, { headers })));
    assert.equal(await messageFor(`http://${SECRET}:x`), 'ERR_INVALID_URL');
    assert.equal(await messageFor(`ftp://127.0.0.1/${SECRET}`), 'the request failed');
    assert.equal(
      await messageFor(`http://${origin(plain)}/ok`, { authorization: `Bearer ${SECRET}\nx` }),
      'the request failed',
    );
    assert.match(await messageFor('http://hunter2.invalid/'), /^(?:ENOTFOUND|EAI_AGAIN): the host name/);
  });

  it('several are sent at once, and fail together once all have ended', async () => {
    received.length = 0;
    const all = ['/moved', '/ok', '/created'].map((name) => requestTo(`http://${origin(plain)}${name}`));
    assert.equal(await messageOf(deliver(all)), 'HTTP 302: redirects are not followed');
    assert.equal(received.length, 3);
    await deliver(all.slice(1));
    await deliver([]);
  });
});

describe('a request over TLS', () => {
  const send = (options: Partial<SendOptions> = {}) =>
    deliver(requestTo(`https://${origin(secure)}/ok`), options);
  const REFUSED = /^DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is not signed by an authority/;

  it('fails if nobody vouches for the certificate, and is not sent at all with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    received.length = 0;
    assert.match(await messageOf(send()), REFUSED);
    const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    assert.match(
      await messageOf(send({ environment })),
      /^NODE_TLS_REJECT_UNAUTHORIZED: it is 0, .* NODE_EXTRA_CA_CERTS$/,
    );
    assert.deepEqual(received, []);
  });

  it('arrives if the certificate is trusted and for that host', async (t) => {
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, SELF_SIGNED.cert]);
    t.after(() => tls.setDefaultCACertificates(trusted));
    await send();
    const other = `https://localhost:${(secure.address() as AddressInfo).port}/ok`;
    assert.equal(
      await messageOf(deliver(requestTo(other))),
      'ERR_TLS_CERT_ALTNAME_INVALID: the certificate is for another host',
    );
  });
});

describe('a command', () => {
  const folder = temporaryFolder(sharedScope());
  const file = (name: string) => path.join(folder, name);
  const run = (script: string, options?: Partial<SendOptions>) =>
    deliver(
      {
        command: ['/bin/sh', '-c', script, 'sh', file('out'), SECRET],
        input: '{"type":"version.published"}',
        variables: { CHANGELOG_HOOK: 'mail' },
      },
      { environment: { PATH: process.env.PATH }, ...options },
    );

  it('gets the input, its parameters and the environment without the settings of this service', async () => {
    const environment = {
      PATH: process.env.PATH,
      SMTP_PASSWORD: 'for the command',
      DATABASE_URL: SECRET,
      PASSWORD_PROTECTION_PASSWORD: SECRET,
      CHANGELOG_REDIS_URL: SECRET,
      CHANGELOG_HOOK: 'other',
    };
    await run('cat >"$1"; env >>"$1"; echo out; echo err >&2', { environment });
    const [input = '', ...lines] = readFileSync(file('out'), 'utf8')
      .trimEnd()
      .split(/(?<=\})|\n/);
    assert.equal(input, '{"type":"version.published"}');
    const own = ['PWD=', 'SHLVL=', '_=', 'OLDPWD='];
    assert.deepEqual(lines.filter((line) => !own.some((start) => line.startsWith(start))).sort(), [
      'CHANGELOG_HOOK=mail',
      `PATH=${process.env.PATH}`,
      'SMTP_PASSWORD=for the command',
    ]);
  });

  it('need not read its input', async () => {
    const input = 'x'.repeat(1024 * 1024);
    await deliver({ command: ['/bin/true'], input, variables: {} });
  });

  it('fails with its exit code or its signal, and without its words', async () => {
    assert.equal(await messageOf(run('echo "$2" >&2; exit 3')), 'exit code 3');
    assert.equal(await messageOf(run('kill -KILL $$')), 'ended by SIGKILL');
  });

  it('fails if the program does not exist, may not be run or is not a name', async () => {
    const messageFor = (program: string) =>
      messageOf(deliver({ command: [program, SECRET], input: '', variables: {} }));
    assert.equal(await messageFor(file(SECRET)), 'ENOENT: the program does not exist');
    writeFileSync(file('text'), SECRET);
    assert.equal(await messageFor(file('text')), 'EACCES: the program may not be run');
    assert.equal(await messageFor(`${SECRET}\0`), 'ERR_INVALID_ARG_VALUE');
  });

  it('is ended at the time limit, or when it is stopped, with everything it started', async () => {
    const script = '(sleep 0.3; touch "$1.late") & wait';
    assert.equal(await messageOf(run(script, { timeLimitMs: SHORT_MS })), 'not ended within 0.1 seconds');
    assert.equal(
      await messageOf(run(script, { signal: AbortSignal.timeout(SHORT_MS) })),
      'stopped before it ended',
    );
    await run('sleep 0.3');
    assert.equal(existsSync(file('out.late')), false);
  });
});
