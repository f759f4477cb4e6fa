import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlNotes } from '../../../src/present/notes/html.ts';
import { textNotes } from '../../../src/present/notes/text.ts';
import { markdownNotes } from '../../../src/present/outputs/markdown.ts';
import { exampleRows } from '../../../src/reference/example.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';

const { head, version } = exampleRows();
const TITLED = { publishedAt: '2026-05-04T09:00:00.000Z', description: null, changes: [] };
const CONTEXT = { head, render: renderAtOnce, isTitled: true };

async function titlesOf(label: string, title: string): Promise<string[]> {
  const titled = { ...version, ...TITLED, label, title };
  const written = [markdownNotes, textNotes, htmlNotes].map((form) => form.writeVersion(titled, CONTEXT));
  const [markdown = '', text = '', html = ''] = await Promise.all(written);
  return [markdown, text, html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')].map((each) =>
    each.trim(),
  );
}

describe('the title of one of several versions', () => {
  it('has the date of the version', async () => {
    const plain = '2.1.0: Faster (2026-05-04)';
    assert.deepEqual(await titlesOf('2.1.0', 'Faster'), [`## ${plain}`, plain, '2.1.0 Faster May 4, 2026']);
  });

  it('has the date once where the label is the date', async () => {
    assert.deepEqual(await titlesOf('2026-05-04', ''), ['## 2026-05-04', '2026-05-04', '2026-05-04']);
    const plain = 'v2026.05.04: Faster';
    assert.deepEqual(await titlesOf('v2026.05.04', 'Faster'), [`## ${plain}`, plain, 'v2026.05.04 Faster']);
    const other = '2026-05-03 (2026-05-04)';
    assert.deepEqual(await titlesOf('2026-05-03', ''), [`## ${other}`, other, '2026-05-03 May 4, 2026']);
  });
});
