// docs/import.md, compared with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import names from '../../locales/changelogs/sections.json' with { type: 'json' };
import { KINDS, LANGUAGES } from '../../src/import/body/sections.ts';
import { READABLE_FORMATS, type ReadableFormat } from '../../src/import/changelog.ts';
import { parseVersionHeading } from '../../src/import/markdown/versions/parse.ts';
import { readChangelog } from '../../src/import/read.ts';
import { bare, codeBlock, tableUnder } from '../support/markdown.ts';
import { typesOf } from './body/bodies.ts';

const DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../docs/import.md'), 'utf8');

describe('docs/import.md', () => {
  it('docs/import.md lists every format', () => {
    const formats = tableUnder(DOCUMENT, 'Format').map(([format = '']) => bare(format));
    assert.deepEqual(formats, [...READABLE_FORMATS]);
  });

  it('docs/import.md lists every section with its type', () => {
    const rows = Object.entries(KINDS).map(([kind, { type, breaking, isVague, isImpliedByType }]) => [
      names.English[kind as keyof typeof KINDS].join(', '),
      [type, ...(breaking ? ['breaking'] : []), ...(isVague ? ['unless the text tells more'] : [])].join(
        ', ',
      ),
      isImpliedByType ? 'no' : 'yes',
    ]);
    assert.deepEqual(tableUnder(DOCUMENT, 'Section'), rows);
  });

  it('docs/import.md lists every language with its names of the six types', () => {
    const rows = Object.entries(LANGUAGES).map(
      ([language, { added, changed, deprecated, removed, fixed, security }]) => [
        language,
        ...[added, changed, deprecated, removed, fixed, security].map((some) => some?.[0]),
      ],
    );
    assert.deepEqual(tableUnder(DOCUMENT, 'Language'), rows);
  });

  it('docs/import.md shows emoji with their types', () => {
    const [, text = ''] = /\*\*Emoji\*\*([\s\S]*?)\. A prefix/.exec(DOCUMENT) ?? [];
    const listed = text.slice(text.indexOf('others: ')).split(/\(`(\w+)`\)/);
    for (let at = 0; at + 1 < listed.length; at += 2)
      for (const [emoji] of (listed[at] ?? '').matchAll(/\p{Extended_Pictographic}\uFE0F?|:\w+:/gu))
        assert.deepEqual(typesOf(`- ${emoji} a`), [listed[at + 1]], emoji);
    assert.ok(listed.length > 10);
  });

  it('docs/import.md lists every first word that gives a type', () => {
    const [, words = ''] = /\*\*First words\*\*([\s\S]*?)\n\n/.exec(DOCUMENT) ?? [];
    const listed = words.split(/\(`(\w+)`\)/);
    for (let at = 0; at + 1 < listed.length; at += 2)
      for (const [, word = ''] of (listed[at] ?? '').matchAll(/\*(\w+)\*/g))
        assert.deepEqual(typesOf(`- ${word} it`), [listed[at + 1]], word);
  });

  it('docs/import.md shows headings that are versions', () => {
    for (const heading of codeBlock(DOCUMENT, 'markdown').trimEnd().split('\n'))
      assert.notEqual(parseVersionHeading(heading.replace(/^#+ /, '')), null, heading);
  });

  it('docs/import.md shows lines of plain text that are versions', () => {
    for (const line of codeBlock(DOCUMENT, 'text').trimEnd().split('\n'))
      assert.equal(labelsIn(`${line.trim()}\n\n  - A pad.\n`, 'text')[0], '2.1.0', line);
  });

  it('docs/import.md shows lines below a heading that date it', () => {
    const [, shown = ''] =
      /nothing else:\s+(`[^:]*?`)\. Such a line/s.exec(DOCUMENT.replaceAll('**Date:**', '**Date**')) ?? [];
    const lines = [...shown.matchAll(/`([^`]+)`/g)].flatMap(([, line]) => line ?? []);
    assert.equal(lines.length, 4);
    for (const line of lines) {
      const [version] = versionsIn(`## 2.1.0\n\n${line}\n\n- A pad.\n`);
      assert.equal(version?.publishedAt, '2026-05-04T00:00:00.000Z', line);
      assert.equal(version?.description, null, line);
    }
  });

  it('docs/import.md names words of unreleased versions', () => {
    const [, shown = ''] = /becomes a draft: (.*?), and a version that/s.exec(DOCUMENT) ?? [];
    const words = [...shown.matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []);
    assert.ok(words.length > 5, shown);
    for (const word of words) {
      const [version] = versionsIn(
        `# Changelog\n\n## ${word}\n\n- A pad.\n\n## 1.0.0 - 2026-05-04\n\n- Lift-off.\n`,
      );
      assert.equal(version?.status, 'draft', word);
    }
  });
});

function versionsIn(text: string, format: ReadableFormat | 'auto' = 'auto') {
  const changelog = readChangelog({ bytes: Buffer.from(text), name: 'CHANGELOG' }, { format });
  return [...changelog.versions].map(({ content }) => content);
}

function labelsIn(text: string, format: ReadableFormat): string[] {
  return versionsIn(text, format).map(({ version }) => version.replace(/^v/, ''));
}
