import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { CHECKS_BY_SCHEME, SHORT, SHORT_BROWSERS } from '../../proofs/browsers/checks.ts';
import { type Host, startHost } from '../../proofs/browsers/host.ts';
import type { Window } from '../../proofs/browsers/window.ts';
import { startDemo } from '../../proofs/pages/site.ts';
import { sharedScope } from '../../support/processes/scope.ts';

describe('the pages and the widget in Chromium and WebKit', () => {
  const scope = sharedScope();
  let host: Host;
  before(async () => {
    host = await startHost(scope, await startDemo(scope));
  });

  for (const [name, start] of SHORT_BROWSERS)
    describe(name, () => {
      let window: Window;
      before(async () => {
        window = await start(scope, 'light', [host.origin, host.service]);
      });

      for (const [promise, check] of Object.entries(CHECKS_BY_SCHEME.light))
        it(`${name}: ${promise}`, async (t) => {
          const { figure, problems } = await check(window, host, SHORT);
          t.diagnostic(figure);
          assert.deepEqual(problems, []);
        });
    });
});
