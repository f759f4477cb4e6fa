import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderVersion } from '../../../src/http/writing/rendered.ts';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { HEAD } from '../../present/pages/sample.ts';

const render = async (texts: readonly string[]) => texts.map(renderMarkdown);

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
    for (const typeLevel of [2, 3] as const) {
      const { description, changes } = await renderVersion(HEAD, version, render, typeLevel);
      assert.match(description ?? '', new RegExp(`^<h${typeLevel}>Upgrading<`));
      assert.match(changes[0]?.html ?? '', new RegExp(`^<h${typeLevel + 1}>Hooks<`));
    }
  });
});
