import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SHORT_CHECKS } from '../../proofs/pages/checks.ts';
import { openSite, SHORT, type Site } from '../../proofs/pages/site.ts';
import { sharedScope } from '../../support/processes/scope.ts';

describe('the pages of the demo', () => {
  const scope = sharedScope();
  let site: Site;
  before(async () => {
    site = await openSite(scope);
  });

  for (const [promise, check] of Object.entries(SHORT_CHECKS)) {
    it(promise, async (t) => {
      const { figure, problems } = await check(site, SHORT);
      t.diagnostic(figure);
      assert.deepEqual(problems, []);
    });
  }
});
