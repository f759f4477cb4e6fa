import { after } from 'node:test';
import { openScope, type Scope } from '../../cluster/scope.ts';

export { type Scope, temporaryFolder } from '../../cluster/scope.ts';

/** For what the tests of a suite share; called in the body of `describe`. */
export function sharedScope(): Scope {
  const scope = openScope();
  after(scope.close);
  return scope;
}
