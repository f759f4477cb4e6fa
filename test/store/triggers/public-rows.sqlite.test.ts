// `public_changelogs` (R7, R9) on SQLite, whatever the settings of the connection.
import { before, describe } from 'node:test';
import fc from 'fast-check';
import { sharedScope } from '../../../support/processes/scope.ts';
import { checkSearch, openSession } from '../sqlite/session.ts';
import { SEED, testPublicRows } from './public-cases.ts';
import type { Session } from './touch-cases.ts';

const WAYS_OUT = ['', 'or abort', 'or fail', 'or ignore', 'or replace', 'or replace', 'or rollback'];

for (const foreignKeys of ['on', 'off']) {
  for (const recursiveTriggers of ['on', 'off']) {
    describe(`public_changelogs, with foreign keys ${foreignKeys}, recursive triggers ${recursiveTriggers}`, () => {
      const scope = sharedScope();
      let session: Session;
      before(async () => {
        session = await openSession(scope, SEED, [
          'synchronous = off',
          `foreign_keys = ${foreignKeys}`,
          `recursive_triggers = ${recursiveTriggers}`,
        ]);
      });
      testPublicRows(() => session, { wayOut: fc.constantFrom(...WAYS_OUT), runs: 30, checkSearch });
    });
  }
}
