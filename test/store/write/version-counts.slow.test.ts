// Sums of versions in groups: after any writes they are those of the versions, and reads by them count right (R55).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import semver from 'semver';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Surface } from '../../../src/domain/model.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { openReader } from '../../../src/store/engine/open.ts';
import { findUpdate } from '../../../src/store/read/find-update.ts';
import { databaseUrl, ENGINE, execute, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';
import { numbers } from '../read/plans.ts';
import { checkSums } from '../triggers/count-cases.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
before(async () => {
  await restart();
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

function restart(): Promise<unknown> {
  return apply(
    sandbox,
    documentOf([], { changelog: { id: 'cl_1', status: 'published', versions: [] } }),
    '--prune',
    '--yes',
  );
}
const check = (statement: string) =>
  checkSums({ rows: async (text) => (await query(sandbox, text)).map(Object.values) }, statement);

let inserted = 0;
/** Labels in an order of their own; ids in another one. */
const insert = (count: number, label: string, status: string) => {
  const first = inserted;
  inserted += count;
  return `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
    select 'ver_' || (n * 7919 + ${first}) % 100003, 'cl_1', ${label.replaceAll('n', `(n + ${first})`)}, '', '${status}',
      '20' || (10 + n % 80) || '-01-01T00:00:00.000Z', 0, n from (${numbers(count)}) every where true on conflict do nothing`;
};
const LABELS = [
  `'1.' || n`,
  `'1.0.' || (n * 31 % 1009)`,
  `'1.0.' || n || '-rc'`,
  `'v1.0.0+' || n`,
  `'week ' || n`,
];
const WHICH = [
  'created_order % 2 = 0',
  'created_order % 7 < 5',
  'created_order < 40',
  `label < '1.3'`,
  `id > 'ver_5'`,
];
const where = fc.constantFrom(...WHICH);
const change = (type: string, breaking: number) =>
  where.map(
    (which) => `insert into changes (id, version_id, position, type, text, breaking)
      select '${type}' || id, id, ${breaking + 1}, '${type}', '', ${breaking} from versions where ${which} on conflict do nothing`,
  );
const writes = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 600 }),
        fc.constantFrom(...LABELS),
        fc.constantFrom('draft', 'published'),
      )
      .map(([count, label, status]) => insert(count, label, status)),
  },
  { weight: 2, arbitrary: where.map((which) => `delete from versions where ${which}`) },
  where.map((which) => `update versions set status = 'draft' where ${which}`),
  where.map((which) => `update versions set status = 'published' where ${which}`),
  where.map((which) => `update versions set label = label || '.1' where ${which}`),
  where.map((which) => `update versions set published_at = '2001-01-01T00:00:00.000Z' where ${which}`),
  where.map((which) => `update versions set id = 'ver_x' || id where ${which} and length(id) < 40`),
  change('security', 0),
  change('fixed', 1),
  where.map((which) => `delete from changes where version_id in (select id from versions where ${which})`),
  fc.constant(`update changelogs set id = 'cl_1' where id = 'cl_1'`),
);

describe('the sums of versions', () => {
  it('are right after any writes in plain SQL, and an update check counts what it should', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(writes, { minLength: 3, maxLength: 8 }), async (statements) => {
        await restart();
        await execute(sandbox, insert(900, `'1.' || (n % 30) || '.' || n`, 'published'));
        for (const statement of statements) {
          // Some violate a constraint.
          await execute(sandbox, statement).catch(() => {});
          await check(statement);
        }
        await compareChecks();
      }),
      // On PostgreSQL a run takes ten times as long.
      { numRuns: ENGINE === 'postgres' ? 1 : 4 },
    );
  });

  it('are right after documents are applied, and gone with their product or team', async () => {
    const versions = Array.from({ length: 1_000 }, (_, n) => ({
      version: `2.${n % 10}.${n}`,
      title: '',
      status: n % 3 === 0 ? 'draft' : 'published',
      changes: [{ type: n % 5 === 0 ? 'security' : 'added', text: 'x', breaking: n % 11 === 0 }],
    }));
    const document = (count: number) =>
      documentOf([], { changelog: { id: 'cl_1', status: 'published', versions: versions.slice(0, count) } });
    for (const count of [1_000, 300, 900]) {
      await apply(sandbox, document(count), '--prune', '--yes');
      await check(`apply ${count}`);
      await compareChecks();
    }
    await apply(sandbox, documentOf([], { changelog: { id: 'cl_2', status: 'published' } }));
    await check('a changelog with another id');
    for (const table of ['products', 'teams']) {
      await execute(sandbox, `delete from ${table}`);
      assert.deepEqual(await query(sandbox, 'select * from version_counts'), []);
      await apply(sandbox, document(200));
    }
    if (ENGINE === 'postgres') await execute(sandbox, 'truncate versions cascade');
    else await execute(sandbox, 'delete from versions');
    assert.deepEqual(await query(sandbox, 'select * from version_counts'), []);
  });
});

type Row = {
  label: string;
  status: string;
  changes: number;
  security: number;
  breaking: number;
  at: string;
  id: string;
};

/** Compares with a count of one version after the other. */
async function compareChecks(): Promise<void> {
  const rows = await query<Row>(
    sandbox,
    `select v.id, v.label, v.status, v.sort_key as at, cast(count(c.id) as integer) as changes,
      coalesce(max(case c.type when 'security' then 1 else 0 end), 0) as security, coalesce(max(c.breaking), 0) as breaking
    from versions v left join changes c on c.version_id = v.id group by v.id, v.label, v.status, v.sort_key`,
  );
  const parsed = rows.map((row) => ({ ...row, semantic: semver.parse(fill(row.label)) }));
  const picked = parsed
    .filter((_, index) => index % Math.ceil(parsed.length / 12) === 0)
    .map(({ label }) => label);
  for (const surface of ['public', 'team'] satisfies Surface[])
    for (const withPrereleases of [false, true])
      for (const from of ['0.1.0', '1.7.300', ...picked]) {
        const visible = parsed.filter(({ status }) => surface === 'team' || status === 'published');
        const { found } = await findUpdate(
          db,
          { team: 'acme', product: 'rocket' },
          { from, withPrereleases },
          visibleRows(surface),
        );
        const latest = parsed.find(({ id }) => id === found?.latest?.id);
        const known = visible.find(({ label }) => label === from);
        const start = semver.parse(fill(from));
        const isCounted = (row: (typeof parsed)[number]) =>
          withPrereleases || !row.semantic?.prerelease.length || Boolean(latest?.semantic?.prerelease.length);
        const isNewer = (one: { at: string; id: string }, other: { at: string; id: string }) =>
          one.at > other.at || (one.at === other.at && one.id < other.id);
        const between = visible.filter((row) => {
          if (latest === undefined || !isCounted(row)) return false;
          if (start !== null && latest.semantic !== null)
            return (
              row.semantic !== null &&
              semver.gt(row.semantic, start) &&
              !semver.gt(row.semantic, latest.semantic)
            );
          return known !== undefined && isNewer(row, known) && !isNewer(row, latest);
        });
        assert.deepEqual(
          [found?.versionCount, found?.changeCount, found?.hasSecurity, found?.hasBreaking],
          [
            between.length,
            between.reduce((sum, { changes }) => sum + changes, 0),
            between.some(({ security }) => security === 1),
            between.some(({ breaking }) => breaking === 1),
          ],
          `${surface} ${from} ${withPrereleases} ${found?.latest?.label}`,
        );
      }
}

/** A whole semantic version of a label such as 1.2. */
function fill(label: string): string {
  return /^\d+\.\d+$/.test(label) ? `${label}.0` : label;
}
