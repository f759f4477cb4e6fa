import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { clientTypes } from '../../scripts/client-types.ts';

describe('client/records.d.ts', () => {
  it('client/records.d.ts matches the schemas of the server (rewrite it with `npm run client-types`)', () => {
    const file = new URL('../../client/records.d.ts', import.meta.url);
    assert.equal(readFileSync(file, 'utf8'), clientTypes());
  });
});
