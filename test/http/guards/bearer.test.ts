import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatApiKey } from '../../../src/domain/access/api-key.ts';
import { TEAM_FEED } from '../../../support/content/world.ts';
import { listenApp } from '../../../support/program/app.ts';
import { createKey, run, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const CHALLENGE = 'Bearer realm="changelog"';
const INVALID = `${CHALLENGE}, error="invalid_token"`;

describe('the bearer key', () => {
  const suite = suiteWithWorld();
  const ask = (authorization?: string, url = TEAM_FEED) =>
    suite.app.inject({ url, headers: authorization === undefined ? {} : { authorization } });

  it('401 that says the bearer token is missing: no header, another scheme, an empty token', async () => {
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
      const answer = await ask(header);
      assert.equal(answer.statusCode, 401, header);
      assert.equal(answer.headers['www-authenticate'], CHALLENGE, header);
      assert.equal(answer.json().error.code, 'unauthorized');
      bodies.add(answer.body);
    }
    assert.equal(bodies.size, 1);
    assert.match([...bodies].join(), /bearer token is missing/i);
  });

  it('401 with one and the same body: malformed, unknown and disabled', async () => {
    const unknown = formatApiKey((below) => below - 1);
    const wrongChecksum = `${suite.world.full.slice(0, -1)}${suite.world.full.endsWith('x') ? 'y' : 'x'}`;
    const answers = new Set<string>();
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
      const answer = await ask(`Bearer ${token}`);
      const { date, ...headers } = answer.headers;
      answers.add(JSON.stringify([answer.statusCode, headers, answer.body]));
      assert.equal(answer.headers['www-authenticate'], INVALID, token);
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.doesNotMatch([...answers].join(), /missing/);
  });

  it('asks the database nothing about a token that cannot be a key', async () => {
    suite.queries.length = 0;
    const wrongChecksum = `${suite.world.full.slice(0, -1)}${suite.world.full.endsWith('x') ? 'y' : 'x'}`;
    for (const token of [wrongChecksum, 'a'.repeat(257), `${suite.world.full}é`]) {
      assert.equal((await ask(`Bearer ${token}`)).statusCode, 401);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('takes the scheme in any case and any space before the token', async () => {
    for (const header of [
      `bearer ${suite.world.full}`,
      `BEARER ${suite.world.full}`,
      `Bearer   ${suite.world.full}`,
    ]) {
      assert.equal((await ask(header)).statusCode, 200, header);
    }
  });

  it('401 for two Authorization lines, even if both carry a good key', async (t) => {
    const { port } = await listenApp(t, suite.workplace);
    const line = `Authorization: Bearer ${suite.world.full}`;
    const answer = await rawRequest(port, [`GET ${TEAM_FEED} HTTP/1.1`, 'Host: x', line, line]);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], INVALID);
  });

  it('never reads a key from the query or, without the gate, from X-API-Key', async () => {
    for (const url of [
      `${TEAM_FEED}?api_key=${suite.world.full}`,
      `${TEAM_FEED}?access_token=${suite.world.full}`,
      TEAM_FEED,
    ]) {
      const answer = await suite.app.inject({ url, headers: { 'x-api-key': suite.world.full } });
      assert.equal(answer.statusCode, 401, url);
    }
  });

  it('403, byte for byte the same, on any other team and on what a SELECT key may not read, existing or not', async () => {
    const answers = new Set<string>();
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
        const answer = await ask(`Bearer ${key}`, `/api/v1/teams/${path}/${rest}`);
        const { date, ...headers } = answer.headers;
        answers.add(JSON.stringify([answer.statusCode, headers, answer.body]));
      }
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.match([...answers].join(), /"forbidden/);
  });

  it('decides 403 from the key alone: one query, and none by the path', async () => {
    const { key } = await createKey(suite.workplace, 'acme', '--kind', 'SELECT', '--product', 'rocket');
    suite.queries.length = 0;
    const refused = await ask(`Bearer ${key}`, '/api/v1/teams/acme/products/secret/changelog');
    assert.equal(refused.statusCode, 403);
    assert.equal(suite.queries.length, 1);
    assert.match(suite.queries[0]?.query.sql ?? '', /join "api_keys"/);
  });

  it('404 for a FULL key on a product that does not exist', async () => {
    assert.equal(
      (await ask(`Bearer ${suite.world.full}`, '/api/v1/teams/acme/products/nothing/changelog')).statusCode,
      404,
    );
  });

  it('goes on working after the team leaves the paid plan, while new keys are refused (R6)', async () => {
    await runOk(suite.workplace, ['team', 'set', 'acme', '--plan', 'free']);
    assert.equal((await ask(`Bearer ${suite.world.full}`)).statusCode, 200);
    assert.equal((await run(suite.workplace, ['key', 'create', 'acme', '--kind', 'FULL'])).code, 1);
    await runOk(suite.workplace, ['team', 'set', 'acme', '--plan', 'paid']);
  });

  it('stops with its team (R6)', async () => {
    const { key } = await createKey(suite.workplace, 'vault', '--kind', 'FULL');
    const url = '/api/v1/teams/vault/products/rocket/changelog';
    assert.equal((await ask(`Bearer ${key}`, url)).statusCode, 200);
    await runOk(suite.workplace, ['team', 'delete', 'vault']);
    await becomes(async () => (await ask(`Bearer ${key}`, url)).statusCode, 401);
  });
});
