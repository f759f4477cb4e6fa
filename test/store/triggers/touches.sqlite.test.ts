// R29: whoever writes says what must be read anew, whether or not they asked SQLite for foreign keys.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { TOUCH_RULES } from '../../../src/store/engine/touch-rules.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { openSession } from '../sqlite/session.ts';
import { RESET, type Session, testCases } from './touch-cases.ts';
import { REPLACEMENTS, STATEMENTS, TRANSACTIONS, TRUNCATIONS, VISIBILITIES } from './touch-table.ts';

it('the table has every kind of statement on every table that answers depend on', () => {
  const tried = [...STATEMENTS, ...TRUNCATIONS].map(
    ({ statement }) => /^(insert into|update|delete from|truncate) \w+/.exec(statement)?.[0],
  );
  for (const { table } of TOUCH_RULES) {
    for (const kind of ['insert into', 'update', 'delete from', 'truncate'])
      assert.ok(tried.includes(`${kind} ${table}`), `${kind} ${table}`);
  }
});

const WAYS_OUT = ['abort', 'fail', 'ignore', 'replace', 'rollback'];
/** The same, saying what to do about rows that are in the way, which there are none of. */
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
      session = await openSession(scope, RESET, [`foreign_keys = ${foreignKeys}`]);
    });
    describe('a statement touches', () =>
      testCases(() => session, [...STATEMENTS, ...VISIBILITIES, ...WITH_WAYS_OUT]));
    // Nobody hears of what goes that way once it has gone.
    describe('a replacement touches', () =>
      testCases(() => session, REPLACEMENTS, { mayLeaveOrphans: true }));
    describe('a transaction touches', () => testCases(() => session, TRANSACTIONS));
  });
}
