import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderVersion } from '../../../src/present/pages/version-parts.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { HEAD } from '../../present/pages/sample.ts';

describe('headings in authored texts', () => {
  it('continue the page’s outline without a gap, in a list and on a version’s page', async () => {
    const version = {
      ...{ id: 'ver_a', label: '1.0.0', title: '', publishedAt: null, changeCount: 1 },
      status: 'published',
      yanked: 0,
      updatedAt: '2026-05-04T09:00:00.000Z',
      compareUrl: null,
      image: null,
      description: '# Upgrading',
      changes: [{ id: 'chg_a', type: 'added', text: '### Hooks', breaking: 0 }],
    } as const;
    for (const level of [2, 3] as const) {
      const { description, changes } = await renderVersion(HEAD, version, renderAtOnce, { level });
      assert.match(description?.html ?? '', new RegExp(`^<h${level}>Upgrading<`));
      assert.match(changes[0]?.text.html ?? '', new RegExp(`^<h${level + 1}>Hooks<`));
    }
  });
});
