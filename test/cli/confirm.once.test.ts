// The question before something is deleted, and colours.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cli } from '../../src/cli/cli.ts';
import { formatCounts } from '../../src/cli/confirm.ts';
import { dump, query } from '../../support/databases/engine.ts';
import { type Scope, sharedScope } from '../../support/processes/scope.ts';
import { apply, createKey, run, type Sandbox } from '../../support/program/command.ts';
import { addLaterStep } from '../store/migrate/later-step.ts';
import { documentOf, expectFailure, sandboxOf } from './helpers.ts';

const CHANGES = [{ type: 'added', text: 'A countdown.' }];
const VERSIONS = [
  { id: 'ver_2', version: '2.0.0', title: 'Two' },
  { id: 'ver_1', version: '1.0.0', title: 'One', changes: CHANGES },
];

async function world(scope: Scope): Promise<Sandbox & { keyId: string }> {
  const sandbox = sandboxOf(scope);
  await apply(sandbox, documentOf(VERSIONS));
  const { id: keyId } = await createKey(sandbox, 'acme', '--kind', 'FULL', '--name', 'Our site');
  return { ...sandbox, keyId };
}

/** A terminal where every question gets the same answer. */
async function runAsked(sandbox: Sandbox, args: readonly string[], answer: string, input = '') {
  const asked: string[] = [];
  const ask: Cli['ask'] = async (question) => {
    asked.push(question);
    return answer;
  };
  return { ...(await run(sandbox, args, input, { ask })), asked };
}

describe('delete at a terminal', () => {
  const scope = sharedScope();
  const cases: [args: (keyId: string) => string[], question: (keyId: string) => string][] = [
    [
      () => ['team', 'delete', 'acme'],
      () => 'Delete the team acme with 1 product, 2 versions and 1 API key? [y/N] ',
    ],
    [
      () => ['product', 'delete', 'acme/rocket'],
      () => 'Delete the product acme/rocket with 2 versions? [y/N] ',
    ],
    [
      () => ['changelog', 'delete', 'acme/rocket'],
      () => 'Delete the changelog acme/rocket with 2 versions? [y/N] ',
    ],
    [
      () => ['version', 'delete', 'acme/rocket', '1.0.0'],
      () => 'Delete the version 1.0.0 of acme/rocket with 1 change? [y/N] ',
    ],
    [
      () => ['version', 'delete', 'acme/rocket', 'ver_2'],
      () => 'Delete the version 2.0.0 of acme/rocket? [y/N] ',
    ],
    [
      (keyId) => ['key', 'delete', keyId],
      (keyId) => `Delete the FULL key ${keyId} (Our site) of the team acme? [y/N] `,
    ],
  ];

  it('delete names what it would delete and how much with it, and deletes nothing without a yes', async () => {
    const sandbox = await world(scope);
    const before = await dump(sandbox);
    const answers = ['', 'n', 'yep'];
    for (const [index, [args, question]] of cases.entries()) {
      const answer = answers[index % answers.length] ?? '';
      const result = await runAsked(sandbox, args(sandbox.keyId), answer);
      assert.deepEqual(result, {
        code: 1,
        stdout: '',
        stderr: 'changelog: nothing was deleted; answer y or use --yes\n',
        asked: [question(sandbox.keyId)],
      });
    }
    assert.deepEqual(await dump(sandbox), before);
  });

  it('a yes is not for what another process has written since the question', async (t) => {
    const sandbox = await world(t);
    const later = { id: 'ver_3', version: '3.0.0', title: 'Three' };
    const shorter = JSON.stringify(documentOf(VERSIONS.slice(0, 1)));
    for (const [args, input, found] of [
      [['team', 'delete', 'acme'], '', 'the team acme with 1 product, 3 versions and 1 API key'],
      [['product', 'delete', 'acme/rocket'], '', 'the product acme/rocket with 3 versions'],
      [['apply', '-', '--prune'], shorter, '2 versions not found in any document, with all their contents'],
    ] as const) {
      let before: unknown;
      const ask: Cli['ask'] = async () => {
        await apply(sandbox, documentOf([...VERSIONS, later]));
        before = await dump(sandbox);
        return 'y';
      };
      assert.deepEqual(await run(sandbox, args, input, { ask }), {
        code: 1,
        stdout: '',
        stderr: `changelog: another process has written in the meantime, and this would now delete ${found}; run this again\n`,
      });
      assert.deepEqual(await dump(sandbox), before);
      await runAsked(sandbox, ['version', 'delete', 'acme/rocket', '3.0.0', '--yes'], '');
    }
  });

  it('delete deletes after a yes, and does not ask with --yes', async (t) => {
    const sandbox = await world(t);
    const version = await runAsked(sandbox, ['version', 'delete', 'acme/rocket', '1.0.0'], ' Yes ');
    assert.equal(version.stdout, 'Deleted the version 1.0.0.\n');
    assert.equal((await runAsked(sandbox, ['key', 'delete', sandbox.keyId], 'y')).code, 0);
    const team = await runAsked(sandbox, ['team', 'delete', 'acme', '--yes'], 'n');
    assert.deepEqual(team, { code: 0, stdout: 'Deleted the team acme.\n', stderr: '', asked: [] });
    assert.deepEqual(await query(sandbox, 'select * from teams'), []);
  });

  it('delete without a terminal names what it would delete, and deletes nothing without --yes', async () => {
    const sandbox = await world(scope);
    const inputs = [
      { flags: [], input: '' },
      { flags: [], input: 'y\n' },
      { flags: ['--json'], input: 'n\n' },
    ];
    for (const [index, [args, question]] of cases.slice(0, -1).entries()) {
      const what = question(sandbox.keyId).replace(/^Delete (.*)\? \[y\/N\] $/, '$1');
      // All of them for the first command: what is typed is the same to each.
      for (const { flags, input } of index === 0 ? inputs : inputs.slice(1, 2))
        assert.equal(
          await expectFailure(sandbox, [...args(sandbox.keyId), ...flags], input),
          `changelog: there is no terminal to ask at, and this would delete ${what}; use --yes\n`,
        );
    }
  });

  it('key delete without a terminal deletes the key, so that a script can revoke it', async (t) => {
    const sandbox = await world(t);
    const { code, stdout } = await run(sandbox, ['key', 'delete', sandbox.keyId], '');
    assert.deepEqual([code, stdout], [0, `Deleted the key ${sandbox.keyId}.\n`]);
  });

  it('delete does not migrate the schema without a yes', async (t) => {
    const sandbox = await world(t);
    addLaterStep(t);
    const before = await dump(sandbox);
    const { asked, stderr } = await runAsked(sandbox, ['team', 'delete', 'acme'], 'n');
    assert.equal(asked.length, 1, stderr);
    assert.deepEqual(await dump(sandbox), before);
    assert.equal((await runAsked(sandbox, ['team', 'delete', 'acme'], 'y')).code, 0);
  });

  it('delete does not ask about something that does not exist', async (t) => {
    const sandbox = await world(t);
    for (const [args, message] of [
      [['team', 'delete', 'amce'], /no team amce: did you mean acme\?/],
      [['changelog', 'delete', 'acme/roket'], /did you mean acme\/rocket\?/],
      [['version', 'delete', 'acme/rocket', 'v1.0.0'], /did you mean 1\.0\.0\?/],
      [['key', 'delete', 'key_x'], /no key with that id/],
    ] as const) {
      const { code, stderr, asked } = await runAsked(sandbox, args, 'y');
      assert.deepEqual([code, asked], [1, []]);
      assert.match(stderr, message);
    }
  });
});

describe('apply --prune at a terminal', () => {
  const shorter = JSON.stringify(documentOf(VERSIONS.slice(0, 1)));

  it('apply --prune asks before it deletes, and changes nothing without a yes', async (t) => {
    const sandbox = await world(t);
    const before = await dump(sandbox);
    const { code, asked } = await runAsked(sandbox, ['apply', '-', '--prune'], 'n', shorter);
    assert.equal(code, 1);
    assert.deepEqual(asked, ['Delete 1 version not found in any document, with all their contents? [y/N] ']);
    assert.deepEqual(await dump(sandbox), before);
    const agreed = await runAsked(sandbox, ['apply', '-', '--prune'], 'y', shorter);
    assert.match(agreed.stdout, /^- version acme\/rocket 1\.0\.0$/m);
  });

  it('apply --prune without a terminal changes nothing without --yes, unless there is nothing to delete', async (t) => {
    const sandbox = await world(t);
    for (const flags of [[], ['--json']])
      assert.equal(
        await expectFailure(sandbox, ['apply', '-', '--prune', ...flags], shorter),
        'changelog: there is no terminal to ask at, and this would delete 1 version not found in any document, with all their contents; use --yes\n',
      );
    assert.equal((await run(sandbox, ['apply', '-', '--prune', '--dry-run'], shorter)).code, 0);
    const longer = JSON.stringify(documentOf([...VERSIONS, { version: '0.1.0', title: 'Zero' }]));
    assert.match((await run(sandbox, ['apply', '-', '--prune'], longer)).stdout, /^Done: 1 created/m);
    assert.match((await run(sandbox, ['apply', '-', '--prune', '--yes'], shorter)).stdout, /2 deleted/);
  });

  it('apply --prune does not ask if there is nothing to delete, or with --yes', async (t) => {
    const sandbox = await world(t);
    const same = JSON.stringify(documentOf(VERSIONS));
    assert.deepEqual((await runAsked(sandbox, ['apply', '-', '--prune'], 'n', same)).asked, []);
    assert.deepEqual(
      (await runAsked(sandbox, ['apply', '-', '--prune', '--dry-run'], 'n', shorter)).asked,
      [],
    );
    const told = await runAsked(sandbox, ['apply', '-', '--prune', '--yes'], 'n', shorter);
    assert.deepEqual([told.code, told.asked], [0, []]);
  });
});

describe('colours', () => {
  const terminal = { columns: () => 80, draw: () => {} };

  it('colours mark outcomes and the name of the program on a terminal only', async (t) => {
    const sandbox = sandboxOf(t);
    const columns = () => 80;
    const input = JSON.stringify(documentOf([]));
    const done = await run(sandbox, ['apply', '-', '--dry-run'], input, { columns, terminal });
    assert.ok(done.stdout.startsWith('\x1b[32m+\x1b[39m team acme\n'));
    const json = await run(sandbox, ['apply', '-', '--json'], input, { columns, terminal });
    assert.ok(!json.stdout.includes('\x1b'));
    const failed = await run(sandbox, ['team', 'show', 'x'], '', { columns, terminal });
    assert.ok(failed.stderr.startsWith('\x1b[31mchangelog:\x1b[39m there is no team x'));
    const open = { ...sandbox, environment: { HOST: '0.0.0.0' } };
    const doctor = await run(open, ['doctor'], '', { columns, terminal });
    assert.ok(doctor.stdout.includes('\x1b[32mok   \x1b[39m  settings '));
    assert.ok(doctor.stdout.includes('\x1b[33mnote \x1b[39m  settings '));
    const plain = { ...sandbox, environment: { NO_COLOR: '1' } };
    assert.match((await run(plain, ['team', 'show', 'x'], '', { columns, terminal })).stderr, /^changelog: /);
  });
});

it('counts are formatted as an English list', () => {
  assert.equal(formatCounts({ product: 0, version: 1_200, 'API key': 1 }), '1,200 versions and 1 API key');
  assert.equal(formatCounts({ product: 2, version: 0 }), '2 products');
  assert.equal(formatCounts({ product: 0 }), '');
});
