// R45 for any writer: which SQL moves `updated_at`, on a connection that does not go through the program.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Session } from './touch-cases.ts';

const BEFORE = '2026-01-02T00:00:00.000Z';
const PUBLISHED = '2026-01-01T00:00:00.000Z';
const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** All versions were last updated at the same time, before this test. */
export const SEED = `
  insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid');
  insert into products (id, team_id, slug, name, status) values
    (1, 1, 'a', 'A', 'published'), (2, 1, 'b', 'B', 'published');
  insert into changelogs (id, product_id, name, status) values
    ('cl_1', 1, 'A', 'published'), ('cl_2', 2, 'B', 'published');
  insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order) values
    ('ver_1', 'cl_1', '1', 'X', 'published', '${PUBLISHED}', 0, 1),
    ('ver_2', 'cl_1', '2', 'X', 'published', '${PUBLISHED}', 0, 2),
    ('ver_3', 'cl_2', '1', 'X', 'draft', null, 0, 1);
  insert into changes (id, version_id, position, type, text, breaking) values
    ('chg_1', 'ver_1', 1, 'added', 'A', 0), ('chg_2', 'ver_1', 2, 'added', 'A', 0),
    ('chg_3', 'ver_2', 1, 'added', 'A', 0), ('chg_4', 'ver_3', 1, 'added', 'A', 0);
  update versions set updated_at = '${BEFORE}';`;

type Columns = Readonly<Record<string, string>>;

/** A new value for each column that the record of a version shows, and for each that it does not. */
const SHOWN: Readonly<Record<string, Columns>> = {
  versions: {
    id: `'ver_9'`,
    label: `'1.1'`,
    title: `'Y'`,
    status: `'draft'`,
    published_at: `'2025-01-01T00:00:00.000Z'`,
    description: `'Y'`,
    yanked: '1',
    compare_url: `'https://a.example'`,
    image: `'https://a.example'`,
  },
  changes: {
    id: `'chg_9'`,
    version_id: `'ver_1'`,
    position: '7',
    type: `'fixed'`,
    text: `'B'`,
    breaking: '1',
  },
};
const NOT_SHOWN: Readonly<Record<string, Columns>> = {
  // The record is that of the version: renaming a team must not mark every entry of every feed as changed.
  versions: {
    changelog_id: `'cl_2'`,
    created_order: '7',
    change_count: '7',
    publish_at: `'2999-01-01T00:00:00.000Z'`,
  },
  teams: { slug: `'acme2'`, name: `'Y'`, visibility: `'private'`, plan: `'free'` },
  products: {
    slug: `'c'`,
    name: `'Y'`,
    status: `'locked'`,
    home_url: `'https://a.example'`,
    base_url: `'https://a.example'`,
    logo: `'https://a.example'`,
    repository_url: `'https://a.example'`,
    image: `'https://a.example'`,
    accent: `'#fff'`,
    domain: `'a.example'`,
  },
  changelogs: {
    name: `'Y'`,
    status: `'locked'`,
    language: `'de'`,
    description: `'Y'`,
    description_mark: `'Y'`,
  },
  import_marks: { mark: `'Y'` },
};
/** Made by the engine, set by the test itself, or the name of a row that others refer to. */
const LEFT_OUT = [
  'versions.sort_key',
  'versions.types',
  'versions.breaking',
  'versions.updated_at',
  'teams.id',
  'products.id',
  'products.team_id',
  'changelogs.id',
  'changelogs.product_id',
  'import_marks.version_id',
];

const list = (columns: Columns) => Object.entries(columns);
const changeRow = (id: string, version: string, position: number) =>
  `insert into changes (id, version_id, position, type, text, breaking) values ('${id}', '${version}', ${position}, 'added', 'A', 0)`;
const versionRow = (columns: Columns) => {
  const row: Columns = {
    id: `'ver_9'`,
    changelog_id: `'cl_2'`,
    label: `'9'`,
    title: `'X'`,
    status: `'published'`,
    published_at: `'${PUBLISHED}'`,
    yanked: '0',
    created_order: '9',
    ...columns,
  };
  return `into versions (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`;
};

/** Statements, and the versions that they move. */
const CASES: readonly (readonly [statement: string, moved: readonly string[]])[] = [
  [changeRow('chg_9', 'ver_1', 9), ['ver_1']],
  [`${changeRow('chg_9', 'ver_1', 9)}, ('chg_8', 'ver_3', 9, 'added', 'A', 0)`, ['ver_1', 'ver_3']],
  [`delete from changes where id = 'chg_1'`, ['ver_1']],
  [`delete from changes`, ['ver_1', 'ver_2', 'ver_3']],
  [`delete from changes where id = 'chg_9'`, []],
  [`update changes set version_id = 'ver_2', position = 9 where id = 'chg_1'`, ['ver_1', 'ver_2']],
  [`update changes set text = text, position = position, id = id, version_id = version_id`, []],
  [
    `update versions set label = label, title = title, status = status, yanked = yanked, description = null`,
    [],
  ],
  [`update versions set title = 'Y' where id <> 'ver_1'`, ['ver_2', 'ver_3']],
  [`update versions set title = 'Y', updated_at = '${BEFORE}' where id = 'ver_1'`, ['ver_1']],
  [`delete from versions where id = 'ver_2'`, []],
  [`${changeRow('chg_1', 'ver_2', 9)} on conflict (id) do nothing`, []],
  [`${changeRow('chg_1', 'ver_1', 1)} on conflict (id) do update set text = excluded.text`, []],
  [`${changeRow('chg_1', 'ver_1', 1)} on conflict (id) do update set breaking = 1`, ['ver_1']],
  [`insert ${versionRow({ id: `'ver_1'` })} on conflict (id) do update set title = excluded.title`, []],
  [
    `insert ${versionRow({ id: `'ver_1'` })} on conflict (id) do update set label = excluded.label`,
    ['ver_1'],
  ],
];

/** Of that engine only. */
const OWN_CASES: Readonly<Record<'sqlite' | 'postgres', typeof CASES>> = {
  sqlite: [
    [changeRow('chg_1', 'ver_2', 9).replace('insert', 'insert or replace'), ['ver_1', 'ver_2']],
    [changeRow('chg_1', 'ver_2', 9).replace('insert', 'insert or ignore'), []],
    [`insert or replace ${versionRow({ id: `'ver_1'` })}`, ['ver_1']],
    [`insert or replace ${versionRow({ changelog_id: `'cl_1'`, label: `'2'` })}`, ['ver_9']],
  ],
  postgres: [],
};

/** What a new version has, relative to the time of the write. */
const CREATED: readonly (readonly [columns: Columns, updatedAt: string | null])[] = [
  [{}, null],
  [{ status: `'draft'` }, null],
  [{ status: `'draft'`, published_at: 'null' }, 'now'],
  [{ published_at: `'2999-01-01T00:00:00.000Z'` }, 'now'],
  [{ updated_at: `'${BEFORE}'` }, BEFORE],
];

const COLUMNS_IN = {
  sqlite: `select m.name || '.' || c.name from sqlite_master m, pragma_table_xinfo(m.name) c where m.type = 'table'`,
  postgres: `select relname || '.' || attname from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
};

export function testUpdateTimes(open: () => Session, engine: 'sqlite' | 'postgres'): void {
  const reset = async () => {
    const session = open();
    await session.reset();
    return session;
  };
  const listTimes = async ({ rows }: Session) =>
    new Map((await rows('select id, updated_at from versions')) as [string, string | null][]);
  const listMoved = async (statement: string) => {
    const session = await reset();
    const start = new Date(Date.now() - 1).toISOString();
    await session.run(statement);
    const moved = [...(await listTimes(session))].filter(([, time]) => time !== BEFORE);
    for (const [, time] of moved) {
      assert.match(time ?? '', FORM, statement);
      assert.ok((time ?? '') >= start, `${statement}: ${time}`);
    }
    return moved.map(([id]) => id).sort();
  };

  it('updated_at moves when a column that the record shows changes, and with no other', async () => {
    for (const [column, value] of list(SHOWN.versions ?? {})) {
      const id = column === 'id' ? 'ver_9' : 'ver_2';
      const statement = `update versions set ${column} = ${value}, created_order = 3 where id = 'ver_2'`;
      assert.deepEqual(await listMoved(statement), [id], statement);
    }
    for (const [column, value] of list(SHOWN.changes ?? {})) {
      const statement = `update changes set ${column} = ${value}${column === 'version_id' ? ', position = 9' : ''} where id = 'chg_3'`;
      const expected = column === 'version_id' ? ['ver_1', 'ver_2'] : ['ver_2'];
      assert.deepEqual(await listMoved(statement), expected, statement);
    }
    for (const [table, columns] of Object.entries(NOT_SHOWN)) {
      const seed =
        table === 'import_marks' ? `insert into import_marks (version_id, mark) values ('ver_1', 'X'); ` : '';
      const where = (column: string) => {
        if (table === 'import_marks') return '';
        // Only a draft has a schedule.
        if (table === 'versions') return ` where id = '${column === 'publish_at' ? 'ver_3' : 'ver_2'}'`;
        return ` where id = ${table === 'changelogs' ? `'cl_1'` : 1}`;
      };
      const sets = list(columns).map(
        ([column, value]) => `${seed}update ${table} set ${column} = ${value}${where(column)}`,
      );
      for (const statement of sets) assert.deepEqual(await listMoved(statement), [], statement);
    }
  });

  it('it is decided for every column whether it moves updated_at', async () => {
    const decided = [
      ...[SHOWN, NOT_SHOWN].flatMap((tables) =>
        Object.entries(tables).flatMap(([table, columns]) =>
          list(columns).map(([column]) => `${table}.${column}`),
        ),
      ),
      ...LEFT_OUT,
    ];
    const tables = new Set(decided.map((name) => name.split('.')[0]));
    const columns = (await open().rows(COLUMNS_IN[engine])).map(([name]) => String(name));
    // SQLite numbers its rows.
    const found = columns.filter((name) => !name.endsWith('.number'));
    assert.deepEqual(found.filter((name) => tables.has(name.split('.')[0])).sort(), decided.sort());
  });

  for (const [statement, moved] of [...CASES, ...OWN_CASES[engine]])
    it(`${statement.replaceAll(/\s+/g, ' ')} moves ${moved.join(' and ') || 'nothing'}`, async () => {
      assert.deepEqual(await listMoved(statement), moved);
    });

  it('a new version has the date of its publication, or the time of the write if that is unknown or in the future', async () => {
    for (const [columns, expected] of CREATED) {
      const session = await reset();
      const start = new Date().toISOString();
      await session.run(`insert ${versionRow(columns)}`);
      const time = (await listTimes(session)).get('ver_9') ?? null;
      if (expected === 'now') assert.ok(time !== null && time >= start && FORM.test(time), `${time}`);
      else assert.equal(time, expected, JSON.stringify(columns));
    }
  });

  it('a time that is set is kept, must have the form of a timestamp, and is never missing', async () => {
    const session = await reset();
    const set = async (sets: string, id = 'ver_1') => {
      await session.run(`update versions set ${sets} where id = '${id}'`);
      return (await listTimes(session)).get(id);
    };
    assert.equal(await set(`title = 'Y', updated_at = '${PUBLISHED}'`), PUBLISHED);
    assert.equal(await set('updated_at = null'), null);
    assert.match((await set('updated_at = null', 'ver_3')) ?? '', FORM);
    for (const wrong of [
      `''`,
      `'2026-01-01'`,
      `'2026-01-01T00:00:00.000+'`,
      `'2026-13-01T00:00:00.000Z'`,
      '0',
    ])
      await assert.rejects(async () => await set(`updated_at = ${wrong}`), wrong);
  });

  it('a time ahead of the clock does not go back, and still moves', async () => {
    const session = await reset();
    await session.run(`update versions set updated_at = '2999-12-31T23:59:59.999Z' where id = 'ver_1';
      update versions set title = 'Y' where id = 'ver_1'`);
    assert.equal((await listTimes(session)).get('ver_1'), '3000-01-01T00:00:00.000Z');
    await session.run(`delete from changes where id = 'chg_1'`);
    assert.equal((await listTimes(session)).get('ver_1'), '3000-01-01T00:00:00.001Z');
    await session.run(`update versions set updated_at = '9999-12-31T23:59:59.999Z' where id = 'ver_1';
      update versions set title = 'Z' where id = 'ver_1'`);
    assert.equal((await listTimes(session)).get('ver_1'), '9999-12-31T23:59:59.999Z');
  });

  it('a plain update of updated_at is a touch', async () => {
    const session = await reset();
    const revision = async () => Number((await session.rows('select value from revision'))[0]?.[0]);
    const before = await revision();
    await session.run(`update versions set updated_at = '${PUBLISHED}' where id = 'ver_1'`);
    const [row] = await session.rows('select revision, public_revision from touches where product_id = 1');
    assert.deepEqual(row?.map(Number), [await revision(), await revision()]);
    assert.ok((await revision()) > before);
  });
}
