// A step after the last one, so that a database that was made before it has an older schema.
import { STEPS, type Step } from '../../../src/store/migrate/migrate.ts';
import type { Scope } from '../../../support/processes/scope.ts';

const STATEMENTS = ['alter table teams add column later integer default 1 not null'];
export const LATER: Step = { name: '9000_later', sqlite: STATEMENTS, postgres: STATEMENTS };

/** For commands that run in the process of the test. */
export function addLaterStep(scope: Scope): void {
  const steps = STEPS as Step[];
  steps.push(LATER);
  scope.after(() => {
    steps.splice(steps.indexOf(LATER), 1);
  });
}
