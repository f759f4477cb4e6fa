// `updated_at` (R45) on SQLite, whatever the settings of the connection.
import { before, describe } from 'node:test';
import { sharedScope } from '../../../support/processes/scope.ts';
import { openSession } from '../sqlite/session.ts';
import type { Session } from './touch-cases.ts';
import { SEED, testUpdateTimes } from './update-time-cases.ts';

for (const setting of ['on', 'off']) {
  describe(`updated_at, with foreign keys and recursive triggers ${setting}`, () => {
    const scope = sharedScope();
    let session: Session;
    before(async () => {
      const pragmas = [`foreign_keys = ${setting}`, `recursive_triggers = ${setting}`];
      session = await openSession(scope, SEED, ['synchronous = off', ...pragmas]);
    });
    testUpdateTimes(() => session, 'sqlite');
  });
}
