import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatApiKey } from '../../../src/domain/access/api-key.ts';
import { TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp } from '../../../support/program/app.ts';
import { createKey, run, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { exchange, rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const CHALLENGE = 'Bearer realm="changelog"';
const INVALID = `${CHALLENGE}, error="invalid_token"`;

describe('the API key', () => {
  const suite = suiteWithWorld();
  const ask = (authorization?: string, url = TEAM_FEED) =>
    suite.app.inject({ url, headers: authorization === undefined ? {} : { authorization } });

  it('a request without a header, with another scheme or with an empty token gets 401 "bearer token is missing"', async () => {
    const bodies = new Set<string>();
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'bearer   ',
      'Basic abc',
      'Digest x',
      suite.world.full,
    ]) {
      const response = await ask(header);
      assert.equal(response.statusCode, 401, header);
      assert.equal(response.headers['www-authenticate'], CHALLENGE, header);
      assert.equal(response.json().error.code, 'unauthorized');
      bodies.add(response.body);
    }
    assert.equal(bodies.size, 1);
    assert.match([...bodies].join(), /bearer token is missing/i);
  });

  it('malformed, unknown and disabled keys get the same 401 body', async () => {
    const unknown = formatApiKey((below) => below - 1);
    const wrongChecksum = `${suite.world.full.slice(0, -1)}${suite.world.full.endsWith('x') ? 'y' : 'x'}`;
    const responses = new Set<string>();
    for (const token of [
      'x',
      'clk_',
      `${suite.world.full} x`,
      `${suite.world.full},x`,
      wrongChecksum,
      'ü',
      'a'.repeat(257),
      unknown,
      suite.world.disabled,
    ]) {
      const response = await ask(`Bearer ${token}`);
      const { date, 'x-request-id': id, ...headers } = response.headers;
      responses.add(JSON.stringify([response.statusCode, headers, response.body]));
      assert.equal(response.headers['www-authenticate'], INVALID, token);
    }
    assert.equal(responses.size, 1, [...responses].join('\n'));
    assert.doesNotMatch([...responses].join(), /missing/);
  });

  it('a token that is not a well-formed key causes no query', async () => {
    suite.queries.length = 0;
    const wrongChecksum = `${suite.world.full.slice(0, -1)}${suite.world.full.endsWith('x') ? 'y' : 'x'}`;
    for (const token of [wrongChecksum, 'a'.repeat(257), `${suite.world.full}é`]) {
      assert.equal((await ask(`Bearer ${token}`)).statusCode, 401);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('the scheme may be in any case, followed by any number of spaces', async () => {
    for (const header of [
      `bearer ${suite.world.full}`,
      `BEARER ${suite.world.full}`,
      `Bearer   ${suite.world.full}`,
    ]) {
      assert.equal((await ask(header)).statusCode, 200, header);
    }
  });

  it('two Authorization lines get 401, even if both have a valid key', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const line = `Authorization: Bearer ${suite.world.full}`;
    const response = await rawRequest(port, [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', line, line]);
    assert.equal(response.status, 401);
    assert.equal(response.headers['www-authenticate'], INVALID);
  });

  it('each request on a connection is judged by its own key', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const { full, select, disabled, vault } = suite.world;
    const wrongChecksum = `${full.slice(0, -1)}${full.endsWith('x') ? 'y' : 'x'}`;
    const [usual, other] = [`Authorization: Bearer ${full}`, `Authorization: Bearer ${select}`];
    const sent: [lines: string[], status: number][] = [
      [[usual], 200],
      [[usual], 200],
      [[`authorization: bearer  ${full}`], 200],
      [[], 401],
      [[other], 200],
      [[usual, usual], 401],
      [[`Authorization: Bearer ${disabled}`], 401],
      [[`Authorization: Bearer ${disabled}`], 401],
      [[`Authorization: Bearer ${vault}`], 403],
      [[`Authorization: Bearer ${wrongChecksum}`], 401],
      [[`Authorization: Bearer ${full.toUpperCase()}`], 401],
      [[usual], 200],
      [[usual, other], 401],
    ];
    const requests = sent.map(([lines], index) => [
      `GET ${TEAM_FEED} HTTP/1.1`,
      'Host: x',
      ...lines,
      ...(index === sent.length - 1 ? ['Connection: close'] : []),
    ]);
    const responses = await exchange(port, requests.map((lines) => `${lines.join('\r\n')}\r\n\r\n`).join(''));
    const statuses = [...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    assert.deepEqual(
      statuses,
      sent.map(([, status]) => status),
    );
  });

  it('a key in the query or, without the gate, in X-API-Key is ignored', async () => {
    for (const url of [
      `${TEAM_FEED}?api_key=${suite.world.full}`,
      `${TEAM_FEED}?access_token=${suite.world.full}`,
      TEAM_FEED,
    ]) {
      const response = await suite.app.inject({ url, headers: { 'x-api-key': suite.world.full } });
      assert.equal(response.statusCode, 401, url);
    }
  });

  it('another team and an unattached product get the same 403, whether they exist or not', async () => {
    const responses = new Set<string>();
    for (const [key, path] of [
      [suite.world.full, 'vault/products/rocket'],
      [suite.world.full, 'nobody/products/rocket'],
      [suite.world.full, 'ACME/products/rocket'],
      [suite.world.vault, 'acme/products/rocket'],
      [suite.world.select, 'acme/products/secret'],
      [suite.world.select, 'acme/products/nothing'],
      [suite.world.select, 'vault/products/rocket'],
    ]) {
      for (const rest of ['changelog', 'changelog/versions/ver_210', 'changelog/versions/ver_none']) {
        const response = await ask(`Bearer ${key}`, `/api/v1/teams/${path}/${rest}`);
        const { date, 'x-request-id': id, ...headers } = response.headers;
        responses.add(JSON.stringify([response.statusCode, headers, response.body]));
      }
    }
    assert.equal(responses.size, 1, [...responses].join('\n'));
    assert.match([...responses].join(), /"forbidden/);
  });

  it('a 403 is decided from the key alone: one query, and none by path', async () => {
    const { key } = await createKey(suite.sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket');
    suite.queries.length = 0;
    const rejected = await ask(`Bearer ${key}`, '/api/v1/teams/acme/products/secret/changelog');
    assert.equal(rejected.statusCode, 403);
    assert.equal(suite.queries.length, 1);
    assert.match(suite.queries[0]?.query.sql ?? '', /join api_keys /);
  });

  it('a FULL key gets 404 for a product that does not exist', async () => {
    assert.equal(
      (await ask(`Bearer ${suite.world.full}`, '/api/v1/teams/acme/products/nothing/changelog')).statusCode,
      404,
    );
  });

  it('a key keeps working after the team leaves the paid plan, while new keys are rejected (R6)', async () => {
    await runOk(suite.sandbox, ['team', 'set', 'acme', '--plan', 'free']);
    assert.equal((await ask(`Bearer ${suite.world.full}`)).statusCode, 200);
    assert.equal((await run(suite.sandbox, ['key', 'create', 'acme', '--kind', 'FULL'])).code, 1);
    await runOk(suite.sandbox, ['team', 'set', 'acme', '--plan', 'paid']);
  });

  it('a key stops working when its team is deleted (R6)', async () => {
    const { key } = await createKey(suite.sandbox, 'vault', '--kind', 'FULL');
    const url = '/api/v1/teams/vault/products/rocket/changelog';
    assert.equal((await ask(`Bearer ${key}`, url)).statusCode, 200);
    await runOk(suite.sandbox, ['team', 'delete', 'vault', '--yes']);
    await becomes(async () => (await ask(`Bearer ${key}`, url)).statusCode, 401);
  });
});
