// The facts of versions in the database, compared with the rules in TypeScript that the schema repeats in SQL.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { versionOrder } from '../../../src/domain/version-order.ts';
import { execute, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { unicodeText } from '../../support/unicode-text.ts';

const LABEL_CHARACTERS_MAX = 128;
const LABELS_AT_ONCE = 400;

const digits = fc.oneof(
  fc.nat(30).map(String),
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 }),
);
const identifier = fc.oneof(
  digits,
  fc.string({ unit: fc.constantFrom(...'0123456789abcXYZ-'), minLength: 1, maxLength: 12 }),
);
const dotted = fc.array(identifier, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
const versionLike = fc
  .tuple(
    fc.constantFrom('', '', 'v', 'V'),
    fc.array(digits, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
    fc.option(dotted),
    fc.option(dotted),
  )
  .map(([sign, numbers, prerelease, build]) =>
    [
      sign,
      numbers,
      ...(prerelease === null ? [] : ['-', prerelease]),
      ...(build === null ? [] : ['+', build]),
    ].join(''),
  );
/** Almost a version number: one character is missing, added or replaced. */
const nearly = fc
  .tuple(
    versionLike,
    fc.nat(),
    fc.nat(1),
    fc.constantFrom('', '.', '-', '+', 'v', ' ', '٣', '３', 'é', '"', "'", '\\', '%', ']', '~', '!', '🚀'),
  )
  .map(([label, place, removed, inserted]) => {
    const at = place % (label.length + 1);
    return label.slice(0, at) + inserted + label.slice(at + removed);
  });
const label = fc
  .oneof(
    { weight: 3, arbitrary: versionLike },
    { weight: 3, arbitrary: nearly },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789.-+vV'), maxLength: 12 }) },
    { weight: 2, arbitrary: unicodeText({ maxLength: 20 }) },
  )
  .map((text) =>
    text
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, LABEL_CHARACTERS_MAX)
      .toWellFormed()
      .trim(),
  )
  .filter((text) => text !== '');
const labels = fc.uniqueArray(label, { minLength: LABELS_AT_ONCE, maxLength: LABELS_AT_ONCE });

describe('version_order in the database', () => {
  const sandbox: Sandbox = { folder: temporaryFolder(sharedScope()) };
  before(() => apply(sandbox, document([])));
  const forAny = (check: (labels: readonly string[]) => Promise<void>) =>
    fc.assert(fc.asyncProperty(labels, check), { numRuns: 2 });

  it('version_order follows the rule for any label that plain SQL inserts', async () => {
    await forAny(async (some) => {
      await execute(sandbox, 'delete from versions');
      const rows = some.map(
        (text, index) =>
          `('ver_${index}', 'cl_1', '${text.replaceAll("'", "''")}', '', 'draft', 0, ${index})`,
      );
      await execute(
        sandbox,
        `insert into versions (id, changelog_id, label, title, status, yanked, created_order) values ${rows}`,
      );
      await compareFacts(sandbox, some);
    });
  });

  it('version_order follows the rule when plain SQL changes a label', async () => {
    await apply(sandbox, document([{ version: 'spring', title: '' }]), '--prune', '--yes');
    for (const text of ['2.0.0-rc.1', '2.0.0', 'summer', 'v3']) {
      await execute(sandbox, `update versions set label = '${text}'`);
      await compareFacts(sandbox, [text]);
    }
  });

  it('version_order follows the rule for any label of an applied document', async () => {
    await forAny(async (some) => {
      await apply(sandbox, document(some.map((text) => ({ version: text, title: '' }))), '--prune', '--yes');
      await compareFacts(sandbox, some);
    });
  });
});

describe('version_facts', () => {
  it('version_facts follow a changelog to a new id, whether few versions are applied or many', async (t) => {
    const sandbox: Sandbox = { folder: temporaryFolder(t) };
    for (const count of [2, 1_200]) {
      const versions = Array.from({ length: count }, (_, index) => ({ version: `1.${index}`, title: 'T' }));
      await apply(sandbox, document(versions, `cl_before_${count}`), '--prune', '--yes');
      await apply(sandbox, document(versions, `cl_after_${count}`));
      assert.deepEqual(
        await query(
          sandbox,
          'select changelog_id, cast(count(*) as integer) as count from version_facts group by changelog_id',
        ),
        [{ changelog_id: `cl_after_${count}`, count }],
      );
    }
  });
});

function document(versions: readonly object[], id = 'cl_1') {
  const changelog = { id, versions };
  return { team: { slug: 'acme', name: 'Acme' }, products: [{ slug: 'rocket', name: 'Rocket', changelog }] };
}

async function compareFacts(sandbox: Sandbox, labels: readonly string[]): Promise<void> {
  const rows = await query<{ label: string; version_order: string | null; is_prerelease: number }>(
    sandbox,
    'select label, version_order, is_prerelease from version_facts',
  );
  const kept = new Map(
    rows.map(({ label, version_order, is_prerelease }) => [label, [version_order, is_prerelease]]),
  );
  const expected = new Map(
    labels.map((label) => {
      const order = versionOrder(label);
      return [label, [order, order === null || order.endsWith('~') ? 0 : 1]];
    }),
  );
  assert.equal(rows.length, labels.length);
  for (const [label, facts] of expected) assert.deepEqual(kept.get(label), facts, label);
}
