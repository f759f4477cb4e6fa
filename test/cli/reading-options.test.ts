// Options that tell an import how to read its file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { query } from '../../support/databases/engine.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../support/program/command.ts';
import { expectFailure, sandboxOf, sandboxWithoutDatabase } from './helpers.ts';

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

  it('are needed by every import', async () => {
    const dates = () => query(sandbox, 'select published_at from versions');
    assert.match(
      await expectFailure(sandbox, importInto('rocket'), FILE),
      /^changelog: standard input:1: 04\/05\/2026 can be read in two ways/,
    );
    await runOk(sandbox, importInto('rocket', '--date-order', 'DAY-first'), FILE);
    assert.deepEqual(await dates(), [{ published_at: '2026-05-04T00:00:00.000Z' }]);
    assert.match(await expectFailure(sandbox, importInto('rocket'), FILE), /can be read in two ways/);
    await runOk(sandbox, importInto('rocket', '--date-order', 'month-first'), FILE);
    assert.deepEqual(await dates(), [{ published_at: '2026-04-05T00:00:00.000Z' }]);
  });

  it('a heading that only the pattern knows is a version', async () => {
    const file = '# News\n\nBuild 7 of 4 May 2026: Apollo\n\n- A pad.\n\nBuild 6\n\n- A tank.\n\n## 1.0.0\n';
    const pattern = '^Build (?<label>\\d+)(?: of (?<date>[^:]+): (?<title>.*))?$';
    await expectFailure(sandbox, importInto('builds', '--heading', '^Bild (?<label>.*)'), file);
    const first = await runOk(sandbox, importInto('builds', '--heading', pattern), file);
    assert.match(first, /2 versions/);
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
  });

  it('a section that only the option knows has its type', async () => {
    const file = '## 1.0.0 - 2026-05-04\n\n### 🚀 NEUES:\n\n- A nose cone.\n\n### Fixed\n\n- The fuse.\n';
    const sections = ['--section', 'neues=added', '--section', 'Fixed=security'];
    await runOk(sandbox, importInto('sections', ...sections), file);
    assert.deepEqual(
      await query(
        sandbox,
        `select type from changes where text like '%nose cone.' or text like '%fuse.' order by type`,
      ),
      [{ type: 'added' }, { type: 'security' }],
    );
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
      [['--date-order', 'year-first'], /Allowed choices are day-first, month-first/],
    ] as const) {
      const { code, stdout, stderr } = await run(nowhere, ['import', 'acme/rocket', 'none.md', ...options]);
      assert.deepEqual([code, stdout], [2, ''], options.join(' '));
      assert.match(stderr, message);
    }
  });
});
