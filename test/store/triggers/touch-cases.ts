// Runs the table of touches on a connection that does not go through the program.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Case } from './touch-table.ts';

export type Session = Readonly<{
  /** Restores the seed, faster than its statements would. */
  reset: () => Promise<void>;
  run: (statements: string) => Promise<unknown>;
  rows: (query: string) => Promise<unknown[][]>;
}>;

/** Touches of deleted teams and products. */
const ORPHANS = `select team_id, product_id from touches
  where team_id <> 0 and team_id not in (select id from teams)
    or product_id > 0 and product_id not in (select id from products)`;

export async function findRevision({ rows }: Session): Promise<number> {
  return Number((await rows('select value from revision'))[0]?.[0]);
}

export function listTouches({ rows }: Session, since: number): Promise<unknown[][]> {
  return rows(`select team_id, product_id from touches where revision > ${since} order by 1, 2`);
}

/** The same in the form of the table: with `public` if public content was touched. */
async function listPairs({ rows }: Session, since: number): Promise<unknown[][]> {
  const touches =
    await rows(`select team_id, product_id, case when public_revision > ${since} then 'public' end
    from touches where revision > ${since} order by 1, 2`);
  return touches.map((pair) => pair.filter((part) => part !== null));
}

export function testCases(
  open: () => Session,
  subject: string,
  cases: readonly Case[],
  { mayLeaveOrphans = false } = {},
): void {
  for (const { what, statement, touched } of cases) {
    it(`${subject} touches ${what}`, async () => {
      const session = open();
      await session.reset();
      const before = await findRevision(session);
      await session.run(statement);
      const after = await findRevision(session);
      assert.deepEqual(await listPairs(session, before), touched);
      assert.equal(after > before, touched.length > 0);
      assert.deepEqual(await listTouches(session, after), []);
      if (!mayLeaveOrphans) assert.deepEqual(await session.rows(ORPHANS), []);
    });
  }
}
