// Content may contain control characters. It is stored as written, and escaped when it is printed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { sharedScope } from '../../../support/processes/scope.ts';
import { apply, run, runOk } from '../../../support/program/command.ts';
import { documentOf, exported, sandboxOf } from '../helpers.ts';
import { listResponses } from '../responses.ts';

/** From C0, DEL and C1: clear the screen, set the title, ring the bell, move back, break lines. */
const EVIL = '\x1b[2J\x1b]0;x\x07\b\x7f\x9b31m\x85\x0b\x0c';
const BIDI = '\u202egpj.\u2066x\u200f';
const LITERAL = '&#27; &#027; &#0155; &#9; &amp;#27;';
const TEXTS = [
  `a ${EVIL} b`,
  EVIL,
  `${EVIL}\n\n- ${EVIL}\n\n\`\`\`\n${EVIL} ${LITERAL}\n\`\`\`\n`,
  `${LITERAL} ${EVIL}`,
  `breaking ${EVIL}\n# ${EVIL}\n`,
  `\`${EVIL}\` [a${EVIL}](http://x/${EVIL})`,
  `\x0c ${EVIL} \x0b`,
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((c) =>
    /[^\P{Cc}\0\r]/u.test(c),
  ),
];
const LABEL = `1.0.0 \x9b31m\x85x ${BIDI}.`;
const DOCUMENT = documentOf(
  [
    {
      version: LABEL,
      title: `Title ${EVIL}${BIDI}`,
      status: 'published',
      publishedAt: '2026-05-04T09:00:00.000Z',
      description: TEXTS[2] as string,
      changes: TEXTS.map((text) => ({ type: 'added', text })),
    },
    ...TEXTS.map((description, at) => ({ version: `0.${at}.0`, title: '', description })),
  ],
  { name: `Rocket ${EVIL}${BIDI}` },
);

/** Must not appear in any output. */
const RAW = /[^\P{Cc}\t\n]/u;
const STEERING = /\p{Bidi_Control}/u;

describe('control characters in content', () => {
  const scope = sharedScope();
  const sandbox = sandboxOf(scope);
  before(() => apply(sandbox, { ...DOCUMENT, team: { ...DOCUMENT.team, name: `Acme ${EVIL}${BIDI}` } }));

  for (const format of ['yaml', 'json']) {
    it(`export escapes control characters in ${format}, and reading it back restores them`, async (t) => {
      const text = await runOk(sandbox, ['export', 'acme', '--format', format]);
      assert.doesNotMatch(text, RAW);
      assert.doesNotMatch(text, STEERING);
      const other = sandboxOf(t);
      await runOk(other, ['apply', '-'], text);
      assert.deepEqual(await exported(other), await exported(sandbox));
      assert.deepEqual(await listResponses(t, other), await listResponses(t, sandbox));
    });
  }

  it('export writes control characters in Markdown as references, and reading it back restores them', async (t) => {
    const text = await runOk(sandbox, ['export', 'acme/rocket', '--format', 'markdown']);
    assert.doesNotMatch(text, RAW);
    assert.ok(text.includes('&#27;[2J'));
    const other = sandboxOf(t);
    await runOk(other, ['import', 'acme/rocket', '-', '--create'], text);
    // Markdown has no place for ids and times of changes.
    const withoutIds = async (place: typeof sandbox) =>
      (await exported(place)).products[0]?.changelog?.versions?.map(
        ({ id: _, updatedAt: __, changes = [], ...version }) => ({
          ...version,
          changes: changes.map(({ id: ___, ...change }) => change),
        }),
      );
    const normal = (text: string) => text.replaceAll(/\r\n?/g, '\n');
    assert.deepEqual(
      await withoutIds(other),
      (await withoutIds(sandbox))?.map((version) => ({
        ...version,
        ...(version.description && { description: normal(version.description) }),
      })),
    );
  });

  it('every command escapes the control characters that it prints', async () => {
    const id = (await exported(sandbox)).products[0]?.changelog?.versions?.[0]?.id ?? '';
    writeFileSync(
      path.join(sandbox.folder, 'C.md'),
      `# ${EVIL}\n\n## [1.0.0${EVIL}x] - 2026-05-04\n\n${EVIL}\n\n### Added\n\n- ${EVIL}\n\n## 1.2 ${EVIL}\n\n- b\n`,
    );
    const lines = [
      ['team', 'list'],
      ['team', 'show', 'acme'],
      ['team', 'show', EVIL],
      ['product', 'list', 'acme'],
      ['product', 'show', 'acme/rocket'],
      ['product', 'show', `acme/${EVIL}`],
      ['changelog', 'list', 'acme'],
      ['version', 'list', 'acme/rocket'],
      ['version', 'show', 'acme/rocket', id],
      ['version', 'unpublish', 'acme/rocket', LABEL],
      ['version', 'publish', 'acme/rocket', LABEL],
      ['key', 'create', 'acme', '--kind', 'FULL', '--name', `Key ${EVIL}${BIDI}`],
      ['key', 'list', 'acme'],
      ['key', 'disable', EVIL],
      ['apply', EVIL],
      ['import', 'acme/rocket', 'C.md', '--dry-run'],
      ['import', 'acme/rocket', 'C.md'],
      ['import', 'acme/rocket', EVIL],
      ['version', 'delete', 'acme/rocket', LABEL, '--yes'],
      [EVIL],
      ['doctor'],
    ];
    for (const args of lines)
      for (const flags of [[], ['--json']]) {
        if (flags.length > 0 && ['delete', 'create'].includes(args[1] ?? '')) continue;
        const { stdout, stderr } = await run(sandbox, [...args, ...flags]);
        assert.doesNotMatch(stdout + stderr, RAW, args.join(' '));
        assert.doesNotMatch(stdout + stderr, STEERING, args.join(' '));
      }
  });
});
