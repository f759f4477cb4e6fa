// Options that tell an import how to read its file, remembered with the product.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { dump, execute, query } from '../../support/databases/engine.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../support/program/command.ts';
import { expectFailure, runJson, sandboxOf, sandboxWithoutDatabase } from './helpers.ts';

const FILE = '## 1.0.0 (04/05/2026)\n\n- A pad.\n';

describe('options of an import', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = sandboxOf(scope);
  const importInto = (product: string, ...options: string[]) => [
    'import',
    `acme/${product}`,
    '-',
    '--create',
    ...options,
  ];
  const dates = async (product: string) =>
    (
      await query<{ published_at: string }>(
        sandbox,
        `select v.published_at from versions v join changelogs c on c.id = v.changelog_id
          join products p on p.id = c.product_id where p.slug = '${product}'`,
      )
    ).map(({ published_at }) => published_at.slice(0, 10));
  const remembered = async () =>
    (
      await query<{ slug: string; options: string }>(
        sandbox,
        'select slug, options from import_options join products on id = product_id order by slug',
      )
    ).map(({ slug, options }) => [slug, JSON.parse(options)]);

  before(() => runOk(sandbox, importInto('other'), '## 1.0.0 - 2026-05-04\n'));

  it('are remembered with the product, until --forget-options', async () => {
    assert.match(
      await expectFailure(sandbox, importInto('rocket'), FILE),
      /^changelog: standard input:1: 04\/05\/2026 can be read in two ways/,
    );
    const first = await runOk(sandbox, importInto('rocket', '--date-order', 'DAY-first'), FILE);
    assert.doesNotMatch(first, /earlier import/);
    assert.deepEqual(await dates('rocket'), ['2026-05-04']);
    const before = await dump(sandbox);
    const again = await runOk(sandbox, importInto('rocket'), FILE);
    assert.match(
      again,
      /^.*\nRead with --date-order day-first of an earlier import; --forget-options forgets that\.\nNothing to do/,
    );
    assert.deepEqual(await dump(sandbox), before);
    const { remembered: used } = await runJson<{ remembered: string[] }>(sandbox, importInto('rocket'), FILE);
    assert.deepEqual(used, ['--date-order', 'day-first']);
    // Another product has its own.
    assert.match(await expectFailure(sandbox, importInto('other'), FILE), /can be read in two ways/);
    assert.match(await expectFailure(sandbox, importInto('rocket', '--forget-options'), FILE), /in two ways/);
    assert.deepEqual(await dump(sandbox), before);
    await runOk(sandbox, importInto('rocket', '--forget-options'), FILE.replace('04/05/2026', '2026-05-04'));
    assert.deepEqual(await remembered(), []);
  });

  it('replace remembered ones of the same kind', async () => {
    const sections = ['--section', '🚀 Neues:=added', '--section', 'Weg=REMOVED'];
    await runOk(sandbox, importInto('two', '--date-order', 'day-first', ...sections), FILE);
    await runOk(sandbox, importInto('two', '--date-order', 'month-first'), FILE);
    assert.deepEqual(await dates('two'), ['2026-04-05']);
    assert.deepEqual(await remembered(), [
      [
        'two',
        { heading: null, sections: { '🚀 Neues:': 'added', Weg: 'removed' }, dateOrder: 'month-first' },
      ],
    ]);
    const told = await runOk(sandbox, importInto('two', '--section', 'Neu=added'), FILE);
    assert.match(told, /\nRead with --date-order month-first of an earlier import/);
    await runOk(sandbox, importInto('two', '--forget-options', '--date-order', 'month-first'), FILE);
    assert.deepEqual(await remembered(), [
      ['two', { heading: null, sections: {}, dateOrder: 'month-first' }],
    ]);
  });

  it('a heading that only the pattern knows is a version, now and next time', async () => {
    const file = '# News\n\nBuild 7 of 4 May 2026: Apollo\n\n- A pad.\n\nBuild 6\n\n- A tank.\n\n## 1.0.0\n';
    const pattern = '^Build (?<label>\\d+)(?: of (?<date>[^:]+): (?<title>.*))?$';
    await expectFailure(sandbox, importInto('builds', '--heading', '^Bild (?<label>.*)'), file);
    const first = await runOk(sandbox, importInto('builds', '--heading', pattern), file);
    assert.match(first, /2 versions \(1 dated, 1 without a date\)/);
    assert.deepEqual(
      await query(
        sandbox,
        `select label, title, published_at from versions where label in ('7', '6') order by label`,
      ),
      [
        { label: '6', title: '', published_at: null },
        { label: '7', title: 'Apollo', published_at: '2026-05-04T00:00:00.000Z' },
      ],
    );
    const again = await runOk(sandbox, importInto('builds'), file);
    assert.ok(again.includes(`\nRead with --heading '${pattern}' of an earlier import`), again);
    assert.match(again, /\nNothing to do: .* 2 unchanged/);
    await runOk(sandbox, ['product', 'delete', 'acme/builds', '--yes']);
  });

  it('a section that only the option knows has its type, now and next time', async () => {
    const file = '## 1.0.0 - 2026-05-04\n\n### 🚀 NEUES:\n\n- A nose cone.\n\n### Fixed\n\n- The fuse.\n';
    const sections = ['--section', 'neues=added', '--section', 'Fixed=security'];
    const types = () =>
      query(
        sandbox,
        `select type from changes where text like '%nose cone.' or text like '%fuse.' order by type`,
      );
    await runOk(sandbox, importInto('sections', ...sections), file);
    assert.deepEqual(await types(), [{ type: 'added' }, { type: 'security' }]);
    const again = await runOk(sandbox, importInto('sections'), file.replace('A nose', 'A new nose'));
    assert.ok(again.includes(`\nRead with ${sections.join(' ')} of an earlier import`), again);
    assert.match(again, /\nDone: 0 created, 1 changed/);
    assert.deepEqual(await types(), [{ type: 'added' }, { type: 'security' }]);
    await runOk(sandbox, ['product', 'delete', 'acme/sections', '--yes']);
  });

  it('are not remembered by a dry run, nor by an import that fails', async () => {
    const before = await dump(sandbox);
    await runOk(sandbox, importInto('three', '--date-order', 'day-first', '--dry-run'), FILE);
    await runOk(sandbox, importInto('two', '--date-order', 'day-first', '--dry-run'), FILE);
    await expectFailure(sandbox, importInto('two', '--section', 'Neu=added'), 'No version.');
    assert.deepEqual(await dump(sandbox), before);
  });

  it('are named when a file is refused because of them', async () => {
    assert.match(
      await expectFailure(sandbox, importInto('two'), 'No version.'),
      /\(Read with --date-order month-first of an earlier import; --forget-options forgets that\.\)\n$/,
    );
  });

  it('are not part of an export, and go with the product', async () => {
    assert.doesNotMatch(await runOk(sandbox, ['export', 'acme']), /month-first/);
    await execute(sandbox, `delete from products where slug = 'two'`);
    assert.deepEqual(await remembered(), []);
  });

  it('are checked before anything is opened, and a wrong one is wrong usage', async (t) => {
    const nowhere = sandboxWithoutDatabase(t);
    for (const [options, message] of [
      [['--heading', '(?<label>\\d+'], /It is not a regular expression: Unterminated group/],
      [['--heading', '\\d+'], /It needs a group for the label/],
      [['--heading', '(?<label>a)\\1'], /It cannot be matched in linear time/],
      [['--heading', ''], /It needs a group for the label/],
      [['--section', 'Neues'], /Write it as NAME=TYPE, such as/],
      [['--section', 'Neues='], /Write it as NAME=TYPE, such as/],
      [['--section', '=added'], /Write it as NAME=TYPE, such as/],
      [['--section', '🚀=added'], /Write it as NAME=TYPE, such as/],
      [
        ['--section', 'Neues=new'],
        /the types are added, changed, deprecated, removed, fixed, security, other/,
      ],
      [['--section', 'Neues=added', '--section', 'NEUES:=fixed'], /"NEUES:" has a type already: added/],
      [['--date-order', 'year-first'], /Allowed choices are day-first, month-first/],
    ] as const) {
      const { code, stdout, stderr } = await run(nowhere, ['import', 'acme/rocket', 'none.md', ...options]);
      assert.deepEqual([code, stdout], [2, ''], options.join(' '));
      assert.match(stderr, message);
    }
  });
});
