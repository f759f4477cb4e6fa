// A product with two drafts to schedule, 3.0.0 and 2.0.0, above a published version.
import { before } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, sandboxOf } from '../helpers.ts';

export function sandboxOfDrafts() {
  const scope = sharedScope();
  const sandbox: Sandbox = sandboxOf(scope);
  before(() =>
    apply(
      sandbox,
      documentOf([
        { id: 'ver_3', version: '3.0.0', title: 'Three' },
        { id: 'ver_2', version: '2.0.0', title: 'Two' },
        { id: 'ver_1', version: '1.0.0', title: 'One', status: 'published' },
      ]),
    ),
  );
  /** Makes both drafts again, without a schedule. */
  const reset = () =>
    execute(
      sandbox,
      `update versions set status = 'draft', published_at = null, publish_at = null where id <> 'ver_1'`,
    );
  return { scope, sandbox, reset };
}

export function publish(label: string, ...flags: string[]): string[] {
  return ['version', 'publish', 'acme/rocket', label, ...flags];
}
