// Publishing and locking with commands (R16).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Scope } from '../../../support/processes/scope.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, expectFailure, runJson, sandboxOf } from '../helpers.ts';

const MORNING = '2026-06-01T08:00:00.000Z';
const EVENING = '2026-06-01T20:00:00.000Z';

type Version = { status: string; publishedAt: string | null };

async function world(scope: Scope): Promise<Sandbox> {
  const sandbox = sandboxOf(scope);
  await apply(sandbox, documentOf([{ id: 'ver_1', version: '1.0.0', title: 'One' }]));
  return sandbox;
}

const move = (sandbox: Sandbox, verb: string, now: string, which = '1.0.0') =>
  runJson<Version>({ ...sandbox, now }, ['version', verb, 'acme/rocket', which]);

function assertVersion({ status, publishedAt }: Version, expected: Version): void {
  assert.deepEqual({ status, publishedAt }, expected);
}

describe('version publish and unpublish', () => {
  it('version publish sets the date once and keeps it', async (t) => {
    const sandbox = await world(t);
    assertVersion(await move(sandbox, 'publish', MORNING), { status: 'published', publishedAt: MORNING });
    assertVersion(await move(sandbox, 'publish', EVENING), { status: 'published', publishedAt: MORNING });
    assertVersion(await move(sandbox, 'unpublish', EVENING), { status: 'draft', publishedAt: MORNING });
    assertVersion(await move(sandbox, 'publish', EVENING), { status: 'published', publishedAt: MORNING });
  });

  it('version unpublish leaves a draft that was never published without a date', async (t) => {
    const sandbox = await world(t);
    assertVersion(await move(sandbox, 'unpublish', MORNING), { status: 'draft', publishedAt: null });
  });

  it('version publish and unpublish accept an id or a label', async (t) => {
    const sandbox = await world(t);
    const published = { status: 'published', publishedAt: MORNING };
    assertVersion(await move(sandbox, 'publish', MORNING, 'ver_1'), published);
  });
});

describe('locked content', () => {
  const EDITS = {
    product: [
      ['version', 'publish', 'acme/rocket', '1.0.0'],
      ['version', 'unpublish', 'acme/rocket', '1.0.0'],
      ['version', 'delete', 'acme/rocket', '1.0.0', '--yes'],
      ['product', 'set', 'acme/rocket', '--name', 'New'],
      ['product', 'set', 'acme/rocket', '--name', 'New', '--status', 'locked'],
      ['product', 'delete', 'acme/rocket', '--yes'],
      ['changelog', 'set', 'acme/rocket', '--name', 'New'],
      ['changelog', 'delete', 'acme/rocket', '--yes'],
    ],
    changelog: [
      ['version', 'publish', 'acme/rocket', '1.0.0'],
      ['version', 'unpublish', 'acme/rocket', '1.0.0'],
      ['version', 'delete', 'acme/rocket', '1.0.0', '--yes'],
      ['changelog', 'set', 'acme/rocket', '--name', 'New'],
      ['changelog', 'set', 'acme/rocket', '--name', 'New', '--status', 'locked'],
      ['changelog', 'delete', 'acme/rocket', '--yes'],
      ['product', 'delete', 'acme/rocket', '--yes'],
    ],
  };
  const setStatus = (sandbox: Sandbox, noun: string, status: string) =>
    runOk(sandbox, [noun, 'set', 'acme/rocket', '--status', status]);

  for (const [lock, edits] of Object.entries(EDITS)) {
    for (const args of edits) {
      it(`\`${args.join(' ')}\` fails until the locked ${lock} is unlocked`, async (t) => {
        const sandbox = await world(t);
        await setStatus(sandbox, lock, 'locked');
        const message = await expectFailure(sandbox, args);
        assert.match(message, new RegExp(`the ${lock} acme/rocket is locked`));
        assert.match(message, new RegExp(`changelog ${lock} set acme/rocket --status`));
        await setStatus(sandbox, lock, 'draft');
        await runOk(sandbox, args);
      });
    }

    it(`a team with a locked ${lock} can be deleted`, async (t) => {
      const sandbox = await world(t);
      await setStatus(sandbox, lock, 'locked');
      await runOk(sandbox, ['team', 'delete', 'acme', '--yes']);
    });

    it(`a locked ${lock} can be listed and shown`, async (t) => {
      const sandbox = await world(t);
      await setStatus(sandbox, lock, 'locked');
      for (const args of [
        ['product', 'show', 'acme/rocket'],
        ['changelog', 'show', 'acme/rocket'],
        ['version', 'list', 'acme/rocket'],
        ['version', 'show', 'acme/rocket', '1.0.0'],
        ['export', 'acme'],
      ]) {
        await runOk(sandbox, args);
      }
    });

    it(`a locked ${lock} can be renamed and unlocked by one command`, async (t) => {
      const sandbox = await world(t);
      await setStatus(sandbox, lock, 'locked');
      const args = [lock, 'set', 'acme/rocket', '--name', 'New', '--status', 'published'];
      const { name, status } = await runJson<{ name: string; status: string }>(sandbox, args);
      assert.deepEqual({ name, status }, { name: 'New', status: 'published' });
    });
  }

  it('another product can be edited while one is locked', async (t) => {
    const sandbox = await world(t);
    await setStatus(sandbox, 'product', 'locked');
    await apply(sandbox, { ...documentOf([]), products: [{ slug: 'sled', name: 'Sled' }] });
    await runOk(sandbox, ['product', 'set', 'acme/sled', '--name', 'Sledge']);
    await runOk(sandbox, ['team', 'set', 'acme', '--name', 'ACME']);
  });

  it('the error of a locked product contains the command that unlocks it', async (t) => {
    const sandbox = await world(t);
    await setStatus(sandbox, 'product', 'locked');
    const message = await expectFailure(sandbox, ['version', 'publish', 'acme/rocket', '1.0.0']);
    const [, line = ''] = /: changelog (.*)$/m.exec(message) ?? [];
    await runOk(sandbox, line.trim().split(' '));
    await runOk(sandbox, ['version', 'publish', 'acme/rocket', '1.0.0']);
  });
});

describe('what hides content', () => {
  const HIDING: [args: string[], said: string][] = [
    [['product', 'set', 'acme/rocket', '--status', 'locked'], 'The product acme/rocket is locked'],
    [['changelog', 'set', 'acme/rocket', '--status', 'locked'], 'The changelog acme/rocket is locked'],
    [['product', 'set', 'acme/rocket', '--status', 'draft'], 'The product acme/rocket is draft'],
    [['changelog', 'set', 'acme/rocket', '--status', 'draft'], 'The changelog acme/rocket is draft'],
    [['version', 'unpublish', 'acme/rocket', '1.0.0'], 'The version 1.0.0 of acme/rocket is draft'],
    [['team', 'set', 'acme', '--visibility', 'private'], 'The team acme is private'],
  ];
  for (const [args, said] of HIDING)
    it(`\`${args.join(' ')}\` says that the public API does not show it`, async (t) => {
      const sandbox = await world(t);
      for (const flags of [[], ['--json']]) {
        const { code, stdout, stderr } = await run(sandbox, [...args, ...flags]);
        assert.deepEqual(
          [code, stderr],
          [0, `${said}: the public API does not show it, and API keys still read it.\n`],
        );
        assert.doesNotMatch(stdout, /public API/);
      }
    });

  it('a command that hides nothing says nothing', async (t) => {
    const sandbox = await world(t);
    for (const args of [
      ['product', 'set', 'acme/rocket', '--status', 'published'],
      ['changelog', 'set', 'acme/rocket', '--name', 'Changes'],
      ['version', 'publish', 'acme/rocket', '1.0.0'],
      ['team', 'set', 'acme', '--visibility', 'public', '--plan', 'free'],
    ])
      assert.equal((await run(sandbox, args)).stderr, '');
  });
});
