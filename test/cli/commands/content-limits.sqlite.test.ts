// A changelog has at most 100,000 versions, and a text at most 100,000 characters (R68).
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { TEXT_CHARACTERS_MAX, VERSIONS_MAX } from '../../../src/domain/content/content.ts';
import { execute, query } from '../../../support/databases/engine.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { expectMisuse, sandboxOf, sandboxWithoutDatabase } from '../helpers.ts';

const documentOf = (versions: readonly object[], description = '') => ({
  team: { slug: 'acme', name: 'Acme' },
  products: [{ slug: 'rocket', name: 'Rocket', changelog: { description, versions } }],
});
const ONE = { version: '1.0.0', title: '' };
/** A character of two units of UTF-16 is one. */
const LONGEST = '👩'.repeat(TEXT_CHARACTERS_MAX);
const TOO_LONG = `${LONGEST}a`;

async function refused(sandbox: Sandbox, args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(sandbox, args, input);
  assert.deepEqual([code, stdout], [1, '']);
  return stderr;
}

const copyOf = ({ folder }: Sandbox) => ['copy', '--to', `sqlite:${path.join(folder, 'copy.db')}`];

/** By plain SQL, without triggers: they would take a minute. */
async function fill(sandbox: Sandbox, count: number): Promise<void> {
  await apply(sandbox, documentOf([]));
  for (const { name } of await query(sandbox, `select name from sqlite_master where type = 'trigger'`))
    await execute(sandbox, `drop trigger ${name}`);
  await execute(
    sandbox,
    `insert into versions (id, changelog_id, label, title, status, yanked, created_order)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select 'ver_' || n, (select id from changelogs), n, '', 'draft', 0, n from numbers`,
  );
}

const LONG: Readonly<Record<string, (text: string) => object>> = {
  'products[0].changelog.description': (text) => documentOf([], text),
  'products[0].changelog.versions[0].description': (description) => documentOf([{ ...ONE, description }]),
  'products[0].changelog.versions[0].changes[0].text': (text) =>
    documentOf([{ ...ONE, changes: [{ type: 'added', text }] }]),
};

describe('a text of 100,000 characters', () => {
  for (const [field, document] of Object.entries(LONG))
    it(`apply accepts it as ${field}, and refuses a longer one`, async (t) => {
      const sandbox = sandboxOf(t);
      assert.equal(
        await refused(sandbox, ['apply', '-', '--dry-run'], JSON.stringify(document(TOO_LONG))),
        `changelog: standard input:1: ${field}: is too long; at most 100,000 characters.\n`,
      );
      await apply(sandbox, document(LONGEST));
    });

  it('import and build refuse a longer one, with its line, and build writes nothing', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([]));
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), `# Changelog\n\n## 1.0.0\n\n- ${TOO_LONG}\n`);
    const said = 'version "1.0.0": changes[0].text: is too long; at most 100,000 characters.';
    for (const args of [
      ['import', 'acme/rocket', 'CHANGELOG.md'],
      ['build', 'CHANGELOG.md', '--out', 'site'],
    ])
      assert.equal(await refused(sandbox, args), `changelog: CHANGELOG.md:3: ${said}\n`);
    assert.ok(!existsSync(path.join(sandbox.folder, 'site')));
  });

  it('changelog set refuses a longer description', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([]));
    const args = ['changelog', 'set', 'acme/rocket', '--description', TOO_LONG];
    assert.match(
      await expectMisuse(sandbox, args),
      /option --description must be a text of at most 100,000 characters/,
    );
  });

  it('copy refuses a longer one that plain SQL has written, and names its version', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([{ ...ONE, changes: [{ type: 'added', text: 'a' }] }]));
    const places = {
      'update changelogs set description': 'its description',
      'update versions set description': 'the description of 1.0.0',
      'update changes set text': 'a change of 1.0.0',
    };
    for (const [statement, place] of Object.entries(places)) {
      await execute(sandbox, `${statement} = '${TOO_LONG}'`);
      assert.equal(
        await refused(sandbox, copyOf(sandbox)),
        `changelog: the changelog acme/rocket has 100,001 characters in ${place}; at most 100,000 are possible, and nothing was written.\n`,
      );
      await execute(sandbox, `${statement} = 'b'`);
    }
    await runOk(sandbox, copyOf(sandbox));
  });
});

describe('a changelog of 100,000 versions', () => {
  it('apply refuses a document with more, with the figure and the line, and creates no database', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const versions = Array.from({ length: VERSIONS_MAX + 1 }, (_, n) => ({ version: `${n}`, title: '' }));
    assert.match(
      await refused(sandbox, ['apply', '-'], JSON.stringify(documentOf(versions))),
      /standard input:1: products\[0\]\.changelog\.versions: has 100,001 items; at most 100,000\.\n$/,
    );
  });

  it('neither apply nor import adds a version to it', async (t) => {
    const sandbox = sandboxOf(t);
    await fill(sandbox, VERSIONS_MAX);
    const said = 'the changelog acme/rocket would have 100,001 versions; at most 100,000 are possible.\n';
    const document = JSON.stringify(documentOf([ONE]));
    assert.equal(
      await refused(sandbox, ['apply', '-'], document),
      `changelog: standard input:1: products[0].changelog.versions: ${said}`,
    );
    assert.equal(await refused(sandbox, ['import', 'acme/rocket', '-'], '## 1.0.0\n'), `changelog: ${said}`);
  });

  it('copy refuses a larger one, and writes nothing', async (t) => {
    const sandbox = sandboxOf(t);
    await fill(sandbox, VERSIONS_MAX + 1);
    assert.equal(
      await refused(sandbox, copyOf(sandbox)),
      'changelog: the changelog acme/rocket has 100,001 versions; at most 100,000 are possible, and nothing was written.\n',
    );
  });
});
