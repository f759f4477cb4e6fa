// What client/README.md claims and shows.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ChangelogClient } from 'changelog-read-api/client';
import { temporaryFolder } from '../support/folder.ts';
import { bare, codeBlock, section, tableUnder } from '../support/markdown.ts';
import { startStandIn } from './stand-in.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'client/README.md'), 'utf8');
const BOX = codeBlock(section(README, '## A "what\'s new since your version" box'), 'js');
const SHOWN_LINES_MAX = 10;

describe('client/README.md', () => {
  it('lists every method', () => {
    const documented = tableUnder(README, 'Method').map(([method = '']) => bare(method).replace(/\(.*/, ''));
    const methods = Object.getOwnPropertyNames(ChangelogClient.prototype);
    assert.deepEqual(
      documented,
      methods.filter((name) => name !== 'constructor'),
    );
  });

  it('lists every option', () => {
    const documented = tableUnder(README, 'Option').flatMap(([names = '']) => bare(names).split(', '));
    const types = readFileSync(path.join(ROOT, 'client/index.d.ts'), 'utf8');
    const [, options = ''] = /interface ChangelogClientOptions \{(.*?)^\}/ms.exec(types) ?? [];
    assert.deepEqual(
      documented,
      [...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name),
    );
  });

  it(`shows a box in ${SHOWN_LINES_MAX} lines at most`, () => {
    assert.ok(BOX.trimEnd().split('\n').length <= SHOWN_LINES_MAX);
  });

  it('shows a box that has in it what changed since', async (t) => {
    const groups = [
      {
        type: 'removed',
        changes: [{ html: '<p>The <em>fuse</em>.</p>', breaking: true }],
      },
      {
        type: 'fixed',
        changes: [
          { html: '<p>One.</p>', breaking: false },
          { html: '<p>Two.</p>', breaking: false },
        ],
      },
    ];
    const { address, requests } = await startStandIn(t, () => ({
      body: { data: { changeCount: 3, groups } },
    }));
    assert.equal(
      await showBox(t, address),
      '<h3>removed</h3><ul><li class="breaking"><p>The <em>fuse</em>.</p></li></ul>' +
        '<h3>fixed</h3><ul><li><p>One.</p></li><li><p>Two.</p></li></ul>',
    );
    assert.match(requests[0]?.url ?? '', /\/changelog\/changes\?from=2\.0\.0$/);
  });

  it('shows a box that says so when nothing did', async (t) => {
    const { address } = await startStandIn(t, () => ({ body: { data: { changeCount: 0, groups: [] } } }));
    assert.equal(await showBox(t, address), '2.0.0 is up to date.');
  });
});

/** What the box holds once the code ran, with nothing changed in it but the address of the server. */
async function showBox(scope: TestContext, address: string): Promise<string> {
  const folder = temporaryFolder(scope);
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules/changelog-read-api'));
  const code = BOX.replace('https://changelog.example.com', address);
  assert.notEqual(code, BOX);
  const page = path.join(folder, 'page.mjs');
  writeFileSync(page, code);
  const box = { innerHTML: '' };
  const document = { querySelector: (selector: string) => (selector === '#whats-new' ? box : null) };
  Object.assign(globalThis, { document });
  scope.after(() => Reflect.deleteProperty(globalThis, 'document'));
  await import(pathToFileURL(page).href);
  return box.innerHTML;
}
