// Keys with an end, and `key rotate` (R67). The commands and the server have their own clocks here.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dump, execute } from '../../../../support/databases/engine.ts';
import type { Scope } from '../../../../support/processes/scope.ts';
import { startApp } from '../../../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { expectFailure, expectMisuse, runJson, sandboxOf } from '../../helpers.ts';

const YESTERDAY = daysFromNow(-1);
const TOMORROW = daysFromNow(1);

type Shown = { id: string; status: string; expiresAt: string | null };
type Rotated = Shown & { key?: string; replaces: Shown };

async function world(scope: Scope): Promise<Sandbox> {
  const sandbox = sandboxOf(scope);
  const products = ['rocket', 'sled'].map((slug) => ({ slug, name: slug, changelog: {} }));
  await apply(sandbox, { team: { slug: 'acme', name: 'Acme', plan: 'paid' }, products });
  return sandbox;
}

/** The response to a request with the key. */
async function ask(scope: Scope, sandbox: Sandbox, key: string, product = 'rocket') {
  const { app } = await startApp(scope, sandbox);
  const url = `/api/v1/teams/acme/products/${product}/changelog`;
  return await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
}

const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).statusCode;
const full = ['--kind', 'FULL'] as const;
const listed = (sandbox: Sandbox) => runJson<Shown[]>(sandbox, ['key', 'list', 'acme']);
const rotate = (sandbox: Sandbox, ...args: string[]) => runJson<Rotated>(sandbox, ['key', 'rotate', ...args]);

/** Made two days ago, with an end a day ago. */
const createExpired = (sandbox: Sandbox, ...flags: string[]) =>
  createKey({ ...sandbox, now: daysFromNow(-2) }, 'acme', ...flags, '--expires', YESTERDAY);

describe('key create --expires', () => {
  it('a key works until its end, and is then a disabled one: its response is that to an unknown key', async (t) => {
    const sandbox = await world(t);
    const { key } = await createKey(sandbox, 'acme', ...full, '--expires', TOMORROW);
    assert.equal(await statusOf(t, sandbox, key), 200);
    const expired = await createExpired(sandbox, ...full);
    const disabled = await createKey(sandbox, 'acme', ...full);
    await runOk(sandbox, ['key', 'disable', disabled.id]);
    const [first, second] = [await ask(t, sandbox, expired.key), await ask(t, sandbox, disabled.key)];
    assert.equal(first.statusCode, 401);
    assert.equal(first.body, second.body);
    assert.deepEqual(withoutTimes(first.headers), withoutTimes(second.headers));
  });

  it('a server that has used a key rejects it from the moment that it ends', async (t) => {
    const sandbox = await world(t);
    const { key, id } = await createKey(sandbox, 'acme', ...full);
    const { app } = await startApp(t, sandbox);
    const url = '/api/v1/teams/acme/products/rocket/changelog';
    const send = async () =>
      (await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode;
    assert.equal(await send(), 200);
    await execute(sandbox, `update api_keys set expires_at = '${TOMORROW}' where id = '${id}'`);
    assert.equal(await send(), 200);
    await execute(sandbox, `update api_keys set expires_at = '${YESTERDAY}' where id = '${id}'`);
    assert.equal(await send(), 401);
  });

  it('--json has expiresAt only for a key with an end; key list shows it, and an expired key as disabled', async (t) => {
    const sandbox = await world(t);
    const made = await runJson<object>(sandbox, [
      'key',
      'create',
      'acme',
      ...full,
      '--expires',
      '2999-01-31',
    ]);
    assert.deepEqual(Object.keys(made).slice(-2), ['name', 'expiresAt']);
    const never = await runJson<object>(sandbox, ['key', 'create', 'acme', ...full]);
    assert.ok(!('expiresAt' in never));
    await createExpired(sandbox, ...full);
    const shown = (await listed(sandbox)).map(({ status, expiresAt }) => [status, expiresAt]);
    assert.deepEqual(
      shown.sort(),
      [
        ['active', '2999-01-31T00:00:00.000Z'],
        ['active', null],
        ['disabled', YESTERDAY],
      ].sort(),
    );
  });

  it('a time that has passed is refused, and a text that is no date is a wrong usage', async (t) => {
    const sandbox = await world(t);
    const before = await dump(sandbox);
    const message = await expectFailure(sandbox, ['key', 'create', 'acme', ...full, '--expires', YESTERDAY]);
    assert.match(message, /a key cannot end at .*, which has passed; choose a later --expires/);
    for (const text of ['soon', '2027-02-30', ''])
      assert.match(
        await expectMisuse(sandbox, ['key', 'create', 'acme', ...full, '--expires', text]),
        /ISO 8601, such as/,
      );
    assert.deepEqual(await dump(sandbox), before);
  });

  it('the database refuses an end that is not a timestamp', async (t) => {
    const sandbox = await world(t);
    await createKey(sandbox, 'acme', ...full);
    await assert.rejects(
      execute(sandbox, `update api_keys set expires_at = '2027-01-01'`),
      /api_keys_end_form|CHECK/,
    );
  });

  it('key enable makes an expired key work again, without an end', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createExpired(sandbox, ...full);
    const enabled = await runJson<Shown>(sandbox, ['key', 'enable', id]);
    assert.deepEqual([enabled.status, enabled.expiresAt], ['active', null]);
    assert.equal(await statusOf(t, sandbox, key), 200);
  });

  it('key enable leaves an end that is to come', async (t) => {
    const sandbox = await world(t);
    const { id } = await createKey(sandbox, 'acme', ...full, '--expires', TOMORROW);
    await runOk(sandbox, ['key', 'disable', id]);
    assert.equal((await runJson<Shown>(sandbox, ['key', 'enable', id])).expiresAt, TOMORROW);
  });
});

describe('key rotate', () => {
  it('makes a new key of the same scope and name, and without a grace the old one ends at once', async (t) => {
    const sandbox = await world(t);
    const flags = ['--kind', 'SELECT', '--product', 'sled', '--name', 'status page'];
    const old = await createKey(sandbox, 'acme', ...flags);
    const made = await rotate(sandbox, old.id);
    assert.deepEqual(made, {
      id: made.id,
      key: made.key,
      team: 'acme',
      kind: 'SELECT',
      products: ['sled'],
      status: 'active',
      name: 'status page',
      replaces: { id: old.id, status: 'disabled', expiresAt: null },
    });
    assert.notEqual(made.id, old.id);
    assert.equal(await statusOf(t, sandbox, old.key, 'sled'), 401);
    assert.equal(await statusOf(t, sandbox, made.key ?? '', 'sled'), 200);
    assert.equal(await statusOf(t, sandbox, made.key ?? '', 'rocket'), 403);
  });

  it('with --grace the old key works for as many days', async (t) => {
    const now = new Date().toISOString();
    const sandbox = { ...(await world(t)), now };
    const old = await createKey(sandbox, 'acme', ...full);
    const made = await rotate(sandbox, old.id, '--grace', '7');
    assert.deepEqual(made.replaces, { id: old.id, status: 'active', expiresAt: daysAfter(now, 7) });
    for (const key of [old.key, made.key ?? '']) assert.equal(await statusOf(t, sandbox, key), 200);
    const text = await runOk(sandbox, ['key', 'rotate', made.id, '--grace', '1']);
    assert.match(text, /not shown again\.\nThe old key key_\w+ works until \S+Z\.\n$/);
    assert.doesNotMatch(text, /replaces/);
  });

  // Each end of the old key, the flags, and the ends of the new and of the old key.
  const [SOON, LATER] = [daysFromNow(2), daysFromNow(30)];
  const ENDS: [old: string | null, flags: string[], made: string | null, replaced: string | null][] = [
    [null, [], null, null],
    [null, ['--expires', SOON], SOON, null],
    [SOON, [], SOON, SOON],
    [SOON, ['--expires', LATER, '--grace', '9'], LATER, SOON],
  ];
  for (const [end, flags, made, replaced] of ENDS) {
    it(`of a key that ends ${end === null ? 'never' : 'soon'}, with ${flags.join(' ').replace(/\d{4}-\S+/, 'TIME') || 'no flags'}`, async (t) => {
      const sandbox = await world(t);
      const old = await createKey(sandbox, 'acme', ...full, ...(end === null ? [] : ['--expires', end]));
      const rotated = await rotate(sandbox, old.id, ...flags);
      assert.equal(rotated.expiresAt ?? null, made);
      assert.equal(rotated.replaces.expiresAt, replaced);
    });
  }

  it('of an expired key asks for an end; a disabled key stays disabled', async (t) => {
    const sandbox = await world(t);
    const expired = await createExpired(sandbox, ...full);
    const before = await dump(sandbox);
    assert.match(
      await expectFailure(sandbox, ['key', 'rotate', expired.id]),
      /a key cannot end at .*, which has passed; choose a later --expires/,
    );
    assert.deepEqual(await dump(sandbox), before);
    assert.equal((await rotate(sandbox, expired.id, '--expires', TOMORROW)).replaces.status, 'disabled');
    const disabled = await createKey(sandbox, 'acme', ...full);
    await runOk(sandbox, ['key', 'disable', disabled.id]);
    assert.equal((await rotate(sandbox, disabled.id, '--grace', '3')).replaces.status, 'disabled');
  });

  it('writes the new key to a file; if that cannot be, the old key is as it was', async (t) => {
    const sandbox = await world(t);
    const old = await createKey(sandbox, 'acme', ...full);
    const made = await rotate(sandbox, old.id, '--grace', '1', '--out', 'new.key');
    assert.ok(!('key' in made));
    const key = readFileSync(path.join(sandbox.folder, 'new.key'), 'utf8').trim();
    assert.equal(await statusOf(t, sandbox, key), 200);
    const before = await dump(sandbox);
    assert.match(await expectFailure(sandbox, ['key', 'rotate', made.id, '--out', 'new.key']), /exists/);
    await expectFailure(sandbox, ['key', 'rotate', 'key_0', '--out', 'none.key']);
    assert.deepEqual(await dump(sandbox), before);
    assert.ok(!existsSync(path.join(sandbox.folder, 'none.key')));
  });

  it('is refused on the free plan, and for a grace that is no number of days', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', ...full);
    for (const grace of ['-1', '1.5', 'week', '3651', ''])
      assert.match(await expectMisuse(sandbox, ['key', 'rotate', id, `--grace=${grace}`]), /from 0 to 3650/);
    await runOk(sandbox, ['team', 'set', 'acme', '--plan', 'free']);
    assert.match(await expectFailure(sandbox, ['key', 'rotate', id]), /API keys need a paid plan/);
    assert.equal(await statusOf(t, sandbox, key), 200);
  });
});

function withoutTimes(headers: object): object {
  const { date: _, 'x-request-id': __, ...rest } = headers as Record<string, unknown>;
  return rest;
}

function daysFromNow(days: number): string {
  return daysAfter(new Date().toISOString(), days);
}

function daysAfter(time: string, days: number): string {
  return new Date(Date.parse(time) + days * 86_400_000).toISOString();
}
