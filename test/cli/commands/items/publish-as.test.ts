// A draft whose name says that it is not released is published under another one, and imports recognise it (R70).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dump, query } from '../../../../support/databases/engine.ts';
import { apply, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import {
  documentOf,
  expectFailure,
  expectMisuse,
  exported,
  sandboxOf,
  versionsByLabel,
} from '../../helpers.ts';

type Scope = Parameters<typeof sandboxOf>[0];

const NOW = '2026-05-04T14:23:00.000Z';
const DRAFT = '### Added\n\n- A.\n';
const OLD = '## [1.0.0] - 2026-01-01\n\n- First.\n';
const unreleased = (name = 'Unreleased', body = DRAFT) => `# Changelog\n\n## [${name}]\n\n${body}\n${OLD}`;
const released = (heading: string, body = DRAFT) =>
  `# Changelog\n\n## [Unreleased]\n\n## ${heading}\n\n${body}\n${OLD}`;

async function importing(sandbox: Sandbox, text: string, ...flags: string[]) {
  const args = ['import', 'acme/rocket', '-', '--json', ...flags];
  return JSON.parse(await runOk(sandbox, args, text));
}

async function imported(t: Scope, text: string): Promise<Sandbox> {
  const sandbox = sandboxOf(t, { now: NOW });
  await apply(sandbox, documentOf([]));
  await importing(sandbox, text);
  return sandbox;
}

const publish = (name: string, ...flags: string[]) => ['version', 'publish', 'acme/rocket', name, ...flags];
const labels = async (sandbox: Sandbox) => [...(await versionsByLabel(sandbox)).keys()].sort();

describe('version publish of a draft that is not released by its name', () => {
  it('is refused, now and at a time, and shows the command to type', async (t) => {
    for (const name of ['Unreleased', 'Unrelased', 'Next', 'Upcoming', 'Unveröffentlicht', '未发布']) {
      const sandbox = await imported(t, unreleased(name));
      const { id = '' } = (await versionsByLabel(sandbox)).get(name) ?? {};
      for (const typed of [name, id])
        for (const flags of [[], ['--at', '2999-01-01T00:00Z'], ['--as', 'Unreleased']])
          assert.match(
            await expectFailure(sandbox, publish(typed, ...flags)),
            new RegExp(`says that a version is not released; .*version publish acme/rocket "${name}" --as 1`),
          );
    }
  });

  it('--as renames it, keeps its id and its changes, and shows it', async (t) => {
    const sandbox = await imported(t, unreleased());
    const before = (await versionsByLabel(sandbox)).get('Unreleased');
    const { code, stdout } = await run(sandbox, publish('Unreleased', '--as', '1.3.0', '--json'));
    const { id, version, status, publishedAt } = JSON.parse(stdout);
    assert.deepEqual([code, id, version, status, publishedAt], [0, before?.id, '1.3.0', 'published', NOW]);
    assert.deepEqual((await versionsByLabel(sandbox)).get('1.3.0')?.changes, before?.changes);
    assert.deepEqual(await labels(sandbox), ['1.0.0', '1.3.0']);
  });

  it('--as with --at renames it and schedules it', async (t) => {
    const sandbox = await imported(t, unreleased());
    await runOk(sandbox, publish('Unreleased', '--as', '1.3.0', '--at', '2999-01-01T09:00Z'));
    const { status, publishAt } = (await versionsByLabel(sandbox)).get('1.3.0') ?? {};
    assert.deepEqual([status, publishAt], ['draft', '2999-01-01T09:00:00.000Z']);
    assert.equal((await importing(sandbox, unreleased())).created, 0);
  });

  it('--as is refused with a label that is taken, for a published version, and with a wrong label', async (t) => {
    const sandbox = await imported(t, unreleased());
    assert.match(
      await expectFailure(sandbox, publish('Unreleased', '--as', '1.0.0')),
      /: acme\/rocket already has a version 1\.0\.0; choose another label\.\n$/,
    );
    assert.match(
      await expectFailure(sandbox, publish('1.0.0', '--as', '1.0.1')),
      /1\.0\.0 of acme\/rocket is already published; --as renames only drafts\.\n$/,
    );
    for (const label of ['', ' 1.3.0', 'x'.repeat(129)])
      assert.match(await expectMisuse(sandbox, publish('Unreleased', '--as', label)), /1 to 128 characters/);
    for (const label of ['latest', `ver_${'a'.repeat(32)}`])
      assert.match(
        await expectMisuse(sandbox, publish('Unreleased', '--as', label)),
        /means another version/,
      );
  });
});

describe('an import after version publish --as', () => {
  const published = async (t: Scope) => {
    const sandbox = await imported(t, unreleased());
    await runOk(sandbox, publish('Unreleased', '--as', '1.3.0'));
    return sandbox;
  };

  it('creates no second draft while the file has the same text, and perhaps more, and prunes nothing', async (t) => {
    const sandbox = await published(t);
    const before = await dump(sandbox);
    for (const flags of [[], ['--prune', '--yes'], ['--prune', '--force', '--yes']]) {
      const { created, deleted, versions } = await importing(sandbox, unreleased(), ...flags);
      assert.deepEqual([created, deleted], [0, 0]);
      assert.deepEqual(versions, [
        { action: 'kept', version: 'Unreleased', reason: 'renamed', label: '1.3.0' },
      ]);
      assert.deepEqual(await dump(sandbox), before);
    }
    assert.match(
      await runOk(sandbox, ['import', 'acme/rocket', '-'], unreleased()),
      /^! version acme\/rocket Unreleased: the draft was renamed, so rename it in the source, too: 1\.3\.0$/m,
    );
  });

  it('updates the version once the file has its label, and leaves the time of that day alone', async (t) => {
    const sandbox = await published(t);
    await importing(sandbox, released('[1.3.0] - 2026-05-04'));
    assert.deepEqual(await labels(sandbox), ['1.0.0', '1.3.0', 'Unreleased']);
    assert.equal((await versionsByLabel(sandbox)).get('1.3.0')?.publishedAt, NOW);
    const { changed, kept } = await importing(
      sandbox,
      released('[1.3.0] - 2026-05-03', '### Fixed\n\n- B.\n'),
    );
    assert.deepEqual([changed, kept], [1, 0]);
    const { publishedAt, changes } = (await versionsByLabel(sandbox)).get('1.3.0') ?? {};
    assert.deepEqual(
      [publishedAt, changes?.map(({ type, text }) => [type, text])],
      ['2026-05-03T00:00:00.000Z', [['fixed', 'B.']]],
    );
    assert.equal(
      (await importing(sandbox, released('[1.3.0] - 2026-05-03', '### Fixed\n\n- B.\n'))).unchanged,
      3,
    );
  });

  it('recognises it at once with other words, and does not prune it before the file has its label', async (t) => {
    const other = await published(t);
    const { changed } = await importing(other, released('[1.3.0] - 2026-05-03', '### Fixed\n\n- B.\n'));
    assert.equal(changed, 1);
    assert.deepEqual(await labels(other), ['1.0.0', '1.3.0', 'Unreleased']);
    const more = await published(t);
    await importing(more, unreleased('Unreleased', `${DRAFT}- Next.\n`), '--prune', '--yes');
    assert.deepEqual(await labels(more), ['1.0.0', '1.3.0']);
  });

  it('recognises a label that differs by a v, and gives it the label of the file', async (t) => {
    const sandbox = await imported(t, unreleased());
    assert.match(
      await expectFailure(sandbox, publish('Unreleased', '--as', 'v1.0.0')),
      /already has a version 1\.0\.0; /,
    );
    await runOk(sandbox, publish('Unreleased', '--as', 'v1.3.0'));
    const { id } = (await versionsByLabel(sandbox)).get('v1.3.0') ?? {};
    await importing(sandbox, released('[1.3.0] - 2026-05-04'));
    assert.deepEqual(await labels(sandbox), ['1.0.0', '1.3.0', 'Unreleased']);
    assert.equal((await versionsByLabel(sandbox)).get('1.3.0')?.id, id);
    assert.equal((await importing(sandbox, released('[1.3.0] - 2026-05-04'))).unchanged, 3);
  });

  it('keeps what was edited by hand before', async (t) => {
    const sandbox = await imported(t, unreleased());
    await query(sandbox, `update changes set text = 'Mine.' where text = 'A.' returning id`);
    await runOk(sandbox, publish('Unreleased', '--as', '1.3.0'));
    assert.equal((await importing(sandbox, unreleased())).created, 0);
    const { kept, versions } = await importing(sandbox, released('[1.3.0] - 2026-05-04'));
    assert.deepEqual([kept, versions[0].reason ?? versions[1].reason], [1, 'edited']);
  });
});

describe('apply of a document with a name that is not released', () => {
  const draft = { version: 'Unreleased', title: '' };
  const applying = (sandbox: Sandbox, version: object) =>
    expectFailure(sandbox, ['apply', '-'], JSON.stringify(documentOf([{ ...draft, ...version }]), null, 2));

  it('is refused where it would publish or schedule it, with line and field', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ version: '1.0.0', title: '' }]));
    for (const document of [{ status: 'published' }, { publishAt: '2999-01-01T00:00:00Z' }]) {
      assert.match(
        await applying(sandbox, document),
        /standard input:\d+: products\[0\]\.changelog\.versions\[0\]\.version: this label says that the version is not released; /,
      );
      await apply(sandbox, documentOf([draft]));
      await applying(sandbox, document);
    }
    const id = `ver_${'a'.repeat(32)}`;
    for (const version of ['Unreleased', 'Next'])
      await applying(sandboxOf(t), { id, version, publishAt: '2999-01-01T00:00:00Z' });
  });

  it('is applied to a new version with a name that may be its own', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ version: 'future', title: '', status: 'published' }]));
    assert.deepEqual(await labels(sandbox), ['future']);
  });

  it('is applied as a draft, and as the export of a database that has published it', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([draft]));
    await query(
      sandbox,
      `update versions set status = 'published', published_at = '2026-01-01T00:00:00.000Z' returning id`,
    );
    const document = await exported(sandbox);
    await apply(sandbox, document);
    await apply(sandbox, documentOf([{ ...draft, title: 'Edited', status: 'published' }]));
    const copy = sandboxOf(t);
    await apply(copy, document);
    assert.deepEqual(await exported(copy), document);
  });
});
