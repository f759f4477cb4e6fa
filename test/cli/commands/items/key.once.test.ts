import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isApiKey } from '../../../../src/domain/access/api-key.ts';
import { dump, query } from '../../../../support/databases/engine.ts';
import type { Scope } from '../../../../support/processes/scope.ts';
import { startApp } from '../../../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { expectFailure, expectMisuse, runJson, sandboxOf } from '../../helpers.ts';

const NOW = '2026-06-01T08:00:00.000Z';

async function world(scope: Scope): Promise<Sandbox> {
  const sandbox = sandboxOf(scope, { now: NOW });
  const products = ['rocket', 'sled', 'tent'].map((slug) => ({ slug, name: slug, changelog: {} }));
  await apply(sandbox, { team: { slug: 'acme', name: 'Acme', plan: 'paid' }, products });
  await apply(sandbox, {
    team: { slug: 'other', name: 'Other', plan: 'paid' },
    products: [{ slug: 'boat', name: 'Boat' }],
  });
  await apply(sandbox, { team: { slug: 'poor', name: 'Poor', plan: 'free' } });
  return sandbox;
}

const select = (...slugs: string[]) => ['--kind', 'SELECT', ...slugs.flatMap((slug) => ['--product', slug])];

/** The status of a request with the key for a product of acme. */
async function statusOf(scope: Scope, sandbox: Sandbox, key: string, product = 'rocket'): Promise<number> {
  const { app } = await startApp(scope, sandbox);
  const url = `/api/v1/teams/acme/products/${product}/changelog`;
  return (await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode;
}

describe('key create', () => {
  it('key create --json prints exactly the fields of the contract', async (t) => {
    const sandbox = await world(t);
    const full = await runJson<Record<string, string>>(sandbox, [
      'key',
      'create',
      'acme',
      '--kind',
      'FULL',
      '--name',
      'Our site',
    ]);
    assert.deepEqual(Object.keys(full), ['id', 'key', 'team', 'kind', 'products', 'status', 'name']);
    assert.deepEqual(full, {
      id: full.id,
      key: full.key,
      team: 'acme',
      kind: 'FULL',
      products: [],
      status: 'active',
      name: 'Our site',
    });
    assert.match(full.id ?? '', /^key_/);
    assert.ok(isApiKey(full.key ?? ''));
    const some = await runJson<object>(sandbox, [
      'key',
      'create',
      'acme',
      ...select('sled', 'rocket', 'sled'),
    ]);
    assert.deepEqual(
      { ...some, id: '', key: '' },
      {
        id: '',
        key: '',
        team: 'acme',
        kind: 'SELECT',
        products: ['sled', 'rocket'],
        status: 'active',
        name: null,
      },
    );
  });

  it('key create prints a key that works', async (t) => {
    const sandbox = await world(t);
    const printed = await runOk(sandbox, ['key', 'create', 'acme', '--kind', 'FULL']);
    const [key = ''] = /clk_\w+/.exec(printed) ?? [];
    assert.match(printed, /not shown again/);
    assert.equal(printed.split(key).length, 2, 'printed once');
    assert.equal(await statusOf(t, sandbox, key), 200);
  });

  it('key create creates a different key each time', async (t) => {
    const sandbox = await world(t);
    const keys = [];
    for (let i = 0; i < 5; i++) keys.push((await createKey(sandbox, 'acme', '--kind', 'FULL')).key);
    assert.equal(new Set(keys).size, 5);
  });

  it('key create takes a kind in any case, and stores it as FULL or SELECT', async (t) => {
    const sandbox = await world(t);
    const kindOf = async (...flags: string[]) =>
      (await runJson<{ kind: string }>(sandbox, ['key', 'create', 'acme', ...flags])).kind;
    assert.equal(await kindOf('--kind', 'full'), 'FULL');
    assert.equal(await kindOf('--kind', 'Select', '--product', 'rocket'), 'SELECT');
    assert.match(await expectMisuse(sandbox, ['key', 'create', 'acme', '--kind', 'half']), /FULL, SELECT/);
    assert.match(
      await expectMisuse(sandbox, ['key', 'create', 'acme', '--kind', 'full', '--product', 'rocket']),
      /leave out --product/,
    );
  });

  it('key create fails on the free plan, saying that keys need a paid one', async (t) => {
    const sandbox = await world(t);
    const message = await expectFailure(sandbox, ['key', 'create', 'poor', '--kind', 'FULL']);
    assert.match(message, /API keys need a paid plan.*`changelog team set poor --plan paid`/);
  });

  it('key create fails for an unknown team', async (t) => {
    const sandbox = await world(t);
    assert.match(await expectFailure(sandbox, ['key', 'create', 'x', '--kind', 'FULL']), /no team x: /);
  });

  it('key create fails for a product that is unknown or of another team', async (t) => {
    const sandbox = await world(t);
    for (const slug of ['nothing', 'boat']) {
      const message = await expectFailure(sandbox, ['key', 'create', 'acme', ...select('rocket', slug)]);
      assert.match(message, new RegExp(`no product acme/${slug}: `));
    }
  });

  it('key create needs products for a SELECT key, and none for a FULL key', async (t) => {
    const sandbox = await world(t);
    assert.match(
      await expectMisuse(sandbox, ['key', 'create', 'acme', '--kind', 'SELECT']),
      /one product or more/,
    );
    const full = ['key', 'create', 'acme', '--kind', 'FULL', '--product', 'rocket'];
    assert.match(await expectMisuse(sandbox, full), /FULL key reads all products/);
    assert.match(await expectMisuse(sandbox, ['key', 'create', 'acme']), /--kind/);
  });
});

describe('the secret of a key', () => {
  it('the secret of a key is never shown again', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', ...select('rocket'));
    const printed = [
      await runOk(sandbox, ['key', 'list', 'acme']),
      await runOk(sandbox, ['key', 'list', 'acme', '--json']),
      await runOk(sandbox, ['key', 'disable', id]),
      await runOk(sandbox, ['key', 'enable', id, '--json']),
      await runOk(sandbox, ['key', 'attach', id, 'sled', '--json']),
      await runOk(sandbox, ['key', 'detach', id, 'sled']),
      await runOk(sandbox, ['export', 'acme']),
      await runOk(sandbox, ['key', 'delete', id, '--json', '--yes']),
    ].join('');
    assert.ok(!printed.includes(key));
    assert.doesNotMatch(printed, /clk_|[0-9a-f]{64}/);
  });

  it('the secret of a key is not in the database', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const rows = JSON.stringify(await dump(sandbox));
    assert.ok(rows.includes(id));
    for (const part of [key, key.slice('clk_'.length), key.slice(4, 36)]) assert.ok(!rows.includes(part));
  });

  it('a key typed instead of its id is not repeated', async (t) => {
    const sandbox = await world(t);
    const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    for (const verb of ['disable', 'enable', 'delete']) {
      const message = await expectFailure(sandbox, ['key', verb, key]);
      assert.ok(!message.includes(key));
      assert.match(message, /no key with that id: `changelog key list TEAM`/);
    }
  });
});

describe('key list', () => {
  it('key list shows the keys of one team, oldest first', async (t) => {
    const sandbox = await world(t);
    const first = await createKey(sandbox, 'acme', '--kind', 'FULL', '--name', 'First');
    const second = await createKey(
      { ...sandbox, now: '2026-07-01T00:00:00.000Z' },
      'acme',
      ...select('tent', 'sled'),
    );
    await createKey(sandbox, 'other', '--kind', 'FULL');
    assert.deepEqual(await runJson(sandbox, ['key', 'list', 'acme']), [
      {
        id: first.id,
        team: 'acme',
        kind: 'FULL',
        products: [],
        status: 'active',
        name: 'First',
        createdAt: NOW,
        expiresAt: null,
        lastUsedAt: null,
      },
      {
        id: second.id,
        team: 'acme',
        kind: 'SELECT',
        products: ['sled', 'tent'],
        status: 'active',
        name: null,
        createdAt: '2026-07-01T00:00:00.000Z',
        expiresAt: null,
        lastUsedAt: null,
      },
    ]);
    assert.match(await runOk(sandbox, ['key', 'list', 'acme']), new RegExp(`${second.id}.*sled, tent`));
  });

  it('key list shows no last use with KEY_USAGE=off', async (t) => {
    const sandbox = await world(t);
    const { id } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const unrecorded = { ...sandbox, environment: { KEY_USAGE: 'off' } };
    const [key] = await runJson<Record<string, unknown>[]>(unrecorded, ['key', 'list', 'acme']);
    assert.ok(key !== undefined && !('lastUsedAt' in key));
    assert.match(await runOk(sandbox, ['key', 'list', 'acme']), /LAST USED AT/);
    assert.doesNotMatch(await runOk(unrecorded, ['key', 'list', 'acme']), /USED/);
    assert.ok(!('lastUsedAt' in (await runJson<object>(unrecorded, ['key', 'disable', id]))));
  });

  it('key list says so if there are no keys, and fails for an unknown team', async (t) => {
    const sandbox = await world(t);
    assert.match(
      await runOk(sandbox, ['key', 'list', 'acme']),
      /no keys yet. `changelog key create`.*paid plan/,
    );
    assert.deepEqual(await runJson(sandbox, ['key', 'list', 'acme']), []);
    assert.match(await expectFailure(sandbox, ['key', 'list', 'x']), /no team x: /);
  });
});

describe('a key', () => {
  it('a key stops working when it is disabled, works when it is enabled, and is gone when it is deleted', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    assert.equal((await runJson<{ status: string }>(sandbox, ['key', 'disable', id])).status, 'disabled');
    assert.equal(await statusOf(t, sandbox, key), 401);
    assert.equal((await runJson<{ status: string }>(sandbox, ['key', 'enable', id])).status, 'active');
    assert.equal(await statusOf(t, sandbox, key), 200);
    assert.deepEqual(await runJson(sandbox, ['key', 'delete', id, '--yes']), { deleted: id });
    assert.equal(await statusOf(t, sandbox, key), 401);
    assert.match(await expectFailure(sandbox, ['key', 'enable', id]), /no key with that id/);
  });

  it('a SELECT key can be attached to and detached from products', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', ...select('rocket'));
    const attach = (verb: string, ...slugs: string[]) =>
      runJson<{ products: string[] }>(sandbox, ['key', verb, id, ...slugs]);
    assert.equal(await statusOf(t, sandbox, key, 'sled'), 403);
    assert.deepEqual((await attach('attach', 'sled', 'tent')).products, ['rocket', 'sled', 'tent']);
    assert.deepEqual((await attach('attach', 'sled')).products, ['rocket', 'sled', 'tent']);
    assert.equal(await statusOf(t, sandbox, key, 'sled'), 200);
    assert.deepEqual((await attach('detach', 'sled', 'tent')).products, ['rocket']);
    assert.equal(await statusOf(t, sandbox, key, 'sled'), 403);
  });

  it('key attach and detach change nothing if one product is unknown, of another team or not attached', async (t) => {
    const sandbox = await world(t);
    const { id } = await createKey(sandbox, 'acme', ...select('rocket'));
    for (const slug of ['nothing', 'boat']) {
      assert.match(await expectFailure(sandbox, ['key', 'attach', id, 'sled', slug]), /no product acme\//);
      assert.match(await expectFailure(sandbox, ['key', 'detach', id, 'rocket', slug]), /no product acme\//);
    }
    const message = await expectFailure(sandbox, ['key', 'detach', id, 'rocket', 'sled']);
    assert.match(message, /sled is not attached .*`changelog key list acme`/);
    await expectMisuse(sandbox, ['key', 'attach', id]);
  });

  it('a FULL key cannot be attached or detached', async (t) => {
    const sandbox = await world(t);
    const { id } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    for (const verb of ['attach', 'detach']) {
      assert.match(await expectFailure(sandbox, ['key', verb, id, 'rocket']), /FULL key/);
    }
  });

  it('a key is deleted with its team (R6)', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', ...select('rocket'));
    await runOk(sandbox, ['team', 'delete', 'acme', '--yes']);
    assert.equal(await statusOf(t, sandbox, key), 401);
    assert.match(await expectFailure(sandbox, ['key', 'enable', id]), /no key with that id/);
    assert.deepEqual(await query(sandbox, 'select * from api_key_products'), []);
  });

  it('a key keeps working when its team leaves the paid plan, and no new one can be created (R6)', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', ...select('rocket'));
    await runOk(sandbox, ['team', 'set', 'acme', '--plan', 'free']);
    assert.equal(await statusOf(t, sandbox, key), 200);
    await runOk(sandbox, ['key', 'disable', id]);
    await runOk(sandbox, ['key', 'enable', id]);
    assert.match(await expectFailure(sandbox, ['key', 'create', 'acme', '--kind', 'FULL']), /paid plan/);
  });

  it('a SELECT key does not read a product that was deleted and created again', async (t) => {
    const sandbox = await world(t);
    const { key } = await createKey(sandbox, 'acme', ...select('rocket', 'sled'));
    await runOk(sandbox, ['product', 'delete', 'acme/rocket', '--yes']);
    const rocket = { slug: 'rocket', name: 'Another', changelog: {} };
    await apply(sandbox, { team: { slug: 'acme', name: 'Acme', plan: 'paid' }, products: [rocket] });
    assert.equal(await statusOf(t, sandbox, key), 403);
  });
});
