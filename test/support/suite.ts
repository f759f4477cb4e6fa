import { before } from 'node:test';
import type { Environment } from '../../src/config.ts';
import { startApp, type TestApp } from './app.ts';
import type { Workplace } from './command.ts';
import { type Scope, sharedScope, temporaryFolder } from './folder.ts';
import { seedWorld, type World } from './world.ts';

export type Suite = TestApp & { workplace: Workplace; world: World; scope: Scope };

/** The seeded world behind the service, shared by the tests of a suite; called in the body of `describe`. */
export function suiteWithWorld(environment: Environment = {}): Suite {
  const scope = sharedScope();
  const suite = { scope, workplace: { folder: temporaryFolder(scope) } } as Suite;
  before(async () => {
    suite.world = await seedWorld(suite.workplace);
    Object.assign(suite, await startApp(scope, suite.workplace, environment));
  });
  return suite;
}
