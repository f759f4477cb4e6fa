// What client/README.md claims and shows.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ChangelogClient, ChangelogError } from '../../client/index.js';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { bare, codeBlock, section, tableUnder } from '../support/markdown.ts';
import { suiteWithWorld } from '../support/suite.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLIENT = path.join(ROOT, 'client');
const README = readFileSync(path.join(CLIENT, 'README.md'), 'utf8');
const BOX = codeBlock(section(README, '## A "what\'s new since your version" box'), 'js');
const SHOWN_LINES_MAX = 10;

describe('client/README.md', () => {
  it('client/README.md names the package and the version as they are, and links to nothing outside it', () => {
    const { name, version } = JSON.parse(readFileSync(path.join(CLIENT, 'package.json'), 'utf8'));
    assert.ok(README.startsWith(`# ${name}\n`));
    assert.ok(README.includes(`npm install ./${name}-${version}.tgz\n`));
    assert.doesNotMatch(README, /\]\((?!#)/);
  });

  it('client/README.md lists every method', () => {
    const documented = tableUnder(README, 'Method').map(([method = '']) => bare(method).replace(/\(.*/, ''));
    const methods = Object.getOwnPropertyNames(ChangelogClient.prototype);
    assert.deepEqual(
      documented,
      methods.filter((name) => name !== 'constructor'),
    );
  });

  it('client/README.md lists every option', () => {
    const documented = tableUnder(README, 'Option').flatMap(([names = '']) => bare(names).split(', '));
    const types = readFileSync(path.join(CLIENT, 'index.d.ts'), 'utf8');
    const [, options = ''] = /interface ChangelogClientOptions \{(.*?)^\}/ms.exec(types) ?? [];
    assert.deepEqual(
      documented,
      [...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name),
    );
  });

  it('client/README.md lists every field and code of an error', () => {
    const names = (column: string) => tableUnder(README, column).map(([name = '']) => bare(name));
    const error = new ChangelogError('network_error', 'No.', { cause: new Error() });
    assert.deepEqual(
      names('Field').sort(),
      Object.getOwnPropertyNames(error)
        .filter((field) => !['stack', 'name'].includes(field))
        .sort(),
    );
    const types = readFileSync(path.join(CLIENT, 'index.d.ts'), 'utf8');
    const [, own = ''] = /type ErrorCode = ApiErrorCode((?: \| '\w+')+)/.exec(types) ?? [];
    assert.deepEqual(names('Code'), [...own.matchAll(/\w+/g)].map(([code]) => code).concat('any other'));
  });

  it(`the example box in client/README.md has at most ${SHOWN_LINES_MAX} lines`, () => {
    assert.ok(BOX.trimEnd().split('\n').length <= SHOWN_LINES_MAX);
  });

  describe('the box', () => {
    const suite = suiteWithWorld();

    it('the example box shows descriptions and changes as safe HTML', async (t) => {
      const { address } = await listenApp(t, suite.sandbox);
      assert.equal(
        await showBox(t, address, '2.0.0'),
        '<p>Optional <em>Markdown</em>.</p>' +
          '<h3>added</h3><ul><li><p>A countdown, in <em>Markdown</em>.</p></li></ul>' +
          '<h3>removed</h3><ul><li class="breaking">' +
          '<p>The fuse. </p></li></ul>',
      );
    });

    it('the example box tells when nothing changed', async (t) => {
      const { address } = await listenApp(t, suite.sandbox);
      assert.equal(await showBox(t, address, '2.1.0'), '2.1.0 is up to date.');
    });
  });
});

/** What the box holds once the code ran, with nothing changed in it but the server and your version. */
async function showBox(scope: TestContext, address: string, yours: string): Promise<string> {
  const folder = temporaryFolder(scope);
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(CLIENT, path.join(folder, 'node_modules/changelog-read-client'));
  assert.match(BOX, /const yours = '2\.0\.0';.*https:\/\/changelog\.example\.com/s);
  const code = BOX.replace('2.0.0', yours).replace('https://changelog.example.com', address);
  const page = path.join(folder, 'page.mjs');
  writeFileSync(page, code);
  const box = { innerHTML: '' };
  const document = { querySelector: (selector: string) => (selector === '#whats-new' ? box : null) };
  Object.assign(globalThis, { document });
  scope.after(() => Reflect.deleteProperty(globalThis, 'document'));
  await import(pathToFileURL(page).href);
  return box.innerHTML;
}
