// Feed readers read the feeds of a static site.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';

const BASE = 'https://acme.github.io/rocket/';
const CHANGELOG = `# Rocket

## [1.1.0+build] - 2026-03-02

### Added

- **Pause** & \\<resume> ]]>

## [1.0.0] - 2025-01-15

- First, see [the guide](https://rocket.example/guide).
`;
const LABELS = ['1.1.0+build', '1.0.0'];
const PAGES = ['versions/1.1.0%2Bbuild.html', 'versions/1.0.0.html'];

describe('feed readers read the feeds of a static site', () => {
  for (const [name, args, base] of [
    ['with a base', ['--base', BASE], BASE],
    ['without a base, by relative links', [], ''],
  ] as const)
    it(name, async (t) => {
      const sandbox = { folder: temporaryFolder(t), withoutDatabase: true };
      await runOk(sandbox, ['build', '-', '--name', 'Rocket', '--out', 'site', ...args], CHANGELOG);
      const read = (file: string) => readFileSync(path.join(sandbox.folder, 'site', file), 'utf8');
      const urls = PAGES.map((page) => base + page);

      const atom = parseAtomFeed(read('feed.atom'));
      assert.deepEqual(
        atom.entries?.map(({ title }) => title?.value),
        LABELS,
      );
      assert.deepEqual(
        atom.entries?.map(({ links }) => links?.[0]?.href),
        urls,
      );
      const rss = parseRssFeed(read('feed.rss'));
      assert.deepEqual(
        rss.items?.map(({ title }) => title),
        LABELS,
      );
      assert.deepEqual(
        rss.items?.map(({ link }) => link),
        urls,
      );
      const json = parseJsonFeed(read('feed.json'));
      assert.deepEqual(
        json.items?.map(({ title }) => title),
        LABELS,
      );
      assert.deepEqual(
        json.items?.map(({ url }) => url),
        urls,
      );
      for (const file of ['feed.atom', 'feed.rss']) {
        const { title, items } = await new RssParser().parseString(read(file));
        assert.equal(title, 'Rocket', file);
        assert.deepEqual(
          items.map(({ link }) => link),
          urls,
          file,
        );
        assert.match(JSON.stringify(items[0]), /&lt;resume&gt; \]\]&gt;/, file);
      }

      // AppStream allows only absolute ones.
      const details = [...read('releases.xml').matchAll(/<url type="details">([^<]*)</g)].map(
        ([, url]) => url,
      );
      assert.deepEqual(details, base === '' ? [] : urls);

      const ids = [atom.entries, json.items].map((entries) => entries?.map(({ id }) => id));
      assert.deepEqual(ids[0], ids[1]);
      assert.equal(new Set(ids[0]).size, LABELS.length);
      assert.equal(rss.items?.[0]?.guid?.value, ids[0]?.[0]);
    });
});
