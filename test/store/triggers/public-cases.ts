// R7 for any writer: after each of many random SQL statements, `public_changelogs` has exactly the public changelogs, and the
// full-text index their published texts (R9).
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Session } from './touch-cases.ts';

export const SEED = `
  insert into teams (id, slug, name, visibility, plan) values
    (1, 'a', 'A', 'public', 'paid'), (2, 'b', 'B', 'private', 'paid');
  insert into products (id, team_id, slug, name, status) values
    (1, 1, 'a', 'A', 'published'), (2, 1, 'b', 'B', 'draft'), (3, 2, 'a', 'A', 'published');
  insert into changelogs (id, product_id, name, status) values
    ('cl_1', 1, 'A', 'published'), ('cl_2', 2, 'B', 'published'), ('cl_3', 3, 'C', 'published');
  insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order) values
    ('ver_1', 'cl_1', '1', 'X', 'published', '2026-01-01T00:00:00.000Z', 0, 1),
    ('ver_2', 'cl_1', '2', 'X', 'draft', null, 0, 2),
    ('ver_3', 'cl_2', '1', 'X', 'published', '2026-01-01T00:00:00.000Z', 0, 1),
    ('ver_4', 'cl_3', '1', 'X', 'published', '2026-01-01T00:00:00.000Z', 0, 1);`;

const NOW = `select t.slug, p.slug, t.id, p.id, c.id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' order by 5`;
const KEPT = `select team_slug, product_slug, team_id, product_id, changelog_id from public_changelogs order by 5`;

const slug = fc.constantFrom('a', 'b', 'c');
const id = fc.integer({ min: 1, max: 4 });
const visibility = fc.constantFrom('public', 'private');
const state = fc.constantFrom('published', 'published', 'draft', 'locked');
const some = fc.constantFrom('true', 'id > 1', 'id = 1', 'id = 2');

/** `wayOut` follows the verb: on SQLite, what to do about conflicting rows. */
function statements(wayOut: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const write = <T extends unknown[]>(
    build: (way: string, ...values: T) => string,
    ...values: { [K in keyof T]: fc.Arbitrary<T[K]> }
  ) =>
    fc
      .tuple(wayOut, ...values)
      .map(([way, ...rest]) => build(way, ...(rest as unknown as T)))
      // No trigger sees what it deletes.
      .filter((statement) => !statement.startsWith('update or replace'));
  return fc.oneof(
    write(
      (way, i: number, s: string, v: string) =>
        `insert ${way} into teams (id, slug, name, visibility, plan) values (${i}, '${s}', 'X', '${v}', 'paid')`,
      id,
      slug,
      visibility,
    ),
    write(
      (way, v: string, where: string) => `update ${way} teams set visibility = '${v}' where ${where}`,
      visibility,
      some,
    ),
    write((way, s: string, i: number) => `update ${way} teams set slug = '${s}' where id = ${i}`, slug, id),
    write((way, to: number, i: number) => `update ${way} teams set id = ${to} where id = ${i}`, id, id),
    fc.constant(`update teams set slug = slug || 'x'`),
    some.map((where) => `delete from teams where ${where}`),
    write(
      (way, i: number, t: number, s: string, st: string) =>
        `insert ${way} into products (id, team_id, slug, name, status) values (${i}, ${t}, '${s}', 'X', '${st}')`,
      id,
      id,
      slug,
      state,
    ),
    write(
      (way, st: string, where: string) => `update ${way} products set status = '${st}' where ${where}`,
      state,
      some,
    ),
    write(
      (way, s: string, i: number) => `update ${way} products set slug = '${s}' where id = ${i}`,
      slug,
      id,
    ),
    write((way, t: number, i: number) => `update ${way} products set team_id = ${t} where id = ${i}`, id, id),
    write((way, to: number, i: number) => `update ${way} products set id = ${to} where id = ${i}`, id, id),
    some.map((where) => `delete from products where ${where}`),
    write(
      (way, i: number, p: number, st: string) =>
        `insert ${way} into changelogs (id, product_id, name, status) values ('cl_${i}', ${p}, 'X', '${st}')`,
      id,
      id,
      state,
    ),
    write(
      (way, st: string, i: number) => `update ${way} changelogs set status = '${st}' where id <> 'cl_${i}'`,
      state,
      id,
    ),
    write(
      (way, p: number, i: number) => `update ${way} changelogs set product_id = ${p} where id = 'cl_${i}'`,
      id,
      id,
    ),
    write(
      (way, to: number, i: number) => `update ${way} changelogs set id = 'cl_${to}' where id = 'cl_${i}'`,
      id,
      id,
    ),
    id.map((i) => `delete from changelogs where id = 'cl_${i}'`),
    write(
      (way, i: number, c: number, label: number, st: string) =>
        `insert ${way} into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
          values ('ver_${i}', 'cl_${c}', '${label}', 'X', '${st}', '2026-01-01T00:00:00.000Z', 0, 1)`,
      id,
      id,
      id,
      fc.constantFrom('draft', 'published'),
    ),
    write(
      (way, c: number, i: number) =>
        `update ${way} versions set changelog_id = 'cl_${c}' where id = 'ver_${i}'`,
      id,
      id,
    ),
    id.map((i) => `update versions set status = 'draft' where id = 'ver_${i}'`),
    id.map((i) => `delete from versions where id = 'ver_${i}'`),
  );
}

export function testPublicRows(
  open: () => Session,
  {
    wayOut = fc.constant(''),
    runs,
    checkSearch,
  }: { wayOut?: fc.Arbitrary<string>; runs: number; checkSearch: (session: Session) => Promise<void> },
): void {
  it('public_changelogs has exactly what is visible after any statements', async () => {
    const session = open();
    const sequence = fc.array(statements(wayOut), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, async (all) => {
        await session.reset();
        for (const statement of ['', ...all]) {
          // Some violate a constraint.
          await session.run(statement).catch(() => {});
          assert.deepEqual(await session.rows(KEPT), await session.rows(NOW), statement);
          await checkSearch(session);
        }
      }),
      { numRuns: runs },
    );
  });
}
