// Keys for scripts: kept in a file, and never an argument.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { formatApiKey, isApiKey } from '../../src/domain/access/api-key.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { apply, createKey, run, runOk, type Sandbox } from '../../support/program/command.ts';
import { documentOf, expectFailure, expectMisuse, runJson, sandboxOf } from './helpers.ts';

const CREATE = ['key', 'create', 'acme', '--kind', 'FULL', '--out', 'acme.key'];

async function world(scope: Scope): Promise<Sandbox & { file: string }> {
  const sandbox = sandboxOf(scope);
  await apply(sandbox, documentOf([]));
  return { ...sandbox, file: path.join(sandbox.folder, 'acme.key') };
}

describe('key create --out', () => {
  it('key create --out writes only the key to a new file that its owner alone can read, and does not print it', async (t) => {
    const sandbox = await world(t);
    const { code, stdout, stderr } = await run(sandbox, CREATE);
    assert.deepEqual([code, stderr], [0, '']);
    const written = readFileSync(sandbox.file, 'utf8');
    const key = written.trimEnd();
    assert.ok(isApiKey(key));
    assert.equal(written, `${key}\n`);
    assert.equal(statSync(sandbox.file).mode & 0o777, 0o600);
    assert.ok(!stdout.includes(key));
    assert.match(stdout, /The key is in acme\.key/);
  });

  it('key create --out --json prints the usual fields without the key', async (t) => {
    const made = await runJson<object>(await world(t), CREATE);
    assert.deepEqual(Object.keys(made), ['id', 'team', 'kind', 'products', 'status', 'name']);
  });

  it('key create --out does not overwrite an existing file, and creates no key', async (t) => {
    const sandbox = await world(t);
    writeFileSync(sandbox.file, 'mine');
    assert.match(
      await expectFailure(sandbox, CREATE),
      /acme\.key cannot be written: it already exists.*choose another file.*Nothing was written/,
    );
    assert.equal(readFileSync(sandbox.file, 'utf8'), 'mine');
    const nowhere = [...CREATE.slice(0, -1), 'no/such/folder.key'];
    assert.match(
      await expectFailure(sandbox, nowhere),
      /no\/such\/folder\.key cannot be written: its directory does not exist; create it.*Nothing was written/,
    );
  });

  it('key create --out creates the file only when there is a key, so that an interrupted wait leaves none', async (t) => {
    const sandbox = await world(t);
    let isThere = true;
    const now = () => {
      isThere = existsSync(sandbox.file);
      return new Date().toISOString();
    };
    assert.equal((await run(sandbox, CREATE, '', { now })).code, 0);
    assert.ok(!isThere);
    assert.match(await expectMisuse(sandbox, [...CREATE.slice(0, -1), '']), /It must be the name of a file/);
  });

  it('key create --out leaves no file if no key is created', async (t) => {
    const sandbox = await world(t);
    await runOk(sandbox, ['team', 'set', 'acme', '--plan', 'free']);
    assert.match(await expectFailure(sandbox, CREATE), /need a paid plan/);
    assert.ok(!existsSync(sandbox.file));
  });
});

describe('a key as an argument', () => {
  it('is accepted nowhere, and not repeated', async (t) => {
    const sandbox = await world(t);
    const key = formatApiKey(() => 1);
    for (const args of [
      ['key', key],
      ['key', 'list', 'acme', key],
      ['key', 'list', `--key=${key}`],
      ['team', 'list', '--url=postgres://me:hunter2/x@host/x?password=hunter2'],
    ]) {
      const repeated = await expectMisuse(sandbox, args);
      assert.match(repeated, /unknown (?:option|command)|too many arguments/);
      assert.doesNotMatch(repeated, new RegExp(`${key}|hunter2`));
    }
  });
});

describe('key check', () => {
  it('key check shows the owner of a working key, and never the key', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket');
    const shown = await runJson<Record<string, unknown>>(sandbox, ['key', 'check'], `${key}\r\n`);
    const { team, kind, status, products } = shown;
    assert.deepEqual([shown.id, team, kind, status, products], [id, 'acme', 'SELECT', 'active', ['rocket']]);
    assert.ok(!JSON.stringify(shown).includes(key));
    assert.match(
      (await run(sandbox, ['key', 'check'], '', { ask: async () => key })).stderr,
      /pass the key on standard input/,
    );
  });

  it('key check rejects a key that does not work, without repeating it', async (t) => {
    const sandbox = await world(t);
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    await runOk(sandbox, ['key', 'disable', id]);
    const disabled = await run(sandbox, ['key', 'check'], key);
    assert.equal(disabled.code, 1);
    assert.match(disabled.stdout, /^status +disabled$/m);
    assert.match(disabled.stderr, /^changelog: this key is disabled; `changelog key enable key_/);
    assert.ok(!(disabled.stdout + disabled.stderr).includes(key));
    for (const [given, message] of [
      [formatApiKey(() => 1), /does not work: it was deleted/],
      [key.slice(0, -1), /not an API key, or only part of one/],
      ['', /not an API key/],
    ] as const) {
      const said = await expectFailure(sandbox, ['key', 'check'], given);
      assert.match(said, message);
      assert.ok(given === '' || !said.includes(given));
    }
  });
});
