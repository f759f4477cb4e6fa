import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { versionOrder } from '../../src/domain/version-order.ts';
import { writeChangelogMarkdown, writeVersionMarkdown } from '../../src/present/markdown-pages.ts';
import type { FullVersion } from '../../src/store/read/pages.ts';
import { hostile } from '../support/hostile-markdown.ts';
import { collect, FORM, HEAD, SITE } from './pages/sample.ts';

const markdown = new MarkdownIt({ html: true });
const PAGE = 'https://changes.example.com/changelog/acme/rocket';

const VERSION: FullVersion = {
  id: 'ver_a',
  label: '2.1.0',
  title: 'Faster launches',
  status: 'published',
  publishedAt: '2026-05-04T09:00:00.000Z',
  updatedAt: '2026-05-04T09:00:00.000Z',
  yanked: 0,
  compareUrl: null,
  image: null,
  description: 'Uploads *overlap*.',
  changes: [{ id: 'chg_a', type: 'added', text: 'A countdown.', breaking: 0 }],
};

const around = { previous: '2.0.0', highest: versionOrder('2.1.0') };

describe('the pages of a product as Markdown', () => {
  it('a version has its own heading, text and changes, then where it leads', async () => {
    const version = { ...VERSION, compareUrl: 'https://git.example/a(b)' };
    assert.equal(
      await writeVersionMarkdown(SITE, { head: HEAD, version, ...around }),
      `# Rocket changelog

## [2.1.0: Faster launches](${PAGE}/versions/2.1.0) (2026-05-04)

Uploads *overlap*.

### Added

- A countdown.

---

- [All versions](${PAGE}.md)
- [Compare with 2.0.0](${PAGE}/changes.md?from=2.0.0&to=2.1.0)
- [Code changes](https://git.example/a%28b%29)
`,
    );
  });

  it('links lead to the own domain of a product', async () => {
    const head = { ...HEAD, domain: 'rocket.example' };
    const found = { head, description: null, versions: [] };
    const view = { isFiltered: false, isContinued: false, olderUrl: null, form: FORM };
    const page = await collect((out) => writeChangelogMarkdown(out, SITE, found, view));
    assert.match(page, /\[CHANGELOG\.md\]\(https:\/\/rocket\.example\/CHANGELOG\.md\)/);
    const written = await writeVersionMarkdown(SITE, { head, version: VERSION, ...around });
    assert.ok(written.includes('[All versions](https://rocket.example/index.md)'));
  });

  it('a label that is the day of the version stands without another date', async () => {
    const version = { ...VERSION, label: '2026-05-04', title: '2026-05-04' };
    const written = await writeVersionMarkdown(SITE, { head: HEAD, version, ...around });
    assert.match(written, /\n## \[2026-05-04\]\(\S+\)\n/);
  });

  it('no text is a heading or a link of ours, or ends one, whatever it contains', async () => {
    const names = fc.record({ name: hostile(1), label: hostile(1), title: hostile() });
    await fc.assert(
      fc.asyncProperty(names, hostile(), async ({ name, label, title }, description) => {
        const head = { ...HEAD, changelogName: name };
        const version = { ...VERSION, label, title, description };
        const written = await writeVersionMarkdown(SITE, { head, version, ...around });
        const tokens = markdown
          .parse(written, {})
          .filter(({ level, type }) => level === 0 && type !== 'inline');
        const [first, , , second, heading] = markdown.parse(written, {});
        assert.deepEqual([first?.tag, second?.tag], ['h1', 'h2'], written);
        const links = heading?.children?.filter(({ type }) => type === 'link_open') ?? [];
        assert.equal(links.length, 1, written);
        assert.ok(String(links[0]?.attrGet('href')).startsWith(`${PAGE}/versions/`), written);
        assert.deepEqual(
          tokens.slice(-7).map(({ tag }) => tag),
          ['h3', 'h3', 'ul', 'ul', 'hr', 'ul', 'ul'],
          written,
        );
      }),
      { numRuns: 300 },
    );
  });
});
