// The pages of static sites in a browser, as those of the service: accessible, valid, without scripts.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  changeLook,
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
  LOOKS,
} from '../../support/browser/accessibility.ts';
import type { Browser } from '../../support/browser/chromium.ts';
import { watchTraffic } from '../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../support/browser/validity.ts';
import { provideFilled } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';
import { type StaticHost, startHost } from '../client/static-hosts.ts';
import { sharedChromium } from '../support/browser.ts';
import { fillContent } from './content.ts';
import { filesIn } from './files.ts';

/** One of each kind, most with few versions, by the arguments of the build. Notes are those of the service, tested there. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '--all': [
    'index.html',
    'acme/index.html',
    'acme/rocket/index.html',
    'acme/rocket/page-3.html',
    'acme/rocket/type-removed.html',
    'acme/rocket/year-2022.html',
    'acme/rocket/versions/4.4.0%2Bbuild.7.html',
    'acme/rocket/changes/1.6.0...1.7.0.html',
    'beta/empty/index.html',
  ],
  '--team acme': ['index.html'],
  'CHANGELOG.md': [
    'index.html',
    'type-added.html',
    'year-2025.html',
    'versions/1.1.0.html',
    'changes/1.0.0...1.1.0.html',
    '404.html',
  ],
  '--product acme/rocket': ['versions/1.7.0.html'],
};

/** Light and dark, narrow and wide: of one page light and narrow with dark and wide, of the next the other two. */
const looksOf = (index: number) => LOOKS.filter((_, of) => (of % 3 === 0) === (index % 2 === 0));

const CHANGELOG = `# Changelog

All notable changes, see [the guide](https://rocket.example/guide).

## [1.1.0] - 2026-03-02

Words about it.

### Added

- **Breaking:** \`launch\` takes a [target](https://rocket.example/target).

| a | b |
|---|---|
| 1 | 2 |

## [1.0.0] - 2025-01-15

- First, ![a picture](docs/picture.png).
`;

describe('the pages of static sites', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  let browser: Browser;
  let host: StaticHost;
  const folderOf = (source: string) => source.replaceAll(/\W+/g, '-');
  const urlOf = (source: string, file: string) => `${host.address}/${folderOf(source)}/${file}`;
  before(async () => {
    [browser, host] = await Promise.all([sharedChromium(), startHost(scope, 'nginx')]);
    await provideFilled(sandbox, fillContent);
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), CHANGELOG);
    for (const source of Object.keys(PAGES)) {
      const out = path.join(host.folder, folderOf(source));
      await runOk(sandbox, ['build', ...source.split(' '), '--out', out]);
    }
  });

  it('html-validate finds nothing on these pages, on all with odd labels, and on all of a file', async () => {
    for (const [source, pages] of Object.entries(PAGES)) {
      const folder = path.join(host.folder, folderOf(source));
      const others = filesIn(folder).filter(
        (file) => file.endsWith('.html') && (source === 'CHANGELOG.md' || file.startsWith('beta/odd/')),
      );
      for (const file of [...pages.map(decodeURIComponent), ...others]) {
        // html-validate counts `&lt;` in a title as four characters.
        const html = readFileSync(path.join(folder, file), 'utf8').replace('odd &lt;name&gt;', 'odd name');
        assert.deepEqual(await findInvalidHtml(html), [], `${source} ${file}`);
      }
    }
  });

  it('a page that is opened from its folder has the style sheet', async () => {
    const { page, incidents } = await browser.open({ origin: 'null' });
    for (const file of ['index.html', 'versions/1.1.0.html']) {
      await page.goto(String(pathToFileURL(path.join(host.folder, folderOf('CHANGELOG.md'), file))));
      const rules: unknown = await page.evaluate(`getComputedStyle(document.body).fontFamily`);
      assert.match(String(rules), /system-ui/, file);
    }
    assert.deepEqual(incidents.console, []);
  });

  for (const [source, files] of Object.entries(PAGES))
    describe(`build ${source}`, () => {
      it('axe-core finds nothing, light and dark, narrow and wide, and nothing is wider than 320 px', async () => {
        const { page } = await browser.open({ origin: host.address });
        for (const [index, file] of files.entries()) {
          const response = await page.goto(urlOf(source, file));
          assert.equal(response?.status(), 200, file);
          for (const look of looksOf(index)) {
            await changeLook(page, look);
            assert.deepEqual(await findAccessibilityProblems(page), [], `${file} ${JSON.stringify(look)}`);
          }
          assert.deepEqual(await findOverflow(page), [], file);
        }
      });

      it('a page is two requests, without a script, nothing breaks its policy, and Tab reaches everything on it', async () => {
        const { page, incidents } = await browser.open({ origin: host.address });
        const toHost = (all: readonly string[]) => all.filter((one) => one.includes(host.address));
        const traffic = await watchTraffic(page);
        for (const file of files) {
          const before = traffic.requests.length;
          await page.goto(urlOf(source, file));
          assert.equal(await traffic.scriptBytes(), 0, file);
          const [own, sheet, ...others] = toHost(traffic.requests.slice(before));
          assert.equal(own, `GET ${urlOf(source, file)}`);
          // The page of a host for what is missing has its style sheet in itself.
          assert.match(sheet ?? 'style.css', file === '404.html' ? /^style\.css$/ : /\/style(-\w+)?\.css$/);
          assert.deepEqual(others, []);
          assert.deepEqual(await findKeyboardProblems(page), [], file);
        }
        assert.deepEqual(await traffic.violations(), []);
        // Logos and pictures of the content are elsewhere.
        assert.deepEqual(
          incidents.outside.filter((request) => !request.startsWith('image ')),
          [],
        );
        assert.deepEqual([incidents.errors, incidents.dialogs], [[], []]);
      });
    });
});
