// R11 for any writer: after each of many random SQL statements, every stored count is right.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Session } from './touch-cases.ts';

export const SEED = `
  insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid');
  insert into products (id, team_id, slug, name, status) values
    (1, 1, 'a', 'A', 'published'), (2, 1, 'b', 'B', 'published');
  insert into changelogs (id, product_id, name, status) values
    ('cl_1', 1, 'A', 'published'), ('cl_2', 2, 'B', 'published');
  insert into versions (id, changelog_id, label, title, status, yanked, created_order, change_count) values
    ('ver_1', 'cl_1', '1', 'X', 'draft', 0, 1, 0), ('ver_2', 'cl_1', '2', 'X', 'draft', 0, 2, 7),
    ('ver_3', 'cl_2', '1', 'X', 'draft', 0, 1, 0);
  insert into changes (id, version_id, position, type, text, breaking) values
    ('chg_1', 'ver_1', 1, 'added', 'A', 0), ('chg_2', 'ver_1', 2, 'added', 'A', 0),
    ('chg_3', 'ver_2', 1, 'added', 'A', 0), ('chg_4', 'ver_3', 1, 'added', 'A', 0);`;

/** A bit for each type, in this order. */
const BITS = `case c.type when 'added' then 1 when 'security' then 32 end`;
const COUNTS = `select v.id, count(c.id), coalesce(sum(distinct ${BITS}), 0),
    coalesce(sum(distinct case c.breaking when 1 then ${BITS} end), 0)
  from versions v left join changes c on c.version_id = v.id group by v.id order by 1`;
const KEPT = 'select id, change_count, types, breaking from versions order by 1';

const number = fc.integer({ min: 1, max: 4 });
const change = number.map((n) => `chg_${n}`);
const version = number.map((n) => `ver_${n}`);
const changelog = fc.constantFrom('cl_1', 'cl_2');

const changeRow = fc
  .tuple(change, version, number, fc.constantFrom('added', 'security'), fc.nat(1))
  .map(
    ([id, versionId, position, type, breaking]) =>
      `('${id}', '${versionId}', ${position}, '${type}', 'A', ${breaking})`,
  );
const changeRows = fc.array(changeRow, { minLength: 1, maxLength: 3 }).map((rows) => rows.join(', '));
const versionRow = fc
  .tuple(version, changelog, number, number)
  .map(([id, of, label, count]) => `('${id}', '${of}', '${label}', 'X', 'draft', 0, 1, ${count})`);
/** The last ones also change a text of some. */
const states = fc.constantFrom(
  `status = 'published', published_at = '2026-01-02T03:04:05.678Z'`,
  `status = 'published', published_at = coalesce(published_at, '2026-01-01T00:00:00.000Z')`,
  `status = 'draft'`,
  `status = 'draft', published_at = null`,
  `created_order = created_order + 1`,
  `status = 'draft', label = case id when 'ver_1' then '3.0.0' else label end`,
  `status = 'published', published_at = '2026-01-03T00:00:00.000Z', title = case id when 'ver_2' then 'Y' else title end`,
);
const into = {
  changes: 'into changes (id, version_id, position, type, text, breaking) values',
  versions:
    'into versions (id, changelog_id, label, title, status, yanked, created_order, change_count) values',
};

/** `wayOut` follows the verb: on SQLite, what to do about conflicting rows. No trigger sees what `update or replace` deletes. */
function statements(wayOut: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const ofUpdate = wayOut.filter((way) => way !== 'or replace');
  const write = (verb: string, ...rest: fc.Arbitrary<string>[]) =>
    fc
      .tuple(verb === 'update' ? ofUpdate : wayOut, ...rest)
      .map(([way, ...parts]) => `${verb} ${way} ${parts.join(' ')}`);
  const word = fc.constant;
  return fc.oneof(
    write('insert', word(into.changes), changeRows),
    changeRows.map((rows) => `insert ${into.changes} ${rows} on conflict do nothing`),
    changeRow.map(
      (row) => `insert ${into.changes} ${row} on conflict (id)
        do update set version_id = excluded.version_id, position = excluded.position`,
    ),
    fc
      .tuple(ofUpdate, change, version, number)
      .map(
        ([way, id, to, position]) =>
          `update ${way} changes set version_id = '${to}', position = ${position} where id = '${id}'`,
      ),
    write('update', word('changes set version_id ='), quoted(version)),
    write('update', word('changes set position = 3 - position where version_id ='), quoted(version)),
    fc
      .tuple(ofUpdate, change, change)
      .map(([way, from, to]) => `update ${way} changes set id = '${to}' where id = '${from}'`),
    word(`update changes set text = 'B'`),
    change.map((id) => `update changes set breaking = 1 - breaking where id = '${id}'`),
    change.map((id) => `update changes set type = 'security' where id = '${id}'`),
    change.map((id) => `delete from changes where id = '${id}'`),
    version.map((id) => `delete from changes where version_id = '${id}'`),
    write('insert', word(into.versions), versionRow),
    fc
      .tuple(ofUpdate, version, version)
      // Not to an id for which changes wait, without foreign keys.
      .map(
        ([way, from, to]) =>
          `update ${way} versions set id = '${to}' where id = '${from}'
            and not exists (select 1 from changes where version_id = '${to}')`,
      ),
    write('update', word('versions set label ='), quoted(number.map(String)), word(`where id = 'ver_1'`)),
    fc
      .tuple(states, fc.option(version))
      .map(([columns, id]) =>
        id === null ? `update versions set ${columns}` : `update versions set ${columns} where id = '${id}'`,
      ),
    version.map((id) => `delete from versions where id = '${id}'`),
    changelog.map((id) => `update changelogs set id = 'cl_9' where id = '${id}'`),
    changelog.map((id) => `delete from changelogs where id = '${id}'`),
  );
}

function quoted(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return value.map((text) => `'${text}'`);
}

export function testCounts(
  open: () => Session,
  {
    wayOut = fc.constant(''),
    runs = 150,
    checkSearch,
  }: { wayOut?: fc.Arbitrary<string>; runs?: number; checkSearch: (session: Session) => Promise<void> },
): void {
  it('change_count, types and breaking are those of its changes after any statements', async () => {
    const session = open();
    const sequence = fc.array(statements(wayOut), { minLength: 1, maxLength: 12 });
    const values = async (query: string) => (await session.rows(query)).map((row) => row.map(String));
    await fc.assert(
      fc.asyncProperty(sequence, async (all) => {
        await session.reset();
        for (const statement of ['', ...all]) {
          // Some violate a constraint.
          await session.run(statement).catch(() => {});
          assert.deepEqual(await values(KEPT), await values(COUNTS), statement);
          await checkSearch(session);
        }
      }),
      { numRuns: runs },
    );
  });
}
