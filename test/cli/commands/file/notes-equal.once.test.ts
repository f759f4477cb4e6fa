// `notes` of an exported CHANGELOG.md, compared with what the service sends, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { load } from 'js-yaml';
import { LATEST } from '../../../../src/domain/version-names.ts';
import { versionOrder } from '../../../../src/domain/version-order.ts';
import { startApp } from '../../../../support/program/app.ts';
import { apply, createKey, run, runOk } from '../../../../support/program/command.ts';
import { HARD_LABELS, HARD_TEXTS } from '../../../store/copy/hard-content.ts';
import { documentOf, sandboxOf, type TeamDocument, type VersionDocument } from '../../helpers.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const FORMS = ['md', 'txt', 'html'];

/** Markdown that changes what follows it, looks like marks of the file, or is easily trimmed. */
const TEXTS = [
  '```\nopen fence',
  '~~~~ text\n\n\nblank lines\n',
  '<details><summary>Open</summary>',
  '<!-- open',
  '<!-- draft -->',
  '<!-- end -->',
  '**Bold** first',
  '**Breaking:** or not',
  'BREAKING CHANGE: all of it',
  '### Added\n\n- not a section',
  '## [9.9.9] - 2026-01-01',
  '- a list\n- of two\n\n1. and\n2. numbers',
  '[id]: https://x.example\n\n[id] and [2.0.0]',
  '  indented  ',
  '\tcode\n\t\tcode',
  'a\n===\nb\n---',
  '> quote\ncontinued',
  '\n\nblank lines around\n\n',
  '&#27; &amp;#27; \\u001b \u001b',
  '+ plus\n* star',
  '[rel](../up.md) ![img](i.png)',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '#hash and #12 (#34)',
  '-',
  '.',
];
const TYPES = ['other', 'removed', 'added', 'security', 'fixed'];
const RICH: VersionDocument[] = [
  ...TEXTS.map((text, index) => ({
    version: `${index + 1}.0.0`,
    title: index % 3 === 0 ? '' : text.replaceAll(/\s+/g, ' ').trim(),
    status: 'published',
    publishedAt: new Date(Date.UTC(2026, 0, index + 1, index % 2)).toISOString(),
    description: text,
    yanked: index % 5 === 0,
    changes: TYPES.map((type, place) => ({
      type,
      text: TEXTS[(index + place) % TEXTS.length] as string,
      breaking: place % 2 === 0,
    })),
  })),
  { version: 'empty', title: '', status: 'published', publishedAt: '2025-01-01' },
  { version: 'yanked', title: 'Gone', status: 'published', publishedAt: '2025-01-02', yanked: true },
];

const demo = (file: string) => load(readFileSync(path.join(ROOT, 'demo', file), 'utf8')) as TeamDocument;
const DOCUMENTS: Record<string, TeamDocument> = {
  'the demo': demo('acme.yaml'),
  'the private team of the demo': demo('nightshift.yaml'),
  'labels that are hard to keep': documentOf(
    HARD_LABELS.map(({ id: _, ...version }) => version) as VersionDocument[],
  ),
  'texts that are hard to keep': documentOf(HARD_TEXTS as VersionDocument[]),
  'texts that change what follows': documentOf(RICH),
};

describe('notes of an exported CHANGELOG.md equal those of the service', () => {
  for (const [name, document] of Object.entries(DOCUMENTS)) it(name, (t) => compare(t, document));
});

async function compare(t: TestContext, document: TeamDocument): Promise<void> {
  const sandbox = sandboxOf(t);
  await apply(sandbox, document);
  const { slug: team } = document.team;
  const { key } = await createKey(sandbox, team, '--kind', 'FULL');
  const { app } = await startApp(t, sandbox);
  for (const { slug } of document.products ?? []) {
    // A file has neither.
    await run(sandbox, ['product', 'set', `${team}/${slug}`, '--base', '', '--accent', '']);
    const file = await runOk(sandbox, ['export', `${team}/${slug}`, '--format', 'markdown']);
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), file);
    const url = `/api/v1/teams/${team}/products/${slug}/changelog`;
    const sent = async (place: string) => {
      const { statusCode, body } = await app.inject({
        url: url + place,
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(statusCode, 200, place);
      return body;
    };
    const { versions } = JSON.parse(await sent('')).data as { versions: { id: string; version: string }[] };
    const { version: latest } = JSON.parse(await sent('/versions/latest')).data as { version: string };
    for (const form of FORMS) {
      const printed = (...args: string[]) =>
        runOk(sandbox, ['notes', 'CHANGELOG.md', ...args, '--format', form, '--allow-empty']);
      for (const { id, version } of versions)
        if (version !== LATEST)
          assert.equal(
            await printed(version),
            await sent(`/versions/${id}/notes.${form}`),
            `${version} ${form}`,
          );
      assert.equal(await printed(), await sent(`/versions/latest/notes.${form}`));
      for (const from of ['0', '1.4.0', '3.0.0'])
        if (versionOrder(latest) !== null)
          assert.equal(
            await printed('--from', from),
            await sent(`/changes.${form}?from=${from}&to=${encodeURIComponent(latest)}`),
            `from ${from} ${form}`,
          );
    }
  }
}
