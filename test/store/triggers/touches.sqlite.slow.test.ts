// Every write records what it touched (R29), on SQLite, with and without foreign keys.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope } from '../../../support/processes/scope.ts';
import { openSession } from '../sqlite/session.ts';
import { type Session, testCases } from './touch-cases.ts';
import {
  REPLACEMENTS,
  SEED,
  STATEMENTS,
  TOUCHING_TABLES,
  TRANSACTIONS,
  VISIBILITIES,
} from './touch-table.ts';

it('the table of touches has every kind of statement on every table that responses depend on', () => {
  const tried = STATEMENTS.map(
    ({ statement }) => /^(insert into|update|delete from) \w+/.exec(statement)?.[0],
  );
  for (const table of TOUCHING_TABLES) {
    for (const kind of ['insert into', 'update', 'delete from'])
      assert.ok(tried.includes(`${kind} ${table}`), `${kind} ${table}`);
  }
});

const WAYS_OUT = ['abort', 'fail', 'ignore', 'replace', 'rollback'];
/** The same with a conflict clause, though there is no conflict. */
const WITH_WAYS_OUT = [...STATEMENTS, ...VISIBILITIES]
  .filter(({ statement }) => /^(insert|update)/.test(statement))
  .flatMap(({ what, statement, touched }) =>
    WAYS_OUT.map((wayOut) => ({
      what: `${what}, or ${wayOut}`,
      statement: statement.replace(/^\w+/, `$& or ${wayOut}`),
      touched,
    })),
  );

for (const foreignKeys of ['on', 'off']) {
  describe(`with foreign keys ${foreignKeys}`, () => {
    const scope = sharedScope();
    let session: Session;
    before(async () => {
      session = await openSession(scope, SEED, [`foreign_keys = ${foreignKeys}`]);
    });
    describe('a statement', () =>
      testCases(() => session, 'a statement', [...STATEMENTS, ...VISIBILITIES, ...WITH_WAYS_OUT]));
    // No trigger runs for the rows that it deletes.
    describe('a replacement', () =>
      testCases(() => session, 'a replacement', REPLACEMENTS, { mayLeaveOrphans: true }));
    describe('a transaction', () => testCases(() => session, 'a transaction', TRANSACTIONS));
  });
}
