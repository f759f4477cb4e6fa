import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readStylesheet, STYLESHEET_BYTES_MAX } from '../../src/serve/page-stylesheet.ts';
import type { Browser } from '../../support/browser/chromium.ts';
import { seedWorld } from '../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { sharedChromium } from '../support/browser.ts';

describe('PAGE_STYLESHEET', () => {
  const scope = sharedScope();
  const folder = temporaryFolder(scope);
  let browser: Browser;
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(path.join(folder, name), content);
  const read = (name: string | null) => readStylesheet(name, folder);
  before(async () => {
    mkdirSync(path.join(folder, 'directory.css'));
    browser = await sharedChromium();
  });

  it('the file is read relative to the working directory, through links, or by its absolute path', () => {
    write('brand.css', 'a { color: red }\n');
    symlinkSync('brand.css', path.join(folder, 'link.css'));
    for (const name of ['brand.css', './brand.css', 'link.css', path.join(folder, 'brand.css')])
      assert.equal(read(name), 'a { color: red }\n', name);
  });

  it('no setting and an empty file add nothing', () => {
    write('empty.css', '');
    assert.deepEqual([read(null), read('empty.css')], ['', '']);
  });

  it('line ends and a byte order mark are read as in a browser, so that the hash in the CSP is right', () => {
    write('windows.css', '\uFEFFa {}\r\nb {}\rc {}\n');
    assert.equal(read('windows.css'), 'a {}\nb {}\nc {}\n');
  });

  it('a file of the largest size is accepted', () => {
    write('large.css', ' '.repeat(STYLESHEET_BYTES_MAX));
    assert.equal(read('large.css').length, STYLESHEET_BYTES_MAX);
  });

  it('pages have the style sheet, in workers too, and the browser accepts it', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await seedWorld(sandbox);
    writeFileSync(path.join(sandbox.folder, 'brand.css'), 'body { color: rgb(1, 2, 3) }\r\n/* ü */\r\n');
    const server = await spawnServer(t, sandbox, { PAGE_STYLESHEET: 'brand.css', WORKERS: '2' });
    const { page, incidents } = await browser.open({ origin: server.address });
    await page.goto(`${server.address}/changelog/acme/rocket`);
    assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(1, 2, 3)');
    assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
  });

  const REFUSED: [name: string, content: string | Uint8Array | null, problem: string][] = [
    ['missing.css', null, 'does not exist; correct the path.'],
    ['brand.css/brand.css', null, 'does not exist; correct the path.'],
    ['directory.css', null, 'is not a file; name a CSS file.'],
    ['/dev/zero', null, 'is not a file; name a CSS file.'],
    ['latin1.css', Uint8Array.of(0x2f, 0x2a, 0xe9, 0x2a, 0x2f), 'is not UTF-8 text; save it as UTF-8.'],
    ['utf16.css', Buffer.from('a {}', 'utf16le'), 'is not UTF-8 text; save it as UTF-8.'],
    ['too-large.css', ' '.repeat(STYLESHEET_BYTES_MAX + 1), 'is larger than 256 KiB; shorten it.'],
    ['end.css', 'a {} /* </STYLE\n> */', 'contains "</style"; that would end the style sheet, so remove it.'],
  ];
  for (const [name, content, problem] of REFUSED) {
    it(`serve and demo refuse ${name} with one line, and create no database`, async () => {
      if (content !== null) write(name, content);
      for (const command of ['serve', 'demo']) {
        const { code, stdout, stderr } = await run({ folder, environment: { PAGE_STYLESHEET: name } }, [
          command,
        ]);
        const message = `changelog: PAGE_STYLESHEET is ${JSON.stringify(name)}, which ${problem}\n`;
        assert.deepEqual({ code, stdout, stderr }, { code: 1, stdout: '', stderr: message });
      }
      assert.equal(existsSync(path.join(folder, 'data')), false);
    });
  }
});
