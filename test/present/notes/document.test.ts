import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NotedVersion } from '../../../src/present/notes/form.ts';
import { htmlNotes } from '../../../src/present/notes/html.ts';
import { exampleRows } from '../../../src/reference/example.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import { change, noted } from './sample.ts';

const BYTES_MAX = 6_000;
const { head, version } = exampleRows();

async function write(fields: Partial<NotedVersion>, { language = 'en', isTitled = false } = {}) {
  const context = { head: { ...head, language, accent: '#e4572e' }, render: renderAtOnce, isTitled };
  const { start, end } = htmlNotes.frame(context.head, 'Rocket 2.1.0');
  return start + (await htmlNotes.writeVersion({ ...version, ...noted(fields) }, context)) + end;
}

describe('a document with release notes', () => {
  it('has less than 6 KB besides the texts', async () => {
    const bytes = Buffer.byteLength(await write({}, { isTitled: true }));
    assert.ok(bytes < BYTES_MAX, `${bytes}`);
  });

  it('has a title of at most 70 characters', () => {
    const { start } = htmlNotes.frame(head, `Rocket ${'1'.repeat(100)}`);
    assert.match(start, /<title>Rocket 1{62}…<\/title>/);
  });

  it('has no script, form, link or image of its own', async () => {
    const html = await write({ yanked: 1, changes: [change('added', 'x', 1)] }, { isTitled: true });
    assert.doesNotMatch(html, /<(?:script|form|input|button|link|img|a|iframe)\b|url\(/);
  });

  it('has images as links, also those inside links', async () => {
    const html = await write({
      description: '![a](https://a.example/b.png) [![c](d.svg)](https://e.example)',
    });
    assert.doesNotMatch(html, /<img/);
    assert.match(
      html,
      /<a href="https:\/\/a\.example\/b\.png"[^>]*>a<\/a> <a href="https:\/\/e\.example"[^>]*>c<\/a>/,
    );
  });

  it('has headings of sections below those of versions, and those of authors below both', async () => {
    const fields = { description: '# A', changes: [change('added', '# B')] };
    const levels = (html: string) => [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    assert.deepEqual(levels(await write(fields)), [2, 2, 3]);
    assert.deepEqual(levels(await write(fields, { isTitled: true })), [2, 3, 3, 4]);
  });

  it('has the words of the language, and English ones marked as such where there are none', async () => {
    const fields = { yanked: 1, changes: [change('removed', 'A', 1)] } as const;
    const russian = await write(fields, { language: 'ru' });
    assert.match(russian, /<html lang="ru">/);
    assert.match(russian, /<p><strong>Отозвана:<\/strong> /);
    assert.match(russian, /<h2><span class="tag breaking">Несовместимые изменения/);
    assert.match(russian, /<li class="text" dir="auto"><p><strong dir="ltr">Удалено:<\/strong> A</);
    const yiddish = await write({ changes: [change('removed', 'שלום', 1)] }, { language: 'yi' });
    assert.match(yiddish, /<html lang="yi">/);
    assert.match(yiddish, /<body lang="en">/);
    assert.match(
      yiddish,
      /<li class="text" lang="yi" dir="auto"><p><strong lang="en" dir="ltr">Removed:<\/strong> שלום<\/p>/,
    );
  });
});
