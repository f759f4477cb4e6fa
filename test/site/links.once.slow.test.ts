import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { provideFilled } from '../../support/databases/engine.ts';
import { crawl, folderReader, type ReadFile } from '../../support/http/crawl.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';
import { fillContent } from './content.ts';
import { filesIn } from './files.ts';

const BASE = 'https://acme.github.io/changes/';
const KINDS = [
  ['--all'],
  ['--all', '--base', BASE],
  ['--team', 'beta', '--base', BASE],
  ['--product', 'acme/rocket'],
];

/** As a browser reads a folder of this machine: a path that ends with a slash is a list of files. */
const withoutIndex =
  (read: ReadFile): ReadFile =>
  async (file) =>
    /^$|\/$/.test(file) ? { problem: 'is a folder' } : await read(file);

/** In texts, and in what formats say about themselves. */
const ELSEWHERE = ['git.example', 'rocket.example', 'jsonfeed.org', 'keepachangelog.com'];
/** In Markdown, the links of authors stay as they are. */
const OF_AUTHORS = /^\/\S*\.md links to (?:docs\/guide\.md|#there), /;

describe('the links of a static site', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  before(() => provideFilled(sandbox, fillContent));

  for (const args of KINDS)
    it(`of ${args.join(' ')} lead to files, and every page is found`, async () => {
      const folder = temporaryFolder(scope);
      await runOk(sandbox, ['build', ...args, '--out', folder]);
      const read = folderReader(folder);
      const { visited, broken, outside } = await (args.includes(BASE)
        ? crawl(read, { base: BASE })
        : crawl(withoutIndex(read), { starts: ['index.html', '404.html', 'llms.txt', 'robots.txt'] }));
      assert.deepEqual(
        broken.filter((link) => !OF_AUTHORS.test(link)),
        [],
      );
      const pages = filesIn(folder).filter((file) => /\.html$/.test(file) && !file.endsWith('notes.html'));
      assert.deepEqual(
        pages.filter((file) => !visited.includes(file)),
        [],
      );
      // Nothing pretends to be there that needs a server.
      for (const page of pages)
        assert.doesNotMatch(
          readFileSync(`${folder}/${page}`, 'utf8'),
          /<form|<input|<button|API reference/,
          page,
        );
      assert.deepEqual(
        outside.filter((url) => !ELSEWHERE.includes(new URL(url).host)),
        [],
      );
      // Shown at any depth, so that a relative link would lead anywhere.
      const [, wayBack] =
        /<nav class="ways".*<a [^>]*>(.*)<\/a>/s.exec(readFileSync(`${folder}/404.html`, 'utf8')) ?? [];
      assert.equal(wayBack, args.includes(BASE) ? 'All products' : undefined);
    });
});
