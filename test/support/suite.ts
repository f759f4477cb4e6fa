import { before } from 'node:test';
import type { Environment } from '../../src/config.ts';
import { seedWorld, type World } from '../../support/content/world.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { type StartedApp, startApp } from '../../support/program/app.ts';
import type { Sandbox } from '../../support/program/command.ts';

type Suite = StartedApp & { sandbox: Sandbox; world: World; scope: Scope };

/** The service with the seeded world, shared by the tests of a suite; call it in the body of `describe`. */
export function suiteWithWorld(environment: Environment = {}): Suite {
  const scope = sharedScope();
  const suite = { scope, sandbox: { folder: temporaryFolder(scope) } } as Suite;
  before(async () => {
    suite.world = await seedWorld(suite.sandbox);
    Object.assign(suite, await startApp(scope, suite.sandbox, environment));
  });
  return suite;
}
