import { after } from 'node:test';
import { openScope, type Scope } from '../../cluster/scope.ts';

export { type Scope, temporaryFolder } from '../../cluster/scope.ts';

/** A scope shared by the tests of a suite; call it in the body of `describe`. */
export function sharedScope(): Scope {
  const scope = openScope();
  after(scope.close);
  return scope;
}
