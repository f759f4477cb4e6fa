// R11 for any writer: after each of many random SQL statements, every stored count is right.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { checkTimeline } from './check-timeline.ts';
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

const MISCOUNTED = `select id, change_count, (select count(*) from changes where version_id = versions.id)
  from versions where change_count <> (select count(*) from changes where version_id = versions.id)`;

/** Each version has exactly one row of facts, with its current values. */
const OUT_OF_DATE = `select v.id, f.version_id from versions v left join version_facts f on f.version_id = v.id
    where f.version_id is null or f.changelog_id <> v.changelog_id or f.label <> v.label or f.status <> v.status
      or f.sort_key <> v.sort_key or length(f.body) - length(replace(f.body, 'A', '')) <>
        (select count(*) from changes where version_id = v.id and text = 'A')
  union all select f.version_id, null from version_facts f where f.version_id not in (select id from versions)`;

/** Groups whose sums are not those of the versions in them, and versions that are not counted as they are. */
const MISSUMMED = `select * from (
    select g.changelog_id, g.status, g.kind, g.level, g.place, g.versions, g.changes, g.security, g.breaking,
      coalesce(sum(v.versions), 0) as v, coalesce(sum(v.changes), 0) as c, coalesce(sum(v.security), 0) as s,
      coalesce(sum(v.breaking), 0) as b, max(g.level) as l
    from version_counts g left join version_counts v on v.changelog_id = g.changelog_id and v.status = g.status
      and v.kind = g.kind and v.level = 0 and v.place >= g.place and v.place < coalesce((select min(n.place)
        from version_counts n where n.changelog_id = g.changelog_id and n.status = g.status and n.kind = g.kind
          and n.level = g.level and n.place > g.place), '~~')
    where g.level > 0
    group by g.changelog_id, g.status, g.kind, g.level, g.place, g.versions, g.changes, g.security, g.breaking) every
  where versions <> v or changes <> c or security <> s or breaking <> b or versions = 0 and place <> '' and level = 2`;
const UNCOUNTED = `select f.changelog_id, f.status, case when f.version_order is null then 2 else f.is_prerelease end as kind,
    coalesce(f.version_order, f.sort_key) || ' ' || f.version_id as place, 1 as versions,
    (select count(*) from changes where version_id = f.version_id) as changes,
    (select count(distinct type) from changes where version_id = f.version_id and type = 'security') as security,
    (select count(distinct breaking) from changes where version_id = f.version_id and breaking = 1) as breaking
  from version_facts f order by 1, 2, 3, 4`;
const COUNTED = `select changelog_id, status, kind, place, versions, changes, security, breaking
  from version_counts where level = 0 order by 1, 2, 3, 4`;
const LISTS = `select distinct changelog_id, status, kind from version_counts
  where level = 0 order by 1, 2, 3`;
const LISTS_WITH_GROUPS = `select changelog_id, status, kind from version_counts where level > 0 and place = ''
  group by changelog_id, status, kind having count(*) = 2 order by 1, 2, 3`;
const STRAY = `select * from version_counts g where level = 2 and not exists (select 1 from version_counts b
  where b.changelog_id = g.changelog_id and b.status = g.status and b.kind = g.kind and b.level = 1
    and b.place = g.place)`;
const FACETS = 'select changelog_id, mark, year, versions from version_facets order by 1, 2, 3';
/** Each mark of each published version once. */
const MARKED = `select changelog_id, mark, year, count(*) from (
    select changelog_id, '' as mark, substr(published_at, 1, 4) as year, id from versions where status = 'published'
    union select v.changelog_id, c.type, substr(v.published_at, 1, 4), v.id
      from versions v join changes c on c.version_id = v.id where v.status = 'published'
    union select v.changelog_id, 'breaking', substr(v.published_at, 1, 4), v.id
      from versions v join changes c on c.version_id = v.id where v.status = 'published' and c.breaking = 1) every
  group by changelog_id, mark, year order by 1, 2, 3`;

export async function checkSums(session: Pick<Session, 'rows'>, statement: string): Promise<void> {
  const values = async (query: string) =>
    (await session.rows(query)).map((row) => row.map((value) => String(value)));
  assert.deepEqual(await values(COUNTED), await values(UNCOUNTED), statement);
  assert.deepEqual(await values(MISSUMMED), [], statement);
  assert.deepEqual(await values(LISTS_WITH_GROUPS), await values(LISTS), statement);
  assert.deepEqual(await values(STRAY), [], statement);
  assert.deepEqual(await values(FACETS), await values(MARKED), statement);
  await checkTimeline(session, statement);
}

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

/** `wayOut` follows the verb: on SQLite, what to do about conflicting rows. */
function statements(wayOut: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const write = (verb: string, ...rest: fc.Arbitrary<string>[]) =>
    fc.tuple(wayOut, ...rest).map(([way, ...parts]) => `${verb} ${way} ${parts.join(' ')}`);
  const word = fc.constant;
  return fc.oneof(
    write('insert', word(into.changes), changeRows),
    changeRows.map((rows) => `insert ${into.changes} ${rows} on conflict do nothing`),
    changeRow.map(
      (row) => `insert ${into.changes} ${row} on conflict (id)
        do update set version_id = excluded.version_id, position = excluded.position`,
    ),
    fc
      .tuple(wayOut, change, version, number)
      .map(
        ([way, id, to, position]) =>
          `update ${way} changes set version_id = '${to}', position = ${position} where id = '${id}'`,
      ),
    write('update', word('changes set version_id ='), quoted(version)),
    write('update', word('changes set position = 3 - position where version_id ='), quoted(version)),
    fc
      .tuple(wayOut, change, change)
      .map(([way, from, to]) => `update ${way} changes set id = '${to}' where id = '${from}'`),
    word(`update changes set text = 'B'`),
    change.map((id) => `update changes set breaking = 1 - breaking where id = '${id}'`),
    change.map((id) => `update changes set type = 'security' where id = '${id}'`),
    change.map((id) => `delete from changes where id = '${id}'`),
    version.map((id) => `delete from changes where version_id = '${id}'`),
    write('insert', word(into.versions), versionRow),
    fc
      .tuple(wayOut, version, version)
      .map(([way, from, to]) => `update ${way} versions set id = '${to}' where id = '${from}'`),
    write('update', word('versions set label ='), quoted(number.map(String)), word(`where id = 'ver_1'`)),
    fc.tuple(version, number).map(([id, n]) => `update versions set change_count = ${n} where id = '${id}'`),
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
    checkIndex,
  }: { wayOut?: fc.Arbitrary<string>; runs?: number; checkIndex?: () => Promise<unknown> },
): void {
  it('change_count and version_facts match the versions and changes after any statements', async () => {
    const session = open();
    const sequence = fc.array(statements(wayOut), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, async (all) => {
        await session.reset();
        for (const statement of ['', ...all]) {
          // Some violate a constraint.
          await session.run(statement).catch(() => {});
          assert.deepEqual(await session.rows(MISCOUNTED), [], statement);
          assert.deepEqual(await session.rows(OUT_OF_DATE), [], statement);
          await checkSums(session, statement);
        }
        await checkIndex?.();
      }),
      { numRuns: runs },
    );
  });

  it('the texts of a version are not read again when only its state or date changes', async () => {
    const session = open();
    await session.reset();
    await session.run(`update version_facts set body = 'Kept' where version_id = 'ver_1'`);
    const bodyAfter = async (columns: string) => {
      await session.run(`update versions set ${columns} where id = 'ver_1'`);
      return await session.rows(`select body from version_facts where version_id = 'ver_1'`);
    };
    for (const columns of [
      `status = 'published', published_at = '2026-01-01T00:00:00.000Z'`,
      `published_at = '2026-01-02T00:00:00.000Z'`,
      `status = 'draft', published_at = null`,
    ])
      assert.deepEqual(await bodyAfter(columns), [['Kept']], columns);
    assert.notDeepEqual(await bodyAfter(`status = 'draft', title = 'New'`), [['Kept']]);
  });
}
